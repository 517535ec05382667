//! What `andor doctor --json` prints.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something that `andor doctor` looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DoctorRecord {
    /// The system that uses it, or `code`: programming tasks.
    pub system: String,
    /// Whether the system is part of this program; of `code`, whether it works.
    pub available: bool,
    /// What was looked for. `verification`: how far proofs are verified here.
    pub what: String,
    /// What was found, such as a version.
    pub found: Option<String>,
    /// Why it was not found.
    pub missing: Option<String>,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Whether the system does not work without it.
    pub needed: bool,
    /// Verification: the highest level that a trial reached.
    pub level: Option<u8>,
    /// Verification: what prevents a higher one.
    pub shortfall: Option<String>,
}

/// A model's server, as `andor doctor --model` found it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DoctorModelRecord {
    /// The name that was asked for, or the address.
    pub model: String,
    /// The address of the server.
    pub url: String,
    /// What it can do.
    pub capabilities: Option<Value>,
    /// What it cannot do, in sentences.
    pub notes: Vec<String>,
    /// Why it could not be asked.
    pub error: Option<String>,
}
