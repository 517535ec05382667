//! `run.json`: what was run, with what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunRecord {
    /// Kind and version.
    pub opening: Opening,
    /// When the run began, in UTC, RFC 3339. The only wall-clock stamp of a run.
    pub started_at: String,
    /// How names of goals are made unique: `checkpoint`.
    pub goal_id_scheme: String,
    /// The programs found for each system used, with their versions.
    pub systems: BTreeMap<String, String>,
    /// The fully resolved configuration.
    pub config: serde_json::Value,
    /// The digest of the configuration, in hexadecimal.
    pub config_digest: String,
    /// Other configurations with which the run was resumed, in order.
    #[serde(default)]
    pub reconfigured: Vec<Reconfigured>,
    /// The maximum number of attempts at each theorem, until one is accepted; if the run was resumed with several
    /// values, the largest.
    #[serde(default = "one")]
    pub pass_k: u32,
    /// The theorems' ids, in order.
    pub theorems: Vec<String>,
}

/// Another configuration with which a run was resumed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reconfigured {
    /// When, in UTC, RFC 3339.
    pub at: String,
    /// The fully resolved configuration.
    pub config: serde_json::Value,
    /// Its digest, in hexadecimal.
    pub config_digest: String,
}

fn one() -> u32 {
    1
}
