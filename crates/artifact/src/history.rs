//! `history.json`: the selected path and the attempts of each iteration.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::trace::AttemptOutcome;
use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    /// Kind and version.
    pub opening: Opening,
    /// The theorem's id.
    pub theorem: String,
    /// One entry per iteration, in order.
    pub iterations: Vec<HistoryEntry>,
}

/// One iteration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryEntry {
    /// The global number.
    pub iteration: u64,
    /// The obligations on the path from the root to the selected node.
    pub selected_path: Vec<Arc<str>>,
    /// The candidates tried, with their outcomes.
    pub attempts: Vec<HistoryAttempt>,
}

/// A candidate tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryAttempt {
    /// The tactic.
    pub tactic: Arc<str>,
    /// What came of it.
    pub outcome: AttemptOutcome,
}
