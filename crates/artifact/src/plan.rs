//! Files of plans: intermediate statements of theorems.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::result::ModelUsage;
use crate::version::Opening;

/// The file: plans by the ids of their theorems.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Plans {
    /// Kind and version.
    pub opening: Opening,
    /// The plans.
    pub plans: BTreeMap<String, PlanRecord>,
}

/// The plan of one theorem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
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
}

/// A step of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlanStepRecord {
    /// The name of the hypothesis that it becomes.
    pub name: String,
    /// Its statement, in the theorem's context and with the earlier steps as hypotheses.
    pub statement: String,
}

/// How a plan was asked for in an attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlanTryRecord {
    /// Its steps; empty if the answer could not be read.
    pub steps: Vec<PlanStepRecord>,
    /// What is wrong with it.
    pub faulty: Vec<FaultyStepRecord>,
}

/// Something wrong in a plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FaultyStepRecord {
    /// The step, as a tactic; empty if it is about the answer as a whole.
    pub step: String,
    /// What is wrong.
    pub error: String,
}
