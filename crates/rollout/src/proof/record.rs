//! The record of what came of an agent's search.

use std::path::Path;
use std::time::Duration;

use andor_artifact::result::{AttemptResult, ModelUsage, Outcome, PreferencePair, ProofStep, RejectedClaim};
use andor_config::{AgentConfig, BudgetConfig};
use andor_core::policy::StopReason;
use andor_core::tree::Status;
use andor_engine::attempt::{note_stop, outcome_without_proof};
use andor_env::session::Session;
use andor_model::{ModelError, Prices, Usage};
use serde::Deserialize as _;
use serde_json::Value;

use super::{Failed, JOURNAL, Proof, Saved};
use crate::agent::AgentState;
use crate::attempt::saved;
use crate::environment::EnvironmentError;
use crate::journal::{self, Journal, JournalError};
use crate::search::{End, SearchResult};
use crate::tree::{Key, Tree};

/// What a node cost, and what became of its claims.
pub(super) struct Spent {
    usage: Usage,
    rejected: Vec<RejectedClaim>,
}

/// What the nodes cost, in their order. States that are not in memory are read from the journal.
pub(super) async fn spent(
    searched: &SearchResult<AgentState>,
    folder: Option<&Path>,
) -> Result<Vec<Spent>, JournalError> {
    if let Some(folder) = folder {
        return Ok(recorded_nodes(&journal::read(&folder.join(JOURNAL))?.tree));
    }
    let mut spent = Vec::new();
    for (key, node) in searched.tree.nodes() {
        let state = node.state().expect("without a journal all states are in memory");
        let saved = state.environment.serialize().await;
        let saved = saved.map_err(|source| JournalError::State { node: searched.tree.id(key), source })?;
        spent.push(Spent { usage: state.usage, rejected: rejected(&saved) });
    }
    Ok(spent)
}

pub(super) fn recorded_nodes(tree: &Tree<Value>) -> Vec<Spent> {
    let of_state = |state: &Value| Spent {
        usage: Usage::deserialize(&state["usage"]).unwrap_or_default(),
        rejected: rejected(&state["environment"]),
    };
    tree.nodes().filter_map(|(_, node)| node.state().map(|state| of_state(state))).collect()
}

fn rejected(environment: &Value) -> Vec<RejectedClaim> {
    Saved::deserialize(environment).map(|saved| saved.rejected).unwrap_or_default()
}

pub(super) fn note_tree<S>(result: &mut AttemptResult, tree: &Tree<S>, steps: u64) {
    result.tree_digest = Some(format!("{:016x}", tree.digest()));
    result.spent.iterations = steps;
    result.spent.nodes = tree.len() as u64;
    result.spent.expansions = (tree.len() - 1) as u64;
    result.spent.explored_nodes = tree.nodes().filter(|(_, node)| node.n_children() > 0).count() as u64;
}

pub(super) fn note_spent<S>(result: &mut AttemptResult, tree: &Tree<S>, spent: &[Spent], prices: &Prices) {
    let mut usage = Usage::default();
    for ((_, node), of_node) in tree.nodes().zip(spent) {
        let above = node.parent().map(|parent| &spent[parent.index()]);
        usage += of_node.usage - above.map(|above| above.usage).unwrap_or_default();
        let known = above.map_or(0, |above| above.rejected.len());
        result.rejected_claims.extend(of_node.rejected.iter().skip(known).cloned());
    }
    result.spent.model = ModelUsage {
        questions: usage.questions,
        requests: usage.requests,
        retries: usage.retries,
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        waited_ms: 0.0,
        cost: usage.cost(prices),
    };
    result.validated = (!result.rejected_claims.is_empty()).then_some(false);
}

pub(super) fn note_counters(result: &mut AttemptResult, session: &Session) {
    let counters = session.counters();
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let spent = &mut result.spent;
    spent.candidates = counters.previews + counters.memo_hits;
    spent.previews = counters.previews;
    spent.memo_hits = counters.memo_hits;
    spent.over_time = counters.over_time;
    spent.over_cpu = counters.over_cpu;
    spent.replayed_tactics = counters.replayed_tactics;
    spent.workers_started = counters.workers_started;
    spent.workers_reused = counters.workers_reused;
    spent.workers_lost = counters.workers_lost;
    spent.workers_recycled = counters.workers_recycled;
    let timing = &mut result.timing;
    timing.opening_ms = ms(counters.opening);
    timing.importing_ms = ms(counters.importing);
    timing.previewing_ms = ms(counters.previewing);
    timing.replaying_ms = ms(counters.replaying);
}

/// Fills in the proof of a solution.
pub(super) async fn note_solution(
    result: &mut AttemptResult,
    beginning: &Proof,
    tree: &Tree<AgentState>,
    key: Key,
    journal: Option<&mut Journal<AgentState>>,
) -> Result<(), JournalError> {
    let saved: Saved = saved(tree, key, journal).await?;
    let in_state = |source: EnvironmentError| JournalError::State { node: tree.id(key), source };
    let proof = beginning.restored(saved.clone()).await.map_err(in_state)?;
    result.proof_steps = proof.steps_with_goals().await.map_err(in_state)?;
    let Some(verified) = saved.verified else {
        return Err(in_state(EnvironmentError::new("the verdict on the solution is missing")));
    };
    note_stop(result, StopReason::Proved);
    result.outcome = Outcome::Accepted;
    result.validated = Some(true);
    result.root_status = Status::Proved;
    result.verification_level = Some(verified.level);
    result.verification_shortfall = verified.shortfall;
    result.axioms = verified.axioms;
    result.statement_axioms = verified.statement_axioms;
    result.features = verified.features;
    result.known_bugs = verified.known_bugs;
    result.libraries = verified.libraries;
    result.universes = verified.universes;
    result.kernels = verified.kernels;
    result.second_judge = verified.second_judge;
    result.second_judge_silence = verified.second_judge_silence;
    result.proof = Some(verified.tactics.join("\n"));
    result.source = Some(verified.source);
    result.preference_pairs = preferences(&result.proof_steps, &saved.failed);
    Ok(())
}

/// Each step of a proof against the tactics that failed in its state.
pub(super) fn preferences(steps: &[ProofStep], failed: &[Failed]) -> Vec<PreferencePair> {
    let of_step = |step: &ProofStep| {
        let here = failed.iter().filter(|failed| failed.goals == step.state);
        let pair = |failed: &Failed| PreferencePair {
            state: step.state.clone(),
            chosen: step.tactic.clone(),
            rejected: failed.tactic.clone(),
        };
        here.map(pair).collect::<Vec<_>>()
    };
    steps.iter().flat_map(of_step).collect()
}

/// Says why a search that ended found nothing.
pub(super) fn note_failure(
    result: &mut AttemptResult,
    budget: &BudgetConfig,
    config: &AgentConfig,
    searched: &SearchResult<AgentState>,
    refused: Option<ModelError>,
) {
    let over = |limit: Option<u64>, spent: u64| limit.filter(|limit| spent >= *limit);
    let (nodes, tokens) = (searched.tree.len() as u64, searched.tree.cost());
    let stop = match (searched.end, over(budget.max_nodes, nodes), over(budget.max_tokens_total, tokens)) {
        (End::Steps, ..) => StopReason::Iterations(config.max_steps()),
        (_, Some(nodes), _) => StopReason::Nodes(nodes),
        (_, None, Some(tokens)) => StopReason::Tokens(tokens),
        (_, None, None) => StopReason::Exhausted,
    };
    note_stop(result, stop);
    result.outcome = outcome_without_proof(stop, &result.rejected_claims);
    match stop {
        StopReason::Iterations(n) => {
            result.stop_detail = format!("the search made its {n} steps (raise --max-steps)")
        }
        StopReason::Exhausted => result.stop_detail = "every branch of the agent ended".to_owned(),
        _ => {}
    }
    // A model that never answered says nothing about the theorem.
    let answered = searched.tree.nodes().any(|(_, node)| node.cost() > 0);
    if let (Some(error), false) = (refused, answered) {
        note_stop(result, StopReason::Infrastructure);
        result.outcome = Outcome::InfrastructureError;
        let advice = "if its server cannot call tools, have the agent call them by text (--tool-calls text)";
        result.infrastructure_error = Some(format!("the model refused to answer: {error}; {advice}"));
    }
}
