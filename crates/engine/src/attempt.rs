//! One attempt: one theorem, one configuration, one seed. It takes a request, and produces a result and files.

mod result;

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor_artifact::background::BackgroundWriter;
use andor_artifact::files::{FileError, read_json, write_bytes, write_json};
use andor_artifact::folders::attempt_folder;
use andor_artifact::graft::GraftOrigin;
use andor_artifact::history::{History, HistoryAttempt, HistoryEntry};
use andor_artifact::order::Order;
use andor_artifact::plan::PlanUnderWay;
use andor_artifact::result::{AttemptResult, ModelUsage, Outcome, Role};
use andor_artifact::trace::{Abort, TraceEvent, TraceTree};
use andor_artifact::version::{self, Kind};
use andor_config::{Config, PlanConfig, ProviderConfig};
use andor_core::clock::Latencies;
use andor_core::plan::PlanStep;
use andor_core::policy::{Priority, StopReason};
use andor_core::theorem::{System, Theorem};
use andor_env::checker::Level;
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_env::workers::Workers;
use andor_model::Http;
use andor_provider::contract::Provider;
use andor_provider::plan::Planner;
use andor_provider::ranker::Ranker;
use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::driver::{self, Searched, Tools};
use crate::event::{Event, Sink};
use crate::graft::Given;
use crate::log;
use crate::plan::{self, Earlier, Ended};
use crate::progress::{KeptPlan, PlanBook, Progress, Replays, Sharing};
use crate::written;

use result::fill_in;
pub use result::{empty_result, model_usage, note_open_failure, note_stop, outcome_without_proof};

/// The file of an attempt's folder with the order in which it took in results.
const ORDER: &str = "order.json.gz";

/// What an attempt is asked to do.
#[derive(Clone)]
pub struct AttemptRequest {
    /// The theorem.
    pub theorem: Theorem,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// Whether this is the configured search or the blind one.
    pub role: Role,
    /// The configuration, with the seed of this attempt.
    pub config: Config,
    /// The folder for the attempt's files, if they are kept.
    pub directory: Option<PathBuf>,
}

/// The parts that an attempt uses.
#[derive(Clone)]
pub struct Means {
    /// Workers of the proof assistant.
    pub workers: Arc<Workers>,
    /// Proposes tactics.
    pub provider: Arc<dyn Provider>,
    /// The language models that it asks: to be probed before the first attempt.
    pub models: Vec<Arc<Http>>,
    /// Asked for a plan of each theorem that has none.
    pub planner: Option<Arc<Planner>>,
    /// Reorders the candidates.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// Orders waiting nodes in the place of best-first search's own priority.
    pub priority: Option<Arc<dyn Priority>>,
    /// Latencies on the virtual clock; `None` for the wall clock.
    pub latencies: Option<Latencies>,
    /// Stops the attempt early.
    pub cancel: CancellationToken,
}

/// Makes an attempt. Returns an error only if its files cannot be written; every other failure, including a panic, is
/// part of the result.
pub async fn run(
    request: &AttemptRequest,
    means: &Means,
    sink: &mut dyn Sink,
) -> Result<AttemptResult, FileError> {
    run_sharing(request, means, None, Shared::default(), sink).await
}

/// The same, beginning with a given script.
///
/// # Errors
///
/// As [`run`].
pub async fn run_from(
    request: &AttemptRequest,
    means: &Means,
    given: Option<Given>,
    sink: &mut dyn Sink,
) -> Result<AttemptResult, FileError> {
    run_sharing(request, means, given, Shared::default(), sink).await
}

/// What an attempt has in common with the others of its run.
#[derive(Clone, Default)]
pub struct Shared {
    /// Proofs of subgoals, if they are shared.
    pub progress: Option<Arc<Progress>>,
    /// The plans of the run. The attempt keeps there what its planner answers, and an attempt that was interrupted goes on
    /// with it.
    pub plans: Option<Arc<Mutex<PlanBook>>>,
}

/// The same, as one of several attempts.
///
/// # Errors
///
/// As [`run`].
pub async fn run_sharing(
    request: &AttemptRequest,
    means: &Means,
    given: Option<Given>,
    shared: Shared,
    sink: &mut dyn Sink,
) -> Result<AttemptResult, FileError> {
    let id = &request.theorem.id;
    let began = Instant::now();
    sink.event(id, &Event::AttemptStarted { attempt: request.attempt });
    let attempt =
        attempt(request, means, given, shared, sink, began).instrument(log::attempt(id, request.attempt));
    // Unwinding is safe: the state of the attempt is dropped, and shared state does not depend on where it stopped.
    let mut result = match AssertUnwindSafe(attempt).catch_unwind().await {
        Ok(result) => result?,
        Err(panic) => broken_off(request, &*panic),
    };
    result.timing.total_ms = began.elapsed().as_secs_f64() * 1e3;
    sink.event(id, &Event::AttemptFinished(Box::new(result.clone())));
    Ok(result)
}

async fn attempt(
    request: &AttemptRequest,
    means: &Means,
    given: Option<Given>,
    Shared { progress: shared, plans }: Shared,
    sink: &mut dyn Sink,
    began: Instant,
) -> Result<AttemptResult, FileError> {
    let id = &request.theorem.id;
    let mut recorder = Recorder::new(request)?;
    let mut result = empty_result(request);
    match open(request, means).await {
        Opening::Failed(error) => note_open_failure(&mut result, &error),
        Opening::Interrupted => {
            let stop = StopReason::Interrupted;
            note_stop(&mut result, stop);
            result.outcome = Outcome::Interrupted;
            let abort = Event::Abort(aborted_before(stop));
            recorder.event(&abort);
            sink.event(id, &abort);
        }
        Opening::Opened(session) => {
            // The time limit is one of the search.
            let opened = Instant::now();
            sink.event(id, &Event::Opened { assistant: session.assistant().to_owned() });
            let keep = |(plans, planner): (Arc<_>, &Arc<Planner>)| {
                KeptPlan::new(plans, &request.theorem, request.attempt, planner.id())
            };
            let kept = plans.zip(means.planner.as_ref()).map(keep);
            let planned = match (kept.as_ref().and_then(KeptPlan::found), &given, &means.planner) {
                (Some(found), ..) => Some(found),
                (None, None, Some(planner)) => {
                    ask_for_plan(request, means, &session, planner, kept.as_ref(), opened).await?
                }
                _ => None,
            };
            let asked_planner = means.planner.is_some() && (planned.is_some() || given.is_none());
            let given = match &planned {
                Some(planned) if !planned.steps.is_empty() => {
                    let steps: Vec<PlanStep> = planned.steps.iter().map(plan::record::read).collect();
                    Some(plan::given(&steps, request.theorem.system))
                }
                _ => given,
            };
            let mut replays = shared.as_ref().map(|shared| {
                let (shared, workers) = (Arc::clone(shared), Arc::clone(&means.workers));
                let (theorem, limits) = (with_imports(request, means), request.config.limits());
                Replays::new(shared, workers, theorem, limits, means.cancel.clone())
            });
            if let (Some(replays), Some(GraftOrigin::Plan)) = (&mut replays, given.as_ref().map(|g| g.origin))
            {
                let time_up = async {
                    match request.config.budget().time {
                        Some(time) => tokio::time::sleep_until(opened + time).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = replays.confirm() => {}
                    () = time_up => {}
                }
            }
            let (sharing, offers) = shared
                .map(|shared| Sharing::new(shared, &request.theorem, request.attempt, request.config.seed))
                .unzip();
            // The session was ready earlier; the rest of the time was spent waiting for the checker.
            let pinning = (opened - began).saturating_sub(session.counters().opening);
            let tools = Tools {
                session: Arc::clone(&session),
                provider: Arc::clone(&means.provider),
                models: means.models.clone(),
                ranker: means.ranker.clone(),
                priority: means.priority.clone(),
                latencies: means.latencies.clone(),
                cancel: means.cancel.clone(),
                began: opened,
                attempt: request.attempt,
                follow: recorded_order(request),
                given,
                planner: means.planner.clone(),
                kept,
                sharing,
                part: None,
            };
            let searched = {
                let mut both = |theorem: &str, event: &Event| {
                    recorder.event(event);
                    sink.event(theorem, event);
                };
                let checker = means.workers.environment().checker();
                let search = async move {
                    let searched = driver::search(&tools, &request.config, checker, &mut both).await;
                    // Nothing more is offered.
                    drop(tools);
                    searched
                };
                let taking_in = async {
                    match replays.zip(offers) {
                        Some((replays, offers)) => replays.take_in(offers).await.map(Some),
                        None => Ok(None),
                    }
                };
                let (searched, replayed) = tokio::join!(search, taking_in);
                let replayed = replayed?;
                result.sharing = replayed.map(|replayed| replayed.and(&searched.sharing));
                searched
            };
            fill_in(&mut result, &searched, &session, request, asked_planner);
            if let Some(found) = searched.proof.as_ref().filter(|_| result.outcome == Outcome::Accepted) {
                let written = written::of(found, &session, &searched);
                sink.event(&request.theorem.id, &Event::Written(Box::new(written)));
            }
            if let Some(PlanUnderWay { planning, replanning, .. }) = planned {
                result.spent.model += replanning;
                result.spent.model += planning.as_ref().map_or_else(ModelUsage::default, |asked| asked.model);
                result.planning = planning;
            }
            result.timing = driver::timing(&searched, &session, pinning, began.elapsed());
            session.close();
            recorder.finish(&searched, &result, means.workers.environment().system())?;
        }
    }
    Ok(result)
}

/// The result of an attempt that panicked.
pub fn broken_off(request: &AttemptRequest, panic: &(dyn Any + Send)) -> AttemptResult {
    let mut result = empty_result(request);
    note_stop(&mut result, StopReason::Infrastructure);
    result.outcome = Outcome::InfrastructureError;
    result.infrastructure_error =
        Some(format!("internal error: the attempt panicked: {}", panic_message(panic)));
    result
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Asks for a plan, until the time is up. Without one the search begins with the theorem alone.
async fn ask_for_plan(
    request: &AttemptRequest,
    means: &Means,
    session: &Arc<Session>,
    planner: &Planner,
    kept: Option<&KeptPlan>,
    began: Instant,
) -> Result<Option<PlanUnderWay>, FileError> {
    let Config { seed, plan: PlanConfig { retries, .. }, .. } = request.config;
    let earlier = Earlier::default();
    let making =
        plan::make(session, &request.theorem, planner, Some(&*means.provider), &earlier, seed, retries);
    let time_up = async {
        match request.config.budget().time {
            Some(time) => tokio::time::sleep_until(began + time).await,
            None => std::future::pending().await,
        }
    };
    let made = tokio::select! {
        biased;
        () = means.cancel.cancelled() => return Ok(None),
        made = making => made,
        () = time_up => return Ok(None),
    };
    let making = match made {
        Ok(making) => making,
        Err(error) => {
            tracing::warn!("no plan: {error}");
            return Ok(None);
        }
    };
    let mut steps: &[PlanStep] = &[];
    match &making.ended {
        Ended::Verified(verified) => steps = verified,
        Ended::Refused => {
            tracing::warn!("no plan: {} were asked for, and each was refused", making.tries.len())
        }
        Ended::Failed(error) => tracing::warn!("no plan: {error}"),
        Ended::NoPlan => tracing::warn!("no plan: the planner's answer has no step"),
    }
    let made = PlanUnderWay {
        statement_digest: request.theorem.digest(),
        planning: Some(plan::record::planning(planner.id(), &making, model_usage(&making.usage))),
        steps: steps.iter().map(plan::record::step).collect(),
        replanning: ModelUsage::default(),
    };
    if let Some(kept) = kept {
        kept.keep(made.clone())?;
    }
    Ok(Some(made))
}

/// The outcome of opening a session.
enum Opening {
    Opened(Arc<Session>),
    Failed(EnvError),
    Interrupted,
}

/// Opens the theorem. Each worker limits how long it takes to read a header and a statement.
async fn open(request: &AttemptRequest, means: &Means) -> Opening {
    let theorem = with_imports(request, means);
    let workers = Arc::clone(&means.workers);
    tokio::select! {
        biased;
        () = means.cancel.cancelled() => Opening::Interrupted,
        session = begin(workers, theorem, &request.config) => {
            session.map_or_else(Opening::Failed, Opening::Opened)
        }
    }
}

/// The theorem, with the imports that the provider's tactics need.
fn with_imports(request: &AttemptRequest, means: &Means) -> Theorem {
    let mut theorem = request.theorem.clone();
    theorem.extra_imports.extend(means.provider.imports(&theorem));
    theorem
}

/// The record of a search that never began.
fn aborted_before(stop: StopReason) -> Abort {
    let tree = TraceTree { nodes: 0, expansions: 0, max_depth: 0, solved: false, aborted: true, inflight: 0 };
    Abort {
        iteration: 0,
        reason: stop.name().to_owned(),
        tree,
        tree_digest: String::new(),
        given_up: Vec::new(),
    }
}

/// Opens a session, and concurrently prepares the checker for its proofs.
pub async fn begin(
    workers: Arc<Workers>,
    theorem: Theorem,
    config: &Config,
) -> Result<Arc<Session>, EnvError> {
    let pinned = async {
        if config.verify.wanted() < Level::Audited {
            return Ok(());
        }
        let checker = workers.environment().checker();
        match checker.pin(&theorem).await {
            Err(error) if error.is_retryable() => {
                tracing::warn!("pinning a statement is repeated: {error}");
                checker.pin(&theorem).await
            }
            pinned => pinned,
        }
    };
    let session = Session::open(Arc::clone(&workers), theorem.clone(), config.limits());
    let (session, pinned) = tokio::join!(session, pinned);
    // The session reports errors in the header or statement best, since it reads them sentence by sentence.
    let session = session?;
    pinned.map(|()| session)
}

/// The order of the recorded attempt that this one repeats, if it kept one.
fn recorded_order(request: &AttemptRequest) -> Option<Order> {
    let run = request.config.providers.iter().find_map(|provider| match provider {
        ProviderConfig::Replay { run } => Some(run),
        _ => None,
    })?;
    let file = attempt_folder(run, &request.theorem.id, request.attempt).join(ORDER);
    match read_json(&file, Kind::Order) {
        Ok(order) => Some(order),
        Err(_) if !file.exists() => None,
        Err(error) => {
            tracing::warn!("the recorded order is not followed: {error}");
            None
        }
    }
}

/// The name of an attempt's file with the proof.
pub fn proof_file(system: System) -> String {
    format!("proof.{}", system.language().extension)
}

/// Writes the files of an attempt.
struct Recorder {
    records_order: bool,
    directory: Option<PathBuf>,
    theorem: String,
    trace: Option<BackgroundWriter<TraceEvent>>,
    history: Vec<HistoryEntry>,
}

impl Recorder {
    fn new(request: &AttemptRequest) -> Result<Self, FileError> {
        let trace = match &request.directory {
            Some(directory) => Some(BackgroundWriter::create(&directory.join("trace.jsonl"), Kind::Trace)?),
            None => None,
        };
        Ok(Self {
            records_order: request.config.llm.record,
            directory: request.directory.clone(),
            theorem: request.theorem.id.clone(),
            trace,
            history: Vec::new(),
        })
    }

    fn event(&mut self, event: &Event) {
        let Some(trace) = &mut self.trace else { return };
        let record = match event {
            Event::Iteration(iteration) => {
                let attempts = iteration.attempts.iter();
                self.history.push(HistoryEntry {
                    iteration: iteration.iteration,
                    selected_path: iteration.selected_path.clone(),
                    attempts: attempts
                        .map(|a| HistoryAttempt { tactic: a.tactic.clone(), outcome: a.outcome })
                        .collect(),
                });
                TraceEvent::Iteration(iteration.clone())
            }
            Event::GraftStep(step) => TraceEvent::GraftStep(step.clone()),
            Event::Graft(graft) => TraceEvent::Graft(graft.clone()),
            Event::Focus(focus) => TraceEvent::Focus(focus.clone()),
            Event::Replan(replan) => TraceEvent::Replan(replan.clone()),
            Event::Rejection(rejection) => TraceEvent::Rejection(rejection.clone()),
            Event::Abort(abort) => TraceEvent::Abort(abort.clone()),
            Event::Started(start) => TraceEvent::Start(start.clone()),
            Event::Proved(proved) => TraceEvent::Proved(proved.clone()),
            Event::AttemptStarted { .. }
            | Event::Opened { .. }
            | Event::Latency(_)
            | Event::AgentStep(_)
            | Event::Checking
            | Event::Written(_)
            | Event::AttemptFinished(_)
            | Event::AttemptDropped => return,
        };
        trace.write(record);
    }

    fn finish(self, searched: &Searched, result: &AttemptResult, system: System) -> Result<(), FileError> {
        let Some(directory) = self.directory else { return Ok(()) };
        if let Some(trace) = self.trace {
            trace.finish()?;
        }
        let history = History {
            opening: version::Opening::new(Kind::History),
            theorem: self.theorem.clone(),
            iterations: self.history,
        };
        write_json(&directory.join("history.json"), &history)?;
        write_json(&directory.join("graph.json"), &searched.ledger.graph(&self.theorem))?;
        let assembly = searched.ledger.assembly(&self.theorem, searched.proof.as_ref());
        write_json(&directory.join("assembly.json.gz"), &assembly)?;
        if self.records_order {
            let taken = searched.order.clone();
            let order = Order {
                opening: version::Opening::new(Kind::Order),
                theorem: self.theorem.clone(),
                taken,
                stop_reason: searched.stop.name().to_owned(),
            };
            write_json(&directory.join(ORDER), &order)?;
        }
        if let Some(source) = &result.source {
            write_bytes(&directory.join(proof_file(system)), source.as_bytes())?;
        }
        Ok(())
    }
}
