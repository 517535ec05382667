//! `order.json.gz`: the order in which a search took in results.

use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file. A search that answers requests from a record follows it, and so makes the same choices.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Order {
    /// Kind and version.
    pub opening: Opening,
    /// The theorem's id.
    pub theorem: String,
    /// Whose results were taken, in order.
    pub taken: Vec<Taken>,
    /// Why the search ended (see `stop_reason` in results).
    pub stop_reason: String,
}

/// A result that was taken in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Taken {
    /// That of a reservation's operation: a provider's answer, or a tried tactic.
    Job(u64),
    /// The end of an agent's rest.
    Rest(u32),
}
