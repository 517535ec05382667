//! Asks a planner until a plan holds.

use std::sync::Arc;

use andor_core::plan::PlanStep;
use andor_core::signature::StrictGoalSig;
use andor_core::theorem::{System, Theorem};
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_provider::contract::{Provider, Usage};
use andor_provider::plan::parse::PlanFault;
use andor_provider::plan::{PlanRequest, Planner, RefusedStep};

use super::verify::{StepFault, verify_after};

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

/// What is known of an earlier plan.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Steps that are proved. They stay at the beginning.
    pub proven: Vec<PlanStep>,
    /// The step after them that could not be proved, with the signature of what is to be proved there.
    pub stuck: Option<(PlanStep, StrictGoalSig)>,
    /// What was tried there, and what came of it.
    pub tried: Vec<RefusedStep>,
    /// How many plans the planner was asked for before.
    pub asked: u32,
}

/// Asks for a plan of the theorem, at most `1 + retries` times: again only if a plan was wrong, since asking again does
/// not make a model answer that refused to. What was wrong is part of the next request. A plan that mends an earlier one
/// is wrong, too, if it changes the proved steps, adds nothing after them, or has the stuck step there.
///
/// # Errors
///
/// The assistant fails.
pub async fn make(
    session: &Arc<Session>,
    theorem: &Theorem,
    planner: &Planner,
    refuter: Option<&dyn Provider>,
    earlier: &Earlier,
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
            number: earlier.asked.saturating_add(number),
            faulty: &faulty,
            proven: &earlier.proven,
            stuck: earlier.stuck.as_ref().map(|(step, _)| step),
            tried: &earlier.tried,
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
            Ok(steps) => match breach(&earlier.proven, &steps, theorem.system) {
                Some(breach) => (steps, vec![breach]),
                None => {
                    let stuck = earlier.stuck.as_ref().map(|(_, signature)| *signature);
                    let faults =
                        verify_after(session, theorem, &steps, refuter, earlier.proven.len(), stuck).await?;
                    (steps, faults.iter().map(|fault| refused(fault, theorem)).collect())
                }
            },
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

/// How a plan fails to go on from the proved steps.
fn breach(proven: &[PlanStep], steps: &[PlanStep], system: System) -> Option<RefusedStep> {
    let changed = proven.iter().enumerate().find(|&(index, kept)| steps.get(index) != Some(kept));
    if let Some((index, kept)) = changed {
        let number = index + 1;
        let step = steps.get(index).map(|step| step.tactic(system)).unwrap_or_default();
        let error = format!(
            "step {number}: `{}` is proved and must stay here, exactly as it is; nothing goes before it",
            kept.tactic(system)
        );
        return Some(RefusedStep { step, error });
    }
    let error = "nothing follows the proved steps; put new ones after them".to_owned();
    (!proven.is_empty() && steps.len() == proven.len()).then(|| RefusedStep { step: String::new(), error })
}

/// A fault, as the planner is told of it.
fn refused(fault: &StepFault, theorem: &Theorem) -> RefusedStep {
    let StepFault { number, step, fault } = fault;
    RefusedStep { step: step.tactic(theorem.system), error: format!("step {number}: {fault}") }
}
