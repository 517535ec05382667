//! `graph.json`: the nodes and steps of the search at its end.

use andor_core::tree::Status;
use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Graph {
    /// Kind and version.
    pub opening: Opening,
    /// The theorem's id.
    pub theorem: String,
    /// The tree's digest, in hexadecimal.
    pub tree_digest: String,
    /// The nodes, in creation order; the first is the root.
    pub nodes: Vec<GraphNode>,
    /// The steps, in creation order.
    pub steps: Vec<GraphStep>,
}

/// An OR node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Its id, `n<number>`.
    pub id: String,
    /// The name of its obligation.
    pub mvar_id: String,
    /// Its goals as printed.
    pub goals: Vec<String>,
    /// The coarse signature.
    pub goal_sig: String,
    /// The strict signature.
    pub goal_sig_strict: String,
    /// Whether a signature was computed from text, because an expression was missing.
    pub textual_sig: bool,
    /// Its status.
    pub status: Status,
    /// Steps between the root and it when it was created.
    pub depth: u32,
    /// Finished iterations through it.
    pub visit_count: u32,
    /// The sum of their rewards.
    pub success_count: f64,
    /// The search's estimate of the probability that it is provable.
    pub value: f64,
    /// Steps in its smallest known proof.
    pub distance: Option<u32>,
}

/// An AND node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphStep {
    /// Its id, `s<number>`.
    pub id: String,
    /// The node at which it stands.
    pub node: String,
    /// The tactic.
    pub tactic: String,
    /// Its log-prior.
    pub log_prior: f64,
    /// Its status.
    pub status: Status,
    /// The nodes it leaves, in goal order.
    pub children: Vec<String>,
    /// The duration of its tactic, in milliseconds; `null` if it was not recorded.
    #[serde(default)]
    pub took_ms: Option<f64>,
    /// The number of the graft that added it; `null` if a provider proposed it.
    #[serde(default)]
    pub graft: Option<u64>,
}
