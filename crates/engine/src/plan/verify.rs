//! Checks that a plan makes sense before anything is searched: every step must be stated in order, in the theorem's
//! context. Nothing is proved by it.

use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::plan::PlanStep;
use andor_core::signature::StrictGoalSig;
use andor_core::theorem::{System, Theorem};
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Obligation, Session};
use andor_provider::contract::{Provider, Request, tidy};

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The assistant rejects the statement.
    #[error("{0}")]
    Rejected(String),
    /// The statement has holes that the assistant cannot fill.
    #[error("the statement leaves something undetermined; give the types")]
    Undetermined,
    /// It is what is to be proved.
    #[error("this is the theorem itself; state something that leads to it")]
    Theorem,
    /// It is `True`.
    #[error("this is trivial; leave it out")]
    Trivial,
    /// It is a hypothesis already, or an earlier step.
    #[error("this is the hypothesis `{0}` already; leave it out")]
    Known(String),
    /// Its name is taken.
    #[error("the name `{0}` is taken; choose another")]
    NameTaken(String),
    /// It is the step that could not be proved, first after the proved ones again.
    #[error("this could not be proved; put steps before it from which it follows")]
    Stuck,
    /// Its negation has been proved.
    #[error("this is false: its negation is proved by `{0}`; state something that holds")]
    Refuted(String),
}

/// A step that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepFault {
    /// The number of the step, from 1.
    pub number: usize,
    /// The step.
    pub step: PlanStep,
    /// Why.
    pub fault: Fault,
}

/// The number of tactics that are tried to refute a step.
const REFUTATION: usize = 200;
/// The greatest number of tactics in a row in a refutation.
const DEPTH: usize = 5;

/// Checks the steps of a plan in order, and returns what is wrong with them: all faults up to the first step that the
/// assistant rejects. With `refuter`, tries to prove each step's negation by its tactics.
///
/// # Errors
///
/// The assistant fails.
pub async fn verify(
    session: &Arc<Session>,
    theorem: &Theorem,
    steps: &[PlanStep],
    refuter: Option<&dyn Provider>,
) -> Result<Vec<StepFault>, EnvError> {
    verify_after(session, theorem, steps, refuter, 0, None).await
}

/// The same for a plan that mends another. `proven` steps at its beginning are proved; the next one must not be `stuck`.
pub(super) async fn verify_after(
    session: &Arc<Session>,
    theorem: &Theorem,
    steps: &[PlanStep],
    refuter: Option<&dyn Provider>,
    proven: usize,
    stuck: Option<StrictGoalSig>,
) -> Result<Vec<StepFault>, EnvError> {
    let target = session.goals(session.root()).first().map(|goal| goal.target.text.clone());
    let mut faults = Vec::new();
    let mut at = session.root();
    let mut is_refuted = false;
    for (index, step) in steps.iter().enumerate() {
        let mut note = |fault| faults.push(StepFault { number: index + 1, step: step.clone(), fault });
        let goals = session.goals(at);
        let Some(goal) = goals.first() else { break };
        if goal.locals().any(|(name, _)| name == step.name) {
            note(Fault::NameTaken(step.name.clone()));
        }
        let stated = match state(session, at, step, theorem.system).await? {
            Ok(stated) => stated,
            Err(fault) => {
                note(fault);
                break;
            }
        };
        let subgoals = session.goals(stated.subgoal);
        let text = subgoals.first().map_or("", |goal| goal.target.text.as_str());
        if index < proven {
            // It was checked before.
        } else if index == proven && stuck == Some(session.signatures(stated.subgoal).strict) {
            note(Fault::Stuck);
        } else if Some(text) == target.as_deref() {
            note(Fault::Theorem);
        } else if text == "True" {
            note(Fault::Trivial);
        } else if let Some(name) = hypothesis(goal, text) {
            note(Fault::Known(name));
        } else if let Some(refuter) = refuter.filter(|_| !is_refuted)
            && let Some(proof) = refutation(session, theorem, at, step, refuter).await?
        {
            // With a false hypothesis at hand, everything could be refuted.
            is_refuted = true;
            note(Fault::Refuted(proof));
        }
        at = stated.rest;
    }
    Ok(faults)
}

/// The obligations that a step leaves.
struct Stated {
    subgoal: Obligation,
    rest: Obligation,
}

async fn state(
    session: &Arc<Session>,
    at: Obligation,
    step: &PlanStep,
    system: System,
) -> Result<Result<Stated, Fault>, EnvError> {
    let tactic = step.tactic(system);
    let mut preview = session.lease(at).preview(&tactic).await?;
    match &*preview.attempted {
        Attempted::Applied { .. } => {}
        Attempted::Rejected { message, .. } => return Ok(Err(Fault::Rejected(message.clone()))),
        Attempted::Screened { refusal } => return Ok(Err(Fault::Rejected(refusal.to_string()))),
        Attempted::OverTime { limit } => {
            return Ok(Err(Fault::Rejected(format!("it was not understood within {limit}"))));
        }
        Attempted::Crashed { message } => {
            return Ok(Err(Fault::Rejected(format!("the assistant crashed: {message}"))));
        }
    }
    let obligations = session.commit(&mut preview).obligations;
    let has_step = |at: &Obligation| {
        session.goals(*at).iter().any(|goal| goal.locals().any(|(name, _)| name == step.name))
    };
    Ok(match obligations[..] {
        [a, b] if has_step(&b) => Ok(Stated { subgoal: a, rest: b }),
        [a, b] if has_step(&a) => Ok(Stated { subgoal: b, rest: a }),
        _ => Err(Fault::Undetermined),
    })
}

fn hypothesis(goal: &Goal, text: &str) -> Option<String> {
    goal.locals().find(|(_, local)| local.ty.text == text).map(|(name, _)| name.to_owned())
}

/// A proof of the negation of a step, if the provider's tactics find one soon.
async fn refutation(
    session: &Arc<Session>,
    theorem: &Theorem,
    at: Obligation,
    step: &PlanStep,
    provider: &dyn Provider,
) -> Result<Option<String>, EnvError> {
    let negation = PlanStep {
        name: format!("not_{}", step.name),
        statement: theorem.system.language().not(&step.statement),
    };
    let Ok(stated) = state(session, at, &negation, theorem.system).await? else { return Ok(None) };
    let mut left = REFUTATION;
    let proof = prove(session, theorem, stated.subgoal, provider, &mut left, DEPTH).await?;
    Ok(proof.map(|tactics| tactics.join("; ")))
}

/// The tactics of a proof, found depth-first; `None` if there is none within the bounds.
async fn prove(
    session: &Arc<Session>,
    theorem: &Theorem,
    at: Obligation,
    provider: &dyn Provider,
    left: &mut usize,
    depth: usize,
) -> Result<Option<Vec<String>>, EnvError> {
    if depth == 0 {
        return Ok(None);
    }
    let goals = session.goals(at);
    let Ok(suggestions) = provider.suggest(Request::new(theorem, &goals)).await else { return Ok(None) };
    let Ok(suggestions) = tidy(provider.id(), suggestions) else { return Ok(None) };
    for candidate in suggestions.candidates {
        if *left == 0 {
            return Ok(None);
        }
        *left -= 1;
        let mut preview = session.lease(at).preview(&candidate.tactic).await?;
        let Attempted::Applied { children, .. } = &*preview.attempted else { continue };
        let key = session.signatures(at).key;
        if children.iter().any(|child| child.signatures.key == key) {
            continue;
        }
        let obligations = session.commit(&mut preview).obligations;
        let mut proof = vec![candidate.tactic];
        let mut is_proved = true;
        for child in obligations {
            match Box::pin(prove(session, theorem, child, provider, left, depth - 1)).await? {
                Some(rest) => proof.extend(rest),
                None => {
                    is_proved = false;
                    break;
                }
            }
        }
        if is_proved {
            return Ok(Some(proof));
        }
    }
    Ok(None)
}
