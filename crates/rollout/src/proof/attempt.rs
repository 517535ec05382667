//! An attempt of an agent at a theorem: a search over its states, and the record of what came of it.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::files::{FileError, write_bytes};
use andor_artifact::result::{AttemptResult, ModelUsage, Outcome as Ended, PreferencePair, RejectedClaim};
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
use andor_model::{Answer, Model, ModelError, Request, Usage};
use andor_provider::contract::Provider as _;
use andor_provider::heuristic::Heuristic;
use async_trait::async_trait;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::search::{agent, preset};
use super::{Parts, Proof, Saved};
use crate::agent::AgentState;
use crate::environment::EnvironmentError;
use crate::journal::{self, Agents, Journal, JournalError};
use crate::search::{End, Search, SearchResult};
use crate::tree::{Child, Key, Tree, VerifyResult};

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
    let noting = Arc::new(Noting { model: Arc::clone(&acting.model), refused: Mutex::default() });
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
                let spent: Vec<Spent> = recorded_nodes(&recorded.tree);
                note_spent(&mut result, &recorded.tree, &spent, &acting);
            }
            note_counters(&mut result, &session);
            session.close();
            return Ok(result);
        }
    };
    let spent = spent(&searched, request.directory.as_deref()).await;
    let filled = async {
        note_tree(&mut result, &searched.tree, searched.steps);
        note_spent(&mut result, &searched.tree, &spent?, &acting);
        note_counters(&mut result, &session);
        match searched.tree.solution() {
            Some(key) => note_solution(&mut result, &proof, &searched.tree, key, journal.as_mut()).await?,
            None => note_failure(&mut result, request, &config, &searched, &noting),
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

/// What a node cost, and what became of its claims.
struct Spent {
    usage: Usage,
    rejected: Vec<RejectedClaim>,
}

/// What the nodes cost, in their order. States that are not in memory are read from the journal.
async fn spent(
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

fn recorded_nodes(tree: &Tree<Value>) -> Vec<Spent> {
    let of_state = |state: &Value| Spent {
        usage: Usage::deserialize(&state["usage"]).unwrap_or_default(),
        rejected: rejected(&state["environment"]),
    };
    tree.nodes().filter_map(|(_, node)| node.state().map(|state| of_state(state))).collect()
}

fn rejected(environment: &Value) -> Vec<RejectedClaim> {
    Saved::deserialize(environment).map(|saved| saved.rejected).unwrap_or_default()
}

fn note_tree<S>(result: &mut AttemptResult, tree: &Tree<S>, steps: u64) {
    result.tree_digest = Some(format!("{:016x}", tree.digest()));
    result.spent.iterations = steps;
    result.spent.nodes = tree.len() as u64;
    result.spent.expansions = (tree.len() - 1) as u64;
    result.spent.explored_nodes = tree.nodes().filter(|(_, node)| node.n_children() > 0).count() as u64;
}

fn note_spent<S>(result: &mut AttemptResult, tree: &Tree<S>, spent: &[Spent], acting: &Acting) {
    let mut usage = Usage::default();
    for ((_, node), of_node) in tree.nodes().zip(spent) {
        let above = node.parent().map(|parent| &spent[parent.index()]);
        usage += of_node.usage - above.map(|above| above.usage).unwrap_or_default();
        let known = above.map_or(0, |above| above.rejected.len());
        result.rejected_claims.extend(of_node.rejected.iter().skip(known).cloned());
    }
    result.spent.model = ModelUsage {
        requests: usage.requests,
        retries: usage.retries,
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        waited_ms: 0.0,
        cost: usage.cost(&acting.prices),
    };
    result.validated = (!result.rejected_claims.is_empty()).then_some(false);
}

fn note_counters(result: &mut AttemptResult, session: &andor_env::session::Session) {
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
async fn note_solution(
    result: &mut AttemptResult,
    beginning: &Proof,
    tree: &Tree<AgentState>,
    key: Key,
    journal: Option<&mut Journal<AgentState>>,
) -> Result<(), JournalError> {
    let state = match (tree.node(key).state(), journal) {
        (Some(state), _) => Arc::clone(state),
        (None, Some(journal)) => journal.state(tree, key).await?,
        (None, None) => unreachable!("without a journal all states are in memory"),
    };
    let in_state = |source: EnvironmentError| JournalError::State { node: tree.id(key), source };
    let saved = state.environment.serialize().await.map_err(in_state)?;
    let saved = Saved::deserialize(&saved).map_err(|error| in_state(EnvironmentError::new(error)))?;
    let proof = beginning.restored(saved.clone()).await.map_err(in_state)?;
    result.proof_steps = proof.steps_with_goals().await.map_err(in_state)?;
    let Some(verified) = saved.verified else {
        return Err(in_state(EnvironmentError::new("the verdict on the solution is missing")));
    };
    note_stop(result, StopReason::Proved);
    result.outcome = Ended::Accepted;
    result.validated = Some(true);
    result.root_status = andor_artifact::graph::GraphStatus::Proved;
    result.verification_level = Some(verified.level);
    result.verification_shortfall = verified.shortfall;
    result.axioms = verified.axioms;
    result.features = verified.features;
    result.known_bugs = verified.known_bugs;
    result.kernels = verified.kernels;
    result.proof = Some(verified.tactics.join("\n"));
    result.source = Some(verified.source);
    result.preference_pairs = result
        .proof_steps
        .iter()
        .flat_map(|step| {
            let here = saved.failed.iter().filter(|failed| failed.goals == step.state);
            here.map(|failed| PreferencePair {
                state: step.state.clone(),
                chosen: step.tactic.clone(),
                rejected: failed.tactic.clone(),
            })
        })
        .collect();
    Ok(())
}

/// Says why a search that ended found nothing.
fn note_failure(
    result: &mut AttemptResult,
    request: &AttemptRequest,
    config: &AgentConfig,
    searched: &SearchResult<AgentState>,
    noting: &Noting,
) {
    let budget = &request.config.budget;
    let over = |limit: Option<u64>, spent: u64| limit.filter(|limit| spent >= *limit);
    let (nodes, tokens) = (searched.tree.len() as u64, searched.tree.cost());
    let refused = noting.refused.lock().expect("nothing panics with the lock").clone();
    let stop = match (searched.end, over(budget.max_nodes, nodes), over(budget.max_tokens_total, tokens)) {
        (End::Steps, ..) => StopReason::Iterations(config.max_steps()),
        (_, Some(nodes), _) => StopReason::Nodes(nodes),
        (_, None, Some(tokens)) => StopReason::Tokens(tokens),
        (_, None, None) => StopReason::Exhausted,
    };
    note_stop(result, stop);
    result.outcome = Ended::NotProved;
    match stop {
        StopReason::Iterations(n) => result.stop_detail = format!("the search made its {n} steps"),
        StopReason::Exhausted => result.stop_detail = "every branch of the agent ended".to_owned(),
        _ => {}
    }
    // A model that never answered says nothing about the theorem.
    let answered = searched.tree.nodes().any(|(_, node)| node.cost() > 0);
    if let (Some(error), false) = (refused, answered) {
        note_stop(result, StopReason::Infrastructure);
        result.outcome = Ended::InfrastructureError;
        let advice = "if its server cannot call tools, have the agent call them by text (--tool-calls text)";
        result.infrastructure_error = Some(format!("the model refused to answer: {error}; {advice}"));
    }
}

/// A model that remembers its last refusal.
#[derive(Debug)]
struct Noting {
    model: Arc<dyn Model>,
    refused: Mutex<Option<ModelError>>,
}

#[async_trait]
impl Model for Noting {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn ask(&self, request: &Request) -> Result<Answer, ModelError> {
        let answer = self.model.ask(request).await;
        if let Err(error) = &answer {
            *self.refused.lock().expect("nothing panics with the lock") = Some(error.clone());
        }
        answer
    }
}
