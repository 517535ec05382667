//! A recorded search, of which the proof assistant is asked again.

use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome, ProofStep};
use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_core::tree::Status;
use andor_engine::attempt::Means;
use andor_engine::interactive::Step;
use andor_model::Prices;
use serde::Deserialize as _;
use serde_json::Value;

use super::attempt::{open, settings};
use super::record::{note_spent, note_tree, preferences, recorded_nodes};
use super::{Proof, Saved};
use crate::environment::EnvironmentError;
use crate::journal::{Recorded, conversation};
use crate::tree::{Key, Node, NodeId, Tree};

/// What a journal and the result of its attempt say differently.
pub fn contradictions(
    theorem: &Theorem,
    config: &Config,
    result: &AttemptResult,
    recorded: &Recorded,
) -> Vec<String> {
    let Recorded { settings: begun_with, tree, .. } = recorded;
    let mut found = Vec::new();
    let expected = settings(theorem, config);
    for (key, value) in expected.as_object().into_iter().flatten() {
        if begun_with[key] != *value {
            found.push(format!("{key}: {} by the journal, {value} by the run", begun_with[key]));
        }
    }
    if result.tree_digest.is_none() && !result.outcome.is_final() {
        // It failed before it came to the search, which an earlier start had left.
        return found;
    }
    let noted = noted(result, recorded);
    for (what, in_journal, in_run) in [
        ("tree_digest", &noted.tree_digest, &result.tree_digest),
        ("the proof", &noted.proof, &result.proof),
        ("the source", &noted.source, &result.source),
    ] {
        if in_journal != in_run {
            let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
            found.push(format!("{what}: {} by the journal, {} by run.db", text(in_journal), text(in_run)));
        }
    }
    let (ours, theirs) = (&noted.spent, &result.spent);
    for (what, in_journal, in_run) in [
        ("iterations", ours.iterations, theirs.iterations),
        ("nodes", ours.nodes, theirs.nodes),
        ("expansions", ours.expansions, theirs.expansions),
        ("explored_nodes", ours.explored_nodes, theirs.explored_nodes),
        ("questions", ours.model.questions, theirs.model.questions),
        ("requests", ours.model.requests, theirs.model.requests),
        ("prompt_tokens", ours.model.prompt_tokens, theirs.model.prompt_tokens),
        ("completion_tokens", ours.model.completion_tokens, theirs.model.completion_tokens),
    ] {
        if in_journal != in_run {
            found.push(format!("{what}: {in_journal} by the journal, {in_run} by run.db"));
        }
    }
    if noted.rejected_claims != result.rejected_claims {
        found.push("rejected_claims are not those of the journal".to_owned());
    }
    let is_solved = tree.solution().is_some();
    let says_so = result.outcome == Outcome::Accepted;
    if is_solved != says_so && !(is_solved && result.outcome == Outcome::InfrastructureError) {
        let said = if says_so { "accepted" } else { "not accepted" };
        let found_one = if is_solved { "a solution" } else { "no solution" };
        found.push(format!("the journal has {found_one}, and by run.db the attempt's proof is {said}"));
    }
    if (result.root_status == Status::Proved) != says_so {
        found.push("root_status is not that of the outcome".to_owned());
    }
    found
}

/// A result with all that follows from the journal as the journal has it.
fn noted(result: &AttemptResult, Recorded { tree, steps, .. }: &Recorded) -> AttemptResult {
    let mut noted =
        AttemptResult { rejected_claims: Vec::new(), proof: None, source: None, ..result.clone() };
    note_tree(&mut noted, tree, *steps);
    note_spent(&mut noted, tree, &recorded_nodes(tree), &Prices::default());
    if let Some(verified) = tree.solution().and_then(|key| saved(tree.node(key)).ok()?.verified) {
        noted.proof = Some(verified.tactics.join("\n"));
        noted.source = Some(verified.source);
    }
    noted
}

fn saved(node: &Node<Value>) -> Result<Saved, String> {
    let state = node.state().expect("what is read is in memory");
    Saved::deserialize(&state["environment"]).map_err(|error| format!("its proof cannot be read: {error}"))
}

/// Makes the proof of each node again, and compares what the journal and the result say of it: goals, scores, feedback and
/// proofs. What searches by the agent's tools found goals to be worth is taken as recorded. Returns what does not hold.
///
/// # Errors
///
/// The theorem cannot be opened, or the proof assistant fails.
pub async fn again(
    theorem: &Theorem,
    config: &Config,
    means: &Means,
    result: &AttemptResult,
    tree: &Tree<Value>,
) -> Result<Vec<String>, EnvironmentError> {
    let beginning = open(theorem, config, means).await?;
    let session = Arc::clone(beginning.proof().session());
    let mut found = Vec::new();
    let told = conversation(tree, Key::ROOT).unwrap_or_default();
    if told.get(1) != Some(&beginning.task()[1]) {
        found.push("node 0: the agent was given another theorem, or other goals".to_owned());
    }
    let mut before: Vec<Saved> = Vec::with_capacity(tree.len());
    for (key, node) in tree.nodes() {
        let mut of_node = |id: NodeId, what: String| found.push(format!("node {id}: {what}"));
        match saved(node) {
            Ok(saved) => {
                if let Some(parent) = node.parent()
                    && let Some(what) = forgotten(&before[parent.index()], &saved)
                {
                    of_node(tree.id(key), what);
                }
                let solves = tree.solution() == Some(key);
                for what in contradictions_at(&beginning, node, &saved, solves.then_some(result)).await? {
                    of_node(tree.id(key), what);
                }
                before.push(saved);
            }
            Err(what) => {
                of_node(tree.id(key), what);
                before.push(Saved::default());
            }
        }
    }
    session.close();
    Ok(found)
}

/// What a proof has forgotten of what its parent knew.
fn forgotten(above: &Saved, own: &Saved) -> Option<String> {
    // The oldest failures are dropped once there are many.
    let keeps = |dropped: usize| own.failed.starts_with(&above.failed[dropped..]);
    if !(0..=above.failed.len())
        .any(|dropped| keeps(dropped) && (dropped == 0 || own.failed.len() >= above.failed.len()))
    {
        return Some("tactics that failed before are missing".to_owned());
    }
    (!own.rejected.starts_with(&above.rejected))
        .then(|| "claims that were rejected before are missing".to_owned())
}

/// What the proof assistant says of a node otherwise than the journal and, if it is the solution, the result.
async fn contradictions_at(
    beginning: &Proof,
    node: &Node<Value>,
    saved: &Saved,
    result: Option<&AttemptResult>,
) -> Result<Vec<String>, EnvironmentError> {
    let steps: Vec<Step> = saved
        .steps
        .iter()
        .map(|(place, tactic)| Step { place: *place, tactic: tactic.as_str().into() })
        .collect();
    let mut proof = beginning.beginning.clone();
    if let Err(why) = proof.redo(&steps).await? {
        return Ok(vec![format!("its proof cannot be made again: {why}")]);
    }
    let is_complete = proof.obligations().is_empty();
    if is_complete != (saved.verified.is_some() || saved.is_rejected) {
        let left = if is_complete { "no goal is left, and no verdict is recorded" } else { "goals are left" };
        return Ok(vec![format!("{left} of its proof")]);
    }
    let again = beginning.with(proof, saved.clone());
    let mut found = Vec::new();
    if let Some(verified) = &saved.verified {
        let tactics: Vec<&str> = saved.steps.iter().map(|(_, tactic)| tactic.as_str()).collect();
        if verified.tactics != tactics || verified.source != again.proof.source() {
            found.push("the accepted proof is not that of its steps".to_owned());
        }
    }
    let (verdict, recorded) = (again.verdict(), node.verdict());
    if verdict.score != recorded.score {
        let score = |score: Option<f64>| score.map_or("none".to_owned(), |score| score.to_string());
        found.push(format!(
            "its score is {}, and computed again {}",
            score(recorded.score),
            score(verdict.score)
        ));
    }
    if (verdict.valid, verdict.terminal) != (recorded.valid, recorded.terminal) {
        found.push("whether it is a solution is not what its proof says".to_owned());
    }
    if verdict.feedback != recorded.feedback {
        found.push("what the agent is told of it is not what its proof says".to_owned());
    }
    if let Some(result) = result {
        let steps = again.steps_with_goals().await?;
        let same = |a: &ProofStep, b: &ProofStep| (&a.state, &a.tactic) == (&b.state, &b.tactic);
        let recorded = &result.proof_steps;
        if steps.len() != recorded.len() || !steps.iter().zip(recorded).all(|(a, b)| same(a, b)) {
            found.push("proof_steps of run.db are not those of its proof".to_owned());
        }
        if preferences(&steps, &saved.failed) != result.preference_pairs {
            found.push("preference_pairs of run.db are not those of its proof".to_owned());
        }
    }
    Ok(found)
}
