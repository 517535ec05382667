//! Latencies measured in a real run, for the virtual clock of later ones.

use andor_core::clock::Work;
use serde::{Deserialize, Serialize};

/// A line after the opening.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredLatency {
    /// What took so long.
    pub what: Work,
    /// How long, in milliseconds.
    pub ms: f64,
}
