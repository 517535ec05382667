//! `code-results.jsonl`: one line per attempt at a programming task.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::result::ModelUsage;

/// The result of an attempt: one task, one configuration, one seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeResult {
    /// The task's id.
    pub task: String,
    /// A digest of what the agent is told, given and tested by, in hexadecimal.
    pub task_digest: String,
    /// A digest of the configuration, in hexadecimal.
    pub config_digest: String,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// The seed of its search.
    pub seed: u64,
    /// What came of it.
    pub outcome: CodeOutcome,
    /// The largest share of tests that passed at a node, from 0 to 1.
    pub score: f64,
    /// Tests of the task.
    pub tests: u64,
    /// Why the search ended, or what failed.
    pub ended_by: String,
    /// The files of the solution that differ from the task's; those that are not UTF-8 are in the attempt's folder only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub solution: BTreeMap<String, String>,
    /// The id of its node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// A digest of the tree, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_digest: Option<String>,
    /// Steps of the search.
    pub steps: u64,
    /// Nodes of its tree.
    pub nodes: u64,
    /// What was asked of the model.
    pub model: ModelUsage,
    /// Milliseconds; of an attempt that was resumed, since then.
    pub total_ms: f64,
}

/// What came of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CodeOutcome {
    /// All tests passed at a node.
    Solved,
    /// The search ended without one.
    NotSolved,
    /// The model, the sandbox or this program failed. It says nothing about the task.
    InfrastructureError,
    /// It was interrupted. It is not among a run's results.
    Interrupted,
}
