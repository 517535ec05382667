//! Files of plans: intermediate statements of theorems.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::result::{ModelUsage, PreferencePair, ProofStep};
use crate::version::Opening;

/// The file: plans by the ids of their theorems.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plans {
    /// Kind and version.
    pub opening: Opening,
    /// The plans.
    pub plans: BTreeMap<String, PlanRecord>,
    /// In the folder of a run: what the planner gave to attempts that have not ended, by theorem and number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub under_way: BTreeMap<String, BTreeMap<u32, PlanUnderWay>>,
}

/// The plan of an attempt that has not ended. If it is interrupted, it begins with this plan when the run is resumed, and
/// the planner is not asked again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanUnderWay {
    /// The digest of the theorem's statement.
    pub statement_digest: String,
    /// How the first plan was asked for; `null` if it was given.
    pub planning: Option<PlanningRecord>,
    /// The steps of the last plan that holds; empty if the planner gave none.
    pub steps: Vec<PlanStepRecord>,
    /// What asking for plans in the place of the first one cost.
    pub replanning: ModelUsage,
}

/// The plan of one theorem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanRecord {
    /// The statements, in the order in which they are proved.
    pub steps: Vec<PlanStepRecord>,
    /// The planner that wrote it; `null` for a person.
    #[serde(default)]
    pub planner: Option<String>,
    /// Whether the proof assistant understood every step, in the theorem's context.
    #[serde(default)]
    pub verified: bool,
    /// The number of plans that the planner was asked for.
    #[serde(default)]
    pub tries: u64,
    /// What it cost.
    #[serde(default)]
    pub model: ModelUsage,
    /// The number of steps from the first on that are proved.
    #[serde(default)]
    pub progress: u64,
}

/// A step of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanStepRecord {
    /// The name of the hypothesis that it becomes.
    pub name: String,
    /// Its statement, in the theorem's context and with the earlier steps as hypotheses.
    pub statement: String,
}

/// How a plan was asked for in an attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanningRecord {
    /// The planner.
    pub planner: String,
    /// How it ended.
    pub ended: PlanningEnd,
    /// Why the planner did not answer, if it did not.
    pub error: Option<String>,
    /// The plans that it wrote, in order. If the end is `verified`, the last one holds.
    pub tries: Vec<PlanTryRecord>,
    /// What it cost. It is part of `spent.model`, too.
    pub model: ModelUsage,
}

/// How asking for a plan ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlanningEnd {
    /// The search began with the last plan.
    Verified,
    /// Every plan was wrong. The search began without one.
    Refused,
    /// The planner did not answer.
    Failed,
    /// There was no plan in the answer.
    NoPlan,
}

/// A plan that a planner wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanTryRecord {
    /// Its steps; empty if the answer could not be read.
    pub steps: Vec<PlanStepRecord>,
    /// What is wrong with it.
    pub faulty: Vec<FaultyStepRecord>,
}

/// Something wrong in a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultyStepRecord {
    /// The step, as a tactic; empty if it is about the answer as a whole.
    pub step: String,
    /// What is wrong.
    pub error: String,
}

/// A plan in a search: what became of its statements.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanRun {
    /// `in-order`: the statements are proved one after the other; `parallel`: in turn.
    pub schedule: String,
    /// The steps of the last plan, in order.
    pub steps: Vec<PlanStepRecord>,
    /// The number of its steps from the first on whose statements are proved.
    pub progress: u64,
    /// The number of its steps whose statements are proved.
    pub proved: u64,
    /// The statements, and what is left to prove from them, in order; those of a plan that was replaced come before those
    /// of the next one.
    pub subgoals: Vec<SubgoalRecord>,
    /// How the planner was asked to mend the plan, in order.
    pub replans: Vec<ReplanRecord>,
    /// What the planner's answers cost during the search. It is part of `spent.model`, too.
    pub model: ModelUsage,
}

/// A statement of a plan in a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubgoalRecord {
    /// The number of its plan: 0 for the first, counted up whenever the plan is replaced.
    pub plan: u64,
    /// The statement; `null` for what is left to prove from all statements.
    pub step: Option<PlanStepRecord>,
    /// The name of its obligation.
    pub mvar_id: String,
    /// What became of it.
    pub status: SubgoalStatus,
    /// Why it is stuck, if it is.
    pub stuck: Option<StuckReason>,
    /// How often the search turned to it.
    pub turns: u64,
    /// Iterations below it.
    pub iterations: u64,
    /// How many it was given; `null` for no limit.
    pub budget_iterations: Option<u64>,
    /// Candidates tried below it.
    pub candidates: u64,
    /// How many it was given; `null` if it never had a turn.
    pub budget_candidates: Option<u64>,
    /// How long it was in focus, in milliseconds on the trace's clock.
    pub focus_ms: f64,
    /// How long it was to be in focus at most, in milliseconds on the trace's clock; `null` for no limit.
    pub budget_ms: Option<f64>,
    /// When it was proved, in milliseconds since the start on the trace's clock.
    pub proved_ms: Option<f64>,
    /// The steps of its proof, if it is proved.
    pub proof: Vec<ProofStep>,
    /// For each of them, its tactic paired with the tactics that failed at the same node.
    pub preference_pairs: Vec<PreferencePair>,
}

/// What became of a statement of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SubgoalStatus {
    /// It had no turn, or not the last one.
    Waiting,
    /// The search was at work on it when it ended.
    Current,
    /// It is proved.
    Proved,
    /// It is not proved, and had all that it was given. The search may have come back to it after the plan.
    Stuck,
    /// It does not matter any more.
    NotNeeded,
    /// It was open when another plan took the place of its own.
    Replaced,
}

/// Why the work on a statement ended without a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StuckReason {
    /// Its candidates were spent.
    Candidates,
    /// Its iterations were spent.
    Iterations,
    /// Its time was spent.
    Time,
    /// Nothing was left to try.
    Exhausted,
}

/// How a planner was asked to mend a plan during a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplanRecord {
    /// The number of the plan that was to replace the present one, from 1.
    pub number: u64,
    /// How many iterations were finished.
    pub iteration: u64,
    /// When the answer was taken in, since the start, on the trace's clock.
    pub timestamp_ms: u64,
    /// The statement that could not be proved; `null` for what is left to prove from all statements.
    pub stuck: Option<PlanStepRecord>,
    /// Why it is stuck.
    pub reason: StuckReason,
    /// How many statements before it were proved, and stay.
    pub proven: u64,
    /// What the planner was told of what was tried there, and how it failed.
    pub tried: Vec<FaultyStepRecord>,
    /// What came of it. If the end is `verified`, the last plan has taken the place of the old one.
    pub planning: PlanningRecord,
}

/// The search turned to a node, and works only below it until the next such record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FocusRecord {
    /// How many iterations were finished.
    pub iteration: u64,
    /// How many reservations, and iterations that ended at an obstacle, there were.
    pub reservations: u64,
    /// When, since the start, on the trace's clock.
    pub timestamp_ms: u64,
    /// The name of the obligation; `null` if the search works on the whole tree again.
    pub mvar_id: Option<Arc<str>>,
    /// What became of the statement that it worked on before, if it did.
    pub before: Option<SubgoalStatus>,
}
