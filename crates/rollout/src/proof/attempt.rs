//! An attempt of an agent at a theorem: a search over its states, and the record of what came of it.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::files::{FileError, write_bytes};
use andor_artifact::result::AttemptResult;
use andor_config::AgentConfig;
use andor_core::policy::StopReason;
use andor_engine::attempt::{
    AttemptRequest, Means, broken_off, empty_result, note_open_failure, note_stop, outcome_without_proof,
    proof_file,
};
use andor_engine::event::{AgentStep, Event, Sink};
use andor_engine::interactive::Interactive;
use andor_engine::models::Acting;
use andor_engine::registry;
use andor_model::{Answer, Model, ModelError, Request};
use andor_provider::contract::Provider as _;
use andor_provider::heuristic::Heuristic;
use async_trait::async_trait;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::record::{
    note_counters, note_failure, note_solution, note_spent, note_tree, recorded_nodes, spent,
};
use super::search::{agent, preset};
use super::{Parts, Proof, Verdicts};
use crate::agent::AgentState;
use crate::journal::{self, Agents, Journal, JournalError};
use crate::search::Search;
use crate::tree::{Child, Tree, VerifyResult};

/// The file of an attempt's folder with the search over the agent's states.
pub const JOURNAL: &str = "rollout.jsonl";

/// How much of a tree is kept in memory.
const MEMORY_BYTES: u64 = 1 << 30;

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

/// Why a search did not end by itself.
enum Stopped {
    Cancelled,
    TimeUp(Duration),
    Failed(String),
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
        opened = open(request, means) => match opened {
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
    let noting = Arc::new(Noting { model: Arc::clone(&acting.model), asked: Mutex::default() });
    let acting = Acting { model: Arc::clone(&noting) as Arc<dyn Model>, ..acting.clone() };
    let (told, mut steps) = unbounded_channel();
    let search = preset(agent(&config, &acting), &config, &request.config.budget, request.config.seed);
    let search = telling(search, told);
    let root = root(&proof);
    let journal = match &request.directory {
        Some(folder) => match opened(&folder.join(JOURNAL), request, &config, &proof, root.clone()).await {
            Ok(journal) => Some(journal),
            Err(error) => return failed(result, &session, error),
        },
        None => None,
    };
    let mut journal = journal.map(|journal| journal.limit_memory(MEMORY_BYTES));

    let searched = {
        let searching = async {
            match &mut journal {
                Some(journal) => search.run_in(journal).await,
                None => search.run(root).await,
            }
        };
        tokio::pin!(searching);
        loop {
            tokio::select! {
                biased;
                () = means.cancel.cancelled() => break Err(Stopped::Cancelled),
                Some(step) = steps.recv() => sink.event(id, &Event::AgentStep(step)),
                searched = &mut searching => break searched.map_err(|error| Stopped::Failed(chain(&error))),
                () = &mut time_up => break Err(Stopped::TimeUp(time.unwrap_or_default())),
            }
        }
    };
    drop(search);
    let searched = match searched {
        Ok(searched) => searched,
        Err(stopped) => {
            match stopped {
                Stopped::Cancelled => result = ended(result, StopReason::Interrupted),
                Stopped::TimeUp(time) => result = ended(result, StopReason::Time(time)),
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
    result.outcome = outcome_without_proof(stop);
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

/// An error with all its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

async fn open(request: &AttemptRequest, means: &Means) -> Result<Proof, andor_env::error::EnvError> {
    let mut theorem = request.theorem.clone();
    let imports = means.provider.imports(&theorem).into_iter().chain(Heuristic.imports(&theorem));
    for import in imports.collect::<Vec<_>>() {
        if !theorem.extra_imports.contains(&import) {
            theorem.extra_imports.push(import);
        }
    }
    let system = theorem.system;
    let proof = Interactive::begin(Arc::clone(&means.workers), theorem, &request.config).await?;
    let parts = Parts {
        config: request.config.clone(),
        provider: Arc::clone(&means.provider),
        ranker: means.ranker.clone(),
        latencies: means.latencies.clone(),
        filter: registry::tactic_filter(system, &request.config),
        verdicts: Verdicts::default(),
    };
    Ok(Proof::new(proof, Arc::new(parts)))
}

fn root(proof: &Proof) -> Child<AgentState> {
    Child::new(AgentState::new(proof.task(), Arc::new(proof.clone())), VerifyResult::scored(0.0))
}

/// The journal of the attempt: the one that is there, or a new one if there is none or it is of another search.
async fn opened(
    path: &Path,
    request: &AttemptRequest,
    config: &AgentConfig,
    proof: &Proof,
    root: Child<AgentState>,
) -> Result<Journal<AgentState>, JournalError> {
    let of_search = AgentConfig { max_steps: None, parallel: None, ..config.clone() };
    let settings = json!({
        "theorem": request.theorem.id,
        "statement_digest": request.theorem.digest(),
        "seed": request.config.seed,
        "agent": of_search,
    });
    let codec = || Agents { environment: Arc::new(proof.clone()) };
    if has_root(path) {
        let journal = Journal::open(path, codec())?;
        if journal.settings() == &settings {
            return Ok(journal);
        }
        tracing::warn!("{}: it is of a search with other settings, and replaced", path.display());
    }
    if path.exists() {
        fs_err::remove_file(path)?;
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    Journal::create(path, codec(), settings, root).await
}

/// Whether a journal has its first two lines: without them its program was killed before the search began.
fn has_root(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.iter().filter(|byte| **byte == b'\n').take(2).count() == 2)
}

/// The search, which also tells of each step.
fn telling(search: Search<AgentState>, told: UnboundedSender<AgentStep>) -> Search<AgentState> {
    let Search { prune, .. } = search;
    let prune = Box::new(move |tree: &Tree<AgentState>| {
        let best = tree.nodes().filter_map(|(_, node)| node.score()).max_by(f64::total_cmp);
        let step = AgentStep { nodes: tree.len() as u64, tokens: tree.cost(), best };
        // Nobody listens any more once the attempt has ended.
        let _ = told.send(step);
        prune(tree)
    });
    Search { prune, ..search }
}

/// A model that remembers whether it ever answered.
#[derive(Debug)]
struct Noting {
    model: Arc<dyn Model>,
    asked: Mutex<Asked>,
}

#[derive(Debug, Default)]
struct Asked {
    answered: bool,
    refused: Option<ModelError>,
}

impl Noting {
    /// Why it refused, if it never answered.
    fn refused(&self) -> Option<ModelError> {
        let asked = self.asked.lock().expect("nothing panics with the lock");
        asked.refused.clone().filter(|_| !asked.answered)
    }
}

#[async_trait]
impl Model for Noting {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn ask(&self, request: &Request) -> Result<Answer, ModelError> {
        let answer = self.model.ask(request).await;
        let mut asked = self.asked.lock().expect("nothing panics with the lock");
        match &answer {
            Ok(_) => asked.answered = true,
            Err(error) => asked.refused = Some(error.clone()),
        }
        drop(asked);
        answer
    }
}
