//! Proofs as sequences of tactics, each of which applies to the first open goal.
//!
//! The proof from an AND/OR search is a tree. Its steps are listed depth first, with the children of a step in the
//! order of their goals, and a shared subproof is repeated: the order of the script, without bullets and braces. The
//! prover then decides whether the list is a proof, in a session whose obligations are whole proof states. If coupled
//! goals are not adjacent in the list of goals, it is not a proof, and it is left out.

use std::sync::Arc;

use andor_artifact::trace::AttemptOutcome;
use andor_core::signature::{Commutative, signatures};
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Obligation, Session};

use super::recorded::{Recorded, Step};
use super::replay::{Again, Counts, failed, preview};
use super::rows::{Origin, Rows};
use super::table::{Cell, Row};

/// The accepted proof, with all tactics labelled true; and, for each tactic that failed along it, the prefix of the
/// proof followed by that tactic, labelled false.
pub(super) async fn of_proof(
    session: &Arc<Session>,
    commutative: &Commutative,
    recorded: &Recorded,
    origin: &Origin<'_>,
) -> Result<Rows, EnvError> {
    let prompt = Cell::Text(origin.prompt(&session.goals(session.root())));
    let row = |tactics: Vec<String>, labels: Vec<bool>, step: Option<&Step>| -> Row {
        let node = step.map(|step| recorded.nodes[recorded.trials[step.trial].node].id.as_str());
        let read = [prompt.clone(), Cell::Texts(tactics), Cell::Truths(labels)];
        origin.row(read, step.map(|step| step.id.as_str()), node)
    };
    let (line, failures) = (in_order(recorded), recorded.failures());
    let mut counts = Counts::default();
    let mut rows = Vec::new();
    let mut tactics: Vec<String> = Vec::new();
    let mut place = Some(session.root());
    for step in &line {
        let won = &recorded.trials[step.trial];
        let here = match place {
            Some(here) if won.agreed && stands(session, here, commutative, recorded, won.node) => here,
            _ => break,
        };
        for failure in failures.get(&won.node).into_iter().flatten() {
            let tried = preview(session, here, &failure.tactic).await?;
            let again = tried.map_or(Again::Otherwise, |tried| failed(&tried.attempted, failure.outcome));
            counts.note(&again);
            if let Again::Failed = again {
                let with = tactics.iter().cloned().chain([failure.tactic.trim().to_owned()]).collect();
                let labels = (0..=tactics.len()).map(|at| at < tactics.len()).collect();
                rows.push(row(with, labels, Some(step)));
            }
        }
        let Some(mut tried) = preview(session, here, &won.tactic).await? else { break };
        let Attempted::Applied { .. } = &*tried.attempted else { break };
        debug_assert_eq!(won.outcome, AttemptOutcome::Success, "steps are tactics that succeeded");
        place = session.commit(&mut tried).obligations.first().copied();
        tactics.push(won.tactic.trim().to_owned());
    }
    counts.replayed += tactics.len() as u64;
    counts.left_out += (line.len() - tactics.len()) as u64;
    if tactics.len() < line.len() || place.is_some() {
        // The sequence does not prove the theorem, so no tactic is known to be right.
        counts.left_out += std::mem::take(&mut counts.replayed);
        rows.clear();
    } else {
        let labels = vec![true; tactics.len()];
        rows.push(row(tactics, labels, None));
    }
    Ok(Rows { rows, counts, unsuited: 0 })
}

/// The steps of the proof in the order of its script.
fn in_order(recorded: &Recorded) -> Vec<&Step> {
    let mut line = Vec::new();
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        let proof_step = &recorded.proof[at];
        line.push(&recorded.steps[proof_step.step]);
        stack.extend(proof_step.children.iter().rev());
    }
    line
}

/// Whether the goals of a node are the first ones of a state.
fn stands(
    session: &Session,
    here: Obligation,
    commutative: &Commutative,
    recorded: &Recorded,
    node: usize,
) -> bool {
    let (goals, node) = (session.goals(here), &recorded.nodes[node]);
    goals.get(..node.goals).is_some_and(|g| signatures(g, commutative).strict.to_string() == node.strict)
}
