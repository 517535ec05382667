//! Latencies measured in a real run, for the virtual clock of later ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A line after the opening.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredLatency {
    /// What took so long.
    pub what: Measured,
    /// How long, in milliseconds.
    pub ms: f64,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    /// A call of the provider.
    Provider,
    /// A tactic.
    Tactic,
}

impl Measured {
    /// As in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Tactic => "tactic",
        }
    }
}
