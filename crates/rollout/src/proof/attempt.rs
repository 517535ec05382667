//! An attempt of an agent at a theorem: a search over its states, and the record of what came of it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use andor_artifact::files::{FileError, write_bytes};
use andor_artifact::result::AttemptResult;
use andor_config::Config;
use andor_core::policy::StopReason;
use andor_core::theorem::Theorem;
use andor_engine::attempt::{
    AttemptRequest, Means, broken_off, empty_result, note_open_failure, note_stop, outcome_without_proof,
    proof_file,
};
use andor_engine::event::{Event, Sink};
use andor_engine::interactive::Interactive;
use andor_engine::models::Acting;
use andor_engine::registry;
use andor_model::Model;
use andor_provider::contract::Provider as _;
use andor_provider::heuristic::Heuristic;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::record::{
    note_counters, note_failure, note_solution, note_spent, note_tree, recorded_nodes, spent,
};
use super::{Parts, Proof, Verdicts};
use crate::agent::AgentState;
use crate::attempt::{JOURNAL, Noting, Stopped, chain, of_search, opened, searched};
use crate::configured::{agent, preset};
use crate::journal::{self, JournalError};
use crate::tree::{Child, VerifyResult};

/// What an agent is told that calls no tool.
const REMINDER: &str = "Call a tool. If no goals are left, submit the proof.";

/// Makes an attempt with an agent. With a folder, the search is written to its journal as it goes on; one that is there
/// already is continued. Returns an error only if files cannot be written; every other failure, including a panic, is part
/// of the result.
pub fn attempt<'a>(
    request: &'a AttemptRequest,
    means: &'a Means,
    acting: &'a Acting,
    sink: &'a mut dyn Sink,
) -> BoxFuture<'a, Result<AttemptResult, FileError>> {
    let attempt = async move {
        let id = &request.theorem.id;
        let began = Instant::now();
        sink.event(id, &Event::AttemptStarted { attempt: request.attempt });
        // Unwinding is safe: the state of the attempt is dropped, and shared state does not depend on where it stopped.
        let made = AssertUnwindSafe(make(request, means, acting, sink, began)).catch_unwind().await;
        let mut result = match made {
            Ok(result) => result?,
            Err(panic) => broken_off(request, &*panic),
        };
        result.timing.total_ms = began.elapsed().as_secs_f64() * 1e3;
        sink.event(id, &Event::AttemptFinished(Box::new(result.clone())));
        Ok(result)
    };
    attempt.boxed()
}

async fn make(
    request: &AttemptRequest,
    means: &Means,
    acting: &Acting,
    sink: &mut dyn Sink,
    began: Instant,
) -> Result<AttemptResult, FileError> {
    let id = &request.theorem.id;
    let mut result = empty_result(request);
    let time = request.config.budget().time;
    let time_up = async {
        match time {
            Some(time) => tokio::time::sleep_until(began + time).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(time_up);
    let proof = tokio::select! {
        biased;
        () = means.cancel.cancelled() => return Ok(ended(result, StopReason::Interrupted)),
        opened = open(&request.theorem, &request.config, means) => match opened {
            Ok(proof) => proof,
            Err(error) => {
                note_open_failure(&mut result, &error);
                return Ok(result);
            }
        },
        () = &mut time_up => return Ok(ended(result, StopReason::Time(time.unwrap_or_default()))),
    };
    let session = Arc::clone(proof.proof().session());
    sink.event(id, &Event::Opened { assistant: session.assistant().to_owned() });
    result.assistant = Some(session.assistant().to_owned());

    let config = request.config.agent.clone().unwrap_or_default();
    let noting = Arc::new(Noting::new(Arc::clone(&acting.model)));
    let acting = Acting { model: Arc::clone(&noting) as Arc<dyn Model>, ..acting.clone() };
    let search =
        preset(agent(&config, &acting, REMINDER), &config, &request.config.budget, request.config.seed);
    let root = root(&proof);
    let settings = settings(&request.theorem, &request.config);
    let mut journal = match &request.directory {
        Some(folder) => match opened(&folder.join(JOURNAL), settings, root.clone()).await {
            Ok(journal) => Some(journal),
            Err(error) => return failed(result, &session, error),
        },
        None => None,
    };
    let mut told = |step| sink.event(id, &Event::AgentStep(step));
    let deadline = time.map(|time| began + time);
    let searched = searched(search, root, journal.as_mut(), &means.cancel, deadline, &mut told).await;
    let searched = match searched {
        Ok(searched) => searched,
        Err(stopped) => {
            match stopped {
                Stopped::Cancelled => result = ended(result, StopReason::Interrupted),
                Stopped::TimeUp => result = ended(result, StopReason::Time(time.unwrap_or_default())),
                Stopped::Failed(why) => {
                    result = ended(result, StopReason::Infrastructure);
                    result.infrastructure_error = Some(why);
                }
            }
            if let Some(folder) = &request.directory
                && let Ok(recorded) = journal::read(&folder.join(JOURNAL))
            {
                note_tree(&mut result, &recorded.tree, recorded.steps);
                let spent = recorded_nodes(&recorded.tree);
                note_spent(&mut result, &recorded.tree, &spent, &acting.prices);
            }
            note_counters(&mut result, &session);
            session.close();
            return Ok(result);
        }
    };
    let spent = spent(&searched, request.directory.as_deref()).await;
    let filled = async {
        note_tree(&mut result, &searched.tree, searched.steps);
        note_spent(&mut result, &searched.tree, &spent?, &acting.prices);
        note_counters(&mut result, &session);
        match searched.tree.solution() {
            Some(key) => note_solution(&mut result, &proof, &searched.tree, key, journal.as_mut()).await?,
            None => {
                let refused = noting.refused();
                note_failure(&mut result, &request.config.budget, &config, &searched, refused);
            }
        }
        Ok::<(), JournalError>(())
    };
    if let Err(error) = filled.await {
        return failed(result, &session, error);
    }
    if let (Some(folder), Some(source)) = (&request.directory, &result.source) {
        write_bytes(&folder.join(proof_file(request.theorem.system)), source.as_bytes())?;
    }
    session.close();
    Ok(result)
}

fn ended(mut result: AttemptResult, stop: StopReason) -> AttemptResult {
    note_stop(&mut result, stop);
    result.outcome = outcome_without_proof(stop, &result.rejected_claims);
    result
}

/// A journal that cannot be written ends the run; one that cannot be read, this attempt.
fn failed(
    result: AttemptResult,
    session: &andor_env::session::Session,
    error: JournalError,
) -> Result<AttemptResult, FileError> {
    session.close();
    match error {
        JournalError::Io(error) => Err(error.into()),
        JournalError::File(error) => Err(error),
        error => {
            let mut result = ended(result, StopReason::Infrastructure);
            result.infrastructure_error = Some(chain(&error));
            Ok(result)
        }
    }
}

/// What the journal of an attempt is begun with.
pub(super) fn settings(theorem: &Theorem, config: &Config) -> Value {
    json!({
        "theorem": theorem.id,
        "statement_digest": theorem.digest(),
        "seed": config.seed,
        "agent": of_search(&config.agent.clone().unwrap_or_default()),
    })
}

/// The proof of no tactic yet.
pub(super) async fn open(
    theorem: &Theorem,
    config: &Config,
    means: &Means,
) -> Result<Proof, andor_env::error::EnvError> {
    let mut theorem = theorem.clone();
    let imports = means.provider.imports(&theorem).into_iter().chain(Heuristic.imports(&theorem));
    for import in imports.collect::<Vec<_>>() {
        if !theorem.extra_imports.contains(&import) {
            theorem.extra_imports.push(import);
        }
    }
    let system = theorem.system;
    let proof = Interactive::begin(Arc::clone(&means.workers), theorem, config).await?;
    let parts = Parts {
        config: config.clone(),
        provider: Arc::clone(&means.provider),
        ranker: means.ranker.clone(),
        latencies: means.latencies.clone(),
        filter: registry::tactic_filter(system, config),
        verdicts: Verdicts::default(),
    };
    Ok(Proof::new(proof, Arc::new(parts)))
}

fn root(proof: &Proof) -> Child<AgentState> {
    Child::new(AgentState::new(proof.task(), Arc::new(proof.clone())), VerifyResult::scored(0.0))
}
