//! `trace.jsonl`: the events of a search, one line per global iteration. Texts that many
//! records repeat are shared.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::graft::{GraftOrigin, GraftRecord};
use crate::level;
use crate::plan::{FocusRecord, ReplanRecord};

/// A line after the opening.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TraceEvent {
    /// The search begins.
    Start(Box<Start>),
    /// A round of selection, expansion and back-up.
    Iteration(Box<Iteration>),
    /// A step of a given script was added; no agent came to the node for it. Since 3.2.
    GraftStep(Box<GraftStep>),
    /// A given script was applied as far as it holds. Since 3.2.
    Graft(GraftRecord),
    /// The search turned to a statement of its plan, or to the whole tree. Since 3.4.
    Focus(FocusRecord),
    /// A planner was asked to mend the plan. Since 3.4.
    Replan(Box<ReplanRecord>),
    /// A claimed proof was rejected by the checker.
    Rejection(Rejection),
    /// The search ended without an accepted proof.
    Abort(Abort),
    /// The search ended with an accepted proof.
    Proved(Proved),
}

/// The beginning of a search. Its tree can be rebuilt from this record and the following ones.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// The theorem's id.
    pub theorem: String,
    /// The system.
    pub system: String,
    /// A digest of system, header, statement and footer, in hexadecimal.
    pub statement_digest: String,
    /// The fully resolved configuration.
    pub config: serde_json::Value,
    /// The root.
    pub root: NewNode,
}

/// A new node of the tree.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewNode {
    /// The name of its obligation, `cp<checkpoint>:<goal>`.
    pub mvar_id: Arc<str>,
    /// The target of its first goal.
    pub goal_type: Arc<str>,
    /// All 16 digits of the coarse signature.
    pub goal_coarse: Arc<str>,
    /// All 16 digits of the key, which identifies equal obligations.
    pub goal_key: Arc<str>,
    /// A provider's estimate in [0, 1] of the probability that it is provable, if there is one.
    pub value: Option<f64>,
}

/// A round of selection, expansion and back-up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Iteration {
    /// The global number, ascending from 1.
    pub iteration: u64,
    /// How it went.
    pub reason: IterationReason,
    /// The agent that made it; 0 in centralized mode.
    pub agent_id: u32,
    /// When it was finished, since the start, on the trace's clock.
    pub timestamp_ms: u64,
    /// Whether another agent was at work at the node when this one reserved it.
    pub collision: bool,
    /// The names of the obligations on the path from the root to the selected node.
    pub selected_path: Vec<Arc<str>>,
    /// The selected node after the iteration.
    pub node: TraceNode,
    /// The candidates in the order tried.
    pub tactics: Vec<ScoredTactic>,
    /// The outcome of each candidate tried.
    pub attempts: Vec<TraceAttempt>,
    /// Whether a step was added.
    pub expanded: bool,
    /// Whether the node is closed by a step without children.
    pub terminal_reached: bool,
    /// Whether the iteration counted as a success: it added a step.
    pub backprop_success: bool,
    /// The tree after the iteration.
    pub tree: TraceTree,
    /// The nodes it added, in order.
    pub new_nodes: Vec<NewNode>,
    /// The log-prior of the best candidate left to try; `null` when none is left.
    pub next_score: Option<f64>,
    /// The provider's estimate in [0, 1] of the probability that the selected node is provable, if it gave one.
    pub value: Option<f64>,
    /// What blocked the selected node, when something did.
    pub block: Option<TraceBlock>,
    /// What delayed the selected node, when something did.
    pub delay: Option<TraceDelay>,
    /// The nodes that the agent would have selected before, in order.
    pub reroute: Vec<TraceDetour>,
    /// The names of the nodes whose block the agent lifted on its way, in order.
    #[serde(default)]
    pub lifted: Vec<Arc<str>>,
    /// How the agent came to the node; `null` in traces before 3.1.
    #[serde(default)]
    pub reservation: Option<Reservation>,
}

/// A step of a given script.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraftStep {
    /// The number of the graft.
    pub graft: u64,
    /// Where the script comes from.
    pub origin: GraftOrigin,
    /// The provider that wrote it, if one did.
    pub provider_id: Option<Arc<str>>,
    /// Its line in the script, from 1; as in [`crate::graft::GraftCut`].
    pub line: u64,
    /// How many iterations were finished.
    pub iteration: u64,
    /// How many reservations, and iterations that ended at an obstacle, there were.
    pub reservations: u64,
    /// When it was added, since the start, on the trace's clock.
    pub timestamp_ms: u64,
    /// The name of the obligation at which it stands.
    pub mvar_id: Arc<str>,
    /// Steps between the root and that obligation.
    pub depth: u32,
    /// The tactic.
    pub tactic: Arc<str>,
    /// Its log-prior.
    pub score: f64,
    /// Whether the node's own candidates are left out of the search.
    pub is_only: bool,
    /// The names of the obligations it left.
    pub child_mvar_ids: Vec<Arc<str>>,
    /// The nodes it added, in order.
    pub new_nodes: Vec<NewNode>,
    /// The tree after it.
    pub tree: TraceTree,
}

/// How an agent reached a node. The reservations of a trace determine what was in flight at any time: a reservation
/// is in flight from `after` finished iterations on until its own iteration is finished.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reservation {
    /// Reservations, and iterations that ended at an obstacle, are numbered together in the order in which they were
    /// made, from 0.
    pub number: u64,
    /// How many iterations were finished when it was made.
    pub after: u64,
    /// The score of the last choice on the path; `null` if no finite scores were compared.
    pub score: Option<f64>,
    /// The numbers of the reservations in flight when it was made.
    pub in_flight: Vec<u64>,
}

/// A reservation that was cancelled when the search ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GivenUp {
    /// The agent that held it.
    pub agent_id: u32,
    /// The names of the obligations on the path from the root to the node.
    pub selected_path: Vec<Arc<str>>,
    /// How the agent came to the node.
    pub reservation: Reservation,
}

/// A block on a node. Times are global iterations, as of the one that came to the node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceBlock {
    /// The iteration from which on the node is free; `null`: it does not become free by itself.
    pub until: Option<u64>,
    /// Iterations until then.
    pub remaining: Option<u64>,
    /// The total duration of the block; negative means forever.
    pub duration: i64,
    /// Whether it neither ends nor is lifted.
    pub immovable: bool,
}

/// A delay of a node. Times are global iterations, as of the one that came to the node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceDelay {
    /// The iteration from which on the node is free.
    pub until: u64,
    /// Iterations until then.
    pub remaining: u64,
    /// The total duration of the delay.
    pub duration: u64,
}

/// A node that an agent could not reserve, and the obstacle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceDetour {
    /// The name of its obligation.
    pub mvar_id: Arc<str>,
    /// `blocked` or `delayed`.
    pub reason: IterationReason,
    /// What blocked it, when something did.
    pub block: Option<TraceBlock>,
    /// What delayed it, when something did.
    pub delay: Option<TraceDelay>,
}

/// The outcome of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IterationReason {
    /// A step was added.
    Expanded,
    /// No candidate gave a step, or there was none.
    NoExpansion,
    /// Waiting candidates could not be tried: the goal's state could not be rebuilt.
    NoGoal,
    /// The node was blocked on purpose.
    Blocked,
    /// The node was delayed on purpose.
    Delayed,
    /// Another agent had proved the node in the meantime.
    TerminalNode,
    /// Another agent had exhausted the node in the meantime, or tried its last candidate.
    DeadNode,
}

/// The selected node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceNode {
    /// The name of its obligation, `cp<checkpoint>:<goal>`.
    pub mvar_id: Arc<str>,
    /// The target of its first goal.
    pub goal_type: Arc<str>,
    /// The coarse signature.
    pub goal_sig: Arc<str>,
    /// The strict signature.
    pub goal_sig_strict: Arc<str>,
    /// Finished iterations through it.
    pub visit_count: u32,
    /// The sum of their rewards.
    pub success_count: f64,
    /// Closed by a step without children.
    pub is_terminal: bool,
    /// Exhausted.
    pub is_dead: bool,
    /// Steps between the root and it.
    pub depth: u32,
}

/// A candidate with its score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoredTactic {
    /// The tactic.
    pub tactic: Arc<str>,
    /// Its log-prior.
    pub score: f64,
}

/// What came of a candidate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceAttempt {
    /// The tactic as proposed.
    pub tactic: Arc<str>,
    /// What came of it.
    pub outcome: AttemptOutcome,
    /// The names of the obligations it left, when it was committed.
    pub child_mvar_ids: Vec<Arc<str>>,
    /// When it was finished, since the start, on the trace's clock.
    pub timestamp_ms: u64,
    /// The normalised text of the tactic, used as the cache key.
    pub tactic_norm: Arc<str>,
    /// The coarse signature of the obligation it was tried on.
    pub goal_sig: Arc<str>,
    /// The strict signature of that obligation.
    pub goal_sig_strict: Arc<str>,
    /// The target of that obligation's first goal.
    pub goal_type: Arc<str>,
    /// Why it was blocked, when it was.
    pub block_reason: Option<String>,
    /// Who proposed it.
    pub provider_id: Arc<str>,
    /// Why it failed: the assistant's message, or the limit that it ran into.
    pub error: Option<String>,
}

/// What came of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// It became a step.
    Success,
    /// The assistant refused it, it lost the worker twice, or it leads below the depth limit.
    Failure,
    /// It was not tried.
    Blocked,
    /// It ran over its limit.
    Timeout,
    /// It leads back to an obligation on the path from the root.
    Cyclic,
}

impl AttemptOutcome {
    /// Its name in traces.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Blocked => "blocked",
            Self::Timeout => "timeout",
            Self::Cyclic => "cyclic",
        }
    }
}

/// The size of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceTree {
    /// Nodes.
    pub nodes: u64,
    /// Iterations that added a step.
    pub expansions: u64,
    /// The maximum depth of a node.
    pub max_depth: u32,
    /// Whether the root is proved.
    pub solved: bool,
    /// Whether the search was given up.
    pub aborted: bool,
    /// Reservations besides this one.
    pub inflight: u64,
}

/// The checker rejected a claimed proof; its youngest step is marked as refuted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rejection {
    /// The iteration that completed the claim.
    pub iteration: u64,
    /// The level of verification that the claim did not reach.
    #[serde(deserialize_with = "level::known")]
    pub level: u8,
    /// Why, in one word.
    pub reason: String,
    /// The same for people.
    pub message: String,
    /// The obligation at which the youngest step stands.
    pub mvar_id: String,
    /// The tactic of that step.
    pub tactic: String,
}

/// The search ended without an accepted proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Abort {
    /// The last iteration.
    pub iteration: u64,
    /// The stop reason.
    pub reason: String,
    /// The tree at the end.
    pub tree: TraceTree,
    /// Its digest, in hexadecimal.
    pub tree_digest: String,
    /// The reservations that were in flight, by number.
    #[serde(default)]
    pub given_up: Vec<GivenUp>,
}

/// The search ended with an accepted proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proved {
    /// The last iteration.
    pub iteration: u64,
    /// The tree at the end.
    pub tree: TraceTree,
    /// Its digest, in hexadecimal.
    pub tree_digest: String,
    /// The reservations that were in flight, by number.
    #[serde(default)]
    pub given_up: Vec<GivenUp>,
}
