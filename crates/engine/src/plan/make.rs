//! Asks a planner until a plan holds.

use std::sync::Arc;

use andor_core::plan::PlanStep;
use andor_core::theorem::Theorem;
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_provider::contract::{Provider, Usage};
use andor_provider::plan::parse::PlanFault;
use andor_provider::plan::{PlanRequest, Planner, RefusedStep};

use super::verify::{StepFault, verify};

/// What became of asking for a plan.
#[derive(Clone, Debug)]
pub struct Making {
    /// The tries, in order.
    pub tries: Vec<Try>,
    /// How it ended.
    pub ended: Ended,
    /// What it cost.
    pub usage: Usage,
}

/// How asking for a plan ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// With a plan that holds.
    Verified(Vec<PlanStep>),
    /// With as many plans as were wanted, none of which holds.
    Refused,
    /// The model did not answer.
    Failed(String),
    /// The model answered with no plan at all, as when it refuses to.
    NoPlan,
}

/// A plan that was asked for.
#[derive(Clone, Debug)]
pub struct Try {
    /// The model's text.
    pub answer: String,
    /// Its steps, if it could be read.
    pub steps: Vec<PlanStep>,
    /// What is wrong with it; empty if it holds.
    pub faulty: Vec<RefusedStep>,
}

/// Asks for a plan of the theorem, at most `1 + retries` times: again only if a plan was wrong, since asking again does
/// not make a model answer that refused to. What was wrong is part of the next request.
///
/// # Errors
///
/// The assistant fails.
pub async fn make(
    session: &Arc<Session>,
    theorem: &Theorem,
    planner: &Planner,
    refuter: Option<&dyn Provider>,
    seed: u64,
    retries: u32,
) -> Result<Making, EnvError> {
    let goals = session.goals(session.root());
    let lemmas = session.lemmas_at(session.root(), planner.n_lemmas()).await;
    let mut making = Making { tries: Vec::new(), ended: Ended::Refused, usage: Usage::default() };
    let mut faulty = Vec::new();
    for number in 0..=retries {
        let request = PlanRequest {
            theorem,
            goals: &goals,
            lemmas: &lemmas,
            seed,
            number,
            faulty: &faulty,
            proven: &[],
            stuck: None,
            tried: &[],
        };
        let planned = match planner.plan(&request).await {
            Ok(planned) => planned,
            Err(error) => {
                making.ended = Ended::Failed(error.to_string());
                return Ok(making);
            }
        };
        making.usage += planned.usage;
        let (steps, wrong) = match planned.steps {
            Ok(steps) => {
                let faults = verify(session, theorem, &steps, refuter).await?;
                (steps, faults.iter().map(|fault| refused(fault, theorem)).collect())
            }
            Err(PlanFault::NoStep { .. }) => {
                making.tries.push(Try { answer: planned.answer, steps: Vec::new(), faulty: Vec::new() });
                making.ended = Ended::NoPlan;
                return Ok(making);
            }
            Err(fault) => (Vec::new(), vec![RefusedStep { step: String::new(), error: fault.to_string() }]),
        };
        tracing::info!("plan {}: {} steps, {} of them refused", number + 1, steps.len(), wrong.len());
        making.tries.push(Try { answer: planned.answer, steps: steps.clone(), faulty: wrong.clone() });
        if wrong.is_empty() {
            making.ended = Ended::Verified(steps);
            return Ok(making);
        }
        faulty = wrong;
    }
    Ok(making)
}

/// A fault, as the planner is told of it.
fn refused(fault: &StepFault, theorem: &Theorem) -> RefusedStep {
    let StepFault { number, step, fault } = fault;
    RefusedStep { step: step.tactic(theorem.system), error: format!("step {number}: {fault}") }
}
