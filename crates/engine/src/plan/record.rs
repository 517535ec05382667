//! Records of planning.

use andor_artifact::plan::{FaultyStepRecord, PlanStepRecord, PlanTryRecord, PlanningEnd, PlanningRecord};
use andor_artifact::result::ModelUsage;
use andor_core::plan::PlanStep;
use andor_provider::plan::RefusedStep;

use super::make::{Ended, Making, Try};

/// A step, as it is written to files.
pub fn step(PlanStep { name, statement }: &PlanStep) -> PlanStepRecord {
    PlanStepRecord { name: name.clone(), statement: statement.clone() }
}

/// A step, as it was read from a file.
pub fn read(PlanStepRecord { name, statement }: &PlanStepRecord) -> PlanStep {
    PlanStep { name: name.clone(), statement: statement.clone() }
}

/// What became of asking a planner. `model` is the cost.
pub fn planning(planner: &str, making: &Making, model: ModelUsage) -> PlanningRecord {
    let (ended, error) = match &making.ended {
        Ended::Verified(_) => (PlanningEnd::Verified, None),
        Ended::Refused => (PlanningEnd::Refused, None),
        Ended::Failed(error) => (PlanningEnd::Failed, Some(error.clone())),
        Ended::NoPlan => (PlanningEnd::NoPlan, None),
    };
    let faulty = |RefusedStep { step, error }: &RefusedStep| FaultyStepRecord {
        step: step.clone(),
        error: error.clone(),
    };
    let one = |Try { steps, faulty: wrong, .. }: &Try| PlanTryRecord {
        steps: steps.iter().map(step).collect(),
        faulty: wrong.iter().map(faulty).collect(),
    };
    PlanningRecord {
        planner: planner.to_owned(),
        ended,
        error,
        tries: making.tries.iter().map(one).collect(),
        model,
    }
}
