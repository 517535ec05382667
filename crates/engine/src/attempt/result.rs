//! The result of an attempt, filled in from its search.

use andor_artifact::graft::{GraftOrigin, GraftRecord};
use andor_artifact::result::{AttemptResult, ModelUsage, Outcome, RejectedClaim, SpentRecord, TextPlace};
use andor_config::Clock;
use andor_core::policy::StopReason;
use andor_env::checker::Level;
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_provider::contract::Usage;

use super::AttemptRequest;
use crate::driver::Searched;

/// The result of an attempt that has found and spent nothing.
pub fn empty_result(request: &AttemptRequest) -> AttemptResult {
    let AttemptRequest { theorem, attempt, role, config, .. } = request;
    let system = theorem.system.name().to_owned();
    AttemptResult {
        statement_digest: theorem.digest(),
        config_digest: config.digest(),
        ..AttemptResult::empty(theorem.id.clone(), system, *attempt, *role, config.seed)
    }
}

/// Notes why an attempt ended.
pub fn note_stop(result: &mut AttemptResult, stop: StopReason) {
    result.stop_reason = stop.name().to_owned();
    result.stop_detail = stop.to_string();
}

/// Notes why the theorem could not be opened.
pub fn note_open_failure(result: &mut AttemptResult, error: &EnvError) {
    let refused = match error {
        EnvError::TheoremRefused { .. } => StopReason::Refused,
        EnvError::StatementAxioms { .. } => StopReason::Axioms,
        _ => {
            note_stop(result, StopReason::Infrastructure);
            result.infrastructure_error = Some(error.to_string());
            result.outcome = Outcome::InfrastructureError;
            return;
        }
    };
    if let EnvError::TheoremRefused { at: Some(place), .. } = error {
        result.refused_at = Some(TextPlace { line: place.line as u64, column: place.column as u64 });
    }
    note_stop(result, refused);
    // The message says what was refused, and why.
    result.stop_detail = error.to_string();
    result.outcome = Outcome::Refused;
}

pub(super) fn fill_in(
    result: &mut AttemptResult,
    searched: &Searched,
    session: &Session,
    request: &AttemptRequest,
    asked_planner: bool,
) {
    let counters = session.counters();
    result.assistant = Some(session.assistant().to_owned());
    note_stop(result, searched.stop);
    result.tree_digest = Some(searched.ledger.digest());
    // What is shared depends on other attempts.
    result.chance = asked_planner || searched.chance || result.sharing.is_some();
    result.root_status = searched.ledger.root_status();
    result.validated = validated(searched);
    result.rejected_claims.clone_from(&searched.rejected_claims);
    result.infrastructure_error.clone_from(&searched.failure);
    result.grafts.clone_from(&searched.grafts);
    result.plan.clone_from(&searched.plan);
    result.spent = SpentRecord {
        iterations: searched.spent.iterations,
        expansions: searched.spent.expansions,
        nodes: searched.spent.nodes,
        explored_nodes: searched.ledger.n_explored(),
        candidates: searched.spent.candidates,
        previews: counters.previews,
        memo_hits: counters.memo_hits,
        over_time: counters.over_time,
        over_cpu: counters.over_cpu,
        replayed_tactics: counters.replayed_tactics,
        workers_started: counters.workers_started,
        workers_reused: counters.workers_reused,
        workers_lost: counters.workers_lost,
        workers_recycled: counters.workers_recycled,
        replays_diverged: searched.tally.replays_diverged,
        blocked: searched.tally.refusals.values().sum(),
        duplicates: searched.tally.duplicates,
        passes: searched.tally.passes,
        collisions: searched.tally.collisions,
        unanswered: searched.tally.unanswered.values().sum(),
        model: model_usage(&searched.tally.usage),
    };
    result.refusals.clone_from(&searched.tally.refusals);
    let is_from_cache = |graft: &GraftRecord| graft.origin == GraftOrigin::Cache && graft.cuts.is_empty();
    result.from_cache = searched.proof.is_some() && result.grafts.iter().any(is_from_cache);
    result.agent_iterations = searched.ledger.agent_iterations();
    let virtual_time = searched.spent.virtual_time;
    result.virtual_ms = (request.config.clock == Clock::Virtual).then_some(virtual_time.as_secs_f64() * 1e3);
    result.outcome = match (&searched.proof, searched.stop) {
        (Some(_), StopReason::Proved) => Outcome::Accepted,
        (Some(_), _) => Outcome::Claimed,
        (None, stop) => outcome_without_proof(stop, &result.rejected_claims),
    };
    if result.outcome == Outcome::NotProved && is_untried(result, searched.stop) {
        result.outcome = Outcome::InfrastructureError;
        let why = match searched.stop {
            StopReason::Exhausted => "nothing was proposed",
            _ => result.stop_detail.as_str(),
        };
        result.infrastructure_error = Some(format!("no tactic was run: {why}"));
    }
    if searched.proof.is_none() {
        result.closest = Some(searched.ledger.closest());
    }
    if let Some(found) = &searched.proof {
        let verified = found.accepted.as_ref();
        result.verification_level = Some(verified.map_or(Level::Claimed, |a| a.level).number());
        result.verification_shortfall = verified.and_then(|a| a.shortfall.clone());
        result.axioms = verified.map(|a| a.axioms.clone()).unwrap_or_default();
        let trust = verified.map(|a| a.trust.clone()).unwrap_or_default();
        result.statement_axioms = trust.statement_axioms.into();
        result.features = trust.features.into_iter().map(|f| f.name().to_owned()).collect();
        result.known_bugs = trust.bugs.into();
        result.libraries = trust.libraries.into();
        result.universes = trust.universes.into();
        result.kernels = trust.second_judge.kernels();
        result.second_judge = verified.map(|_| trust.second_judge.name().to_owned());
        result.second_judge_silence = trust.second_judge.silence().map(str::to_owned);
        result.proof_digest = Some(searched.ledger.proof_digest(&found.proof));
        result.proof_steps = searched.ledger.proof_steps(&found.proof);
        result.source = Some(found.claim.submission.clone());
        result.proof =
            Some(found.script.steps.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join("\n"));
        if result.outcome == Outcome::Accepted {
            result.preference_pairs = searched.ledger.preference_pairs(&found.proof);
        }
    }
}

/// The record of what answers of language models cost.
pub fn model_usage(usage: &Usage) -> ModelUsage {
    ModelUsage {
        questions: usage.questions,
        requests: usage.requests,
        retries: usage.retries,
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        waited_ms: usage.waited.as_secs_f64() * 1e3,
        cost: usage.cost_micros as f64 / 1e6,
    }
}

/// Whether no tactic was run, though none was forbidden: then an end says nothing about the theorem.
fn is_untried(result: &AttemptResult, stop: StopReason) -> bool {
    let SpentRecord { previews, memo_hits, blocked, .. } = result.spent;
    let is_limited = matches!(stop, StopReason::Iterations(_) | StopReason::Blocked);
    previews == 0 && memo_hits == 0 && blocked == 0 && !is_limited
}

/// Whether the checker accepted the last claim; `None` if it judged no claim, or failed at the last one.
fn validated(searched: &Searched) -> Option<bool> {
    match &searched.proof {
        Some(found) => found.accepted.is_some().then_some(true),
        None => (!searched.rejected_claims.is_empty()).then_some(false),
    }
}

/// The outcome of an attempt that ended so, and whose claims were all rejected.
pub fn outcome_without_proof(stop: StopReason, rejected: &[RejectedClaim]) -> Outcome {
    match stop {
        StopReason::Infrastructure => Outcome::InfrastructureError,
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Refused | StopReason::Axioms => Outcome::Refused,
        _ if rejected.iter().any(|claim| claim.allow_axioms.is_some()) => Outcome::AxiomNotAllowed,
        _ => Outcome::NotProved,
    }
}
