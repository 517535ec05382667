//! `rollout.jsonl`: the journal of a tree search over agent states.
//!
//! Lines are in the order in which things happened. Branches of a step may end in any order; the tree takes them in the
//! order of the step's selection, then of their numbers, once the step is complete.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line after the opening.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RolloutLine {
    /// The first: where the search begins.
    Root(RolloutRoot),
    /// A step begins.
    Step(RolloutStep),
    /// A branch of the step has ended.
    Branch(RolloutBranch),
    /// The step is complete.
    Pruned(RolloutPruned),
}

/// Where a search begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutRoot {
    /// What the search was started with, by whoever started it.
    pub settings: Value,
    /// The root, whose id is `0`.
    pub node: RolloutNode,
}

/// The beginning of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutStep {
    /// Its number, from 0.
    pub step: u64,
    /// The ids of the nodes that are expanded, as selected.
    pub selected: Vec<String>,
}

/// The end of a branch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutBranch {
    /// The number of the step.
    pub step: u64,
    /// The id of the node that is expanded.
    pub parent: String,
    /// The number of the branch among those of the node in this step, from 0.
    pub branch: u32,
    /// The children that the branch made.
    pub children: Vec<RolloutNode>,
}

/// The end of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutPruned {
    /// The number of the step.
    pub step: u64,
    /// The nodes that were pruned, in order. Open nodes below them are pruned with them.
    pub pruned: Vec<RolloutPruning>,
}

/// A node that was pruned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutPruning {
    /// Its id.
    pub node: String,
    /// Why: `beam`, `threshold`, `depth`, `budget`, `duplicate`, `barren`, `above`, or `other`.
    pub reason: String,
    /// The reason in words, if it is `other`.
    pub detail: Option<String>,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RolloutNode {
    /// Its state, as far as it differs from its parent's.
    pub state: Value,
    /// How promising it is, from 0 to 1.
    pub score: Option<f64>,
    /// Whether it is legal.
    pub valid: bool,
    /// Whether it is a solution.
    pub terminal: bool,
    /// What the environment said about it.
    pub feedback: Option<String>,
    /// Whether the agent has stopped.
    pub stopped: bool,
    /// What making it cost: tokens, where agents make it.
    pub cost: u64,
    /// A number that siblings with equal states share.
    pub digest: Option<u64>,
}
