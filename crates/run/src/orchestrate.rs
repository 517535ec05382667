//! A run: attempts at several theorems, with results stored as they arrive (`docs/guide/runs.md`).
//!
//! Attempts are made in this process, or elsewhere ([`crate::remote`]); everything else is the same.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::background::BackgroundWriter;
use andor_artifact::files::{FileError, write_json};
use andor_artifact::folders::attempt_folder;
use andor_artifact::graft::GraftOrigin;
use andor_artifact::latency::MeasuredLatency;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::version::Kind;
use andor_config::{BasinConfig, BudgetConfig, Config, Difference, ShareProgress};
use andor_core::theorem::System;
use andor_dataset::Problem;
use andor_engine::attempt::{Means, Shared};
use andor_engine::event::{Event, Sink};
use andor_engine::graft::Given;
use andor_engine::log;
use andor_engine::models::{self, Acting, ModelsError};
use andor_engine::registry::{OwnParts, RegistryError};
use andor_engine::verification::OutOfReach;
use andor_env::environment::Finding;
use andor_env::error::EnvError;
use andor_env::outline;
use andor_model::{Http, Model as _, Record};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::agenda::Agenda;
use crate::basin::{self, Trial};
use crate::job::{Job, Workshop};
use crate::modules::Modules;
use crate::records::Records;
use crate::remote::{Beginning, Ending, Remote};
use crate::store::StoreError;

/// What to run, and where.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The theorems, in order.
    pub problems: Vec<Problem>,
    /// The configuration.
    pub config: Config,
    /// Maximum number of attempts at each theorem. In a basin run it must be 1, since the seeds determine the
    /// attempts.
    pub pass_k: u32,
    /// Number of concurrent attempts.
    pub jobs: usize,
    /// The folder for the run's files, if they are kept.
    pub out: Option<PathBuf>,
    /// Which attempts keep files of their own in it.
    pub keep: Keep,
    /// Resume the run in that folder.
    pub resume: bool,
    /// Resume even if the run has another configuration.
    pub force: bool,
    /// The file for measured latencies of providers and tactics, if they are recorded.
    pub record_latencies: Option<PathBuf>,
    /// Proofs found before, by the ids of theorems: a search begins with them.
    pub cached: HashMap<String, String>,
    /// Parts that the program supplies itself.
    pub own: OwnParts,
    /// Has the attempts made elsewhere, as many at a time as it says itself.
    pub remote: Option<Arc<Remote>>,
}

/// Which attempts keep files of their own: traces, trees, proofs. All results are in the run's files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// All attempts.
    All,
    /// Attempts that found a proof.
    Proofs,
    /// No attempts.
    None,
}

impl Keep {
    /// Every choice.
    pub const ALL: &[Self] = &[Self::All, Self::Proofs, Self::None];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Proofs => "proofs",
            Self::None => "none",
        }
    }

    /// Whether an attempt with this result keeps its files.
    pub fn keeps(self, result: &AttemptResult) -> bool {
        match self {
            Self::All => true,
            Self::Proofs => result.proof.is_some(),
            Self::None => false,
        }
    }
}

/// Why a run cannot be made. Failures of single attempts are results, not errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Something named in the configuration is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// `run.json` cannot be read.
    #[error("{0}; delete the file, and it is recreated from run.db")]
    Record(FileError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that an environment needs is missing.
    #[error("{what} is missing: {missing}; {remedy}")]
    Missing {
        /// What is missing.
        what: String,
        /// The symptom.
        missing: String,
        /// What to do about it.
        remedy: String,
    },
    /// The demanded level of verification is unavailable.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// Requests to language models have no place to be recorded.
    #[error("--record needs a folder for the record; give --out")]
    RecordNeedsOut,
    /// Attempts cannot be made elsewhere any more.
    #[error("{0}; what is finished is kept: repeat the command with --resume")]
    Remote(String),
    /// Something is asked for that takes the attempts' process.
    #[error("{0} works only where the attempts are made in this process; leave out either it or --on")]
    NotElsewhere(&'static str),
    /// Repeated attempts are asked for in two ways.
    #[error(
        "--pass-k cannot be combined with --basin-seeds, which always makes an attempt under every seed; \
         give one of the two"
    )]
    PassKOfBasin,
    /// Nodes of a blueprint are repeated by seeds.
    #[error("--basin-seeds does not apply to blueprints; --pass-k makes several attempts at each node")]
    BasinOfBlueprint,
    /// The file of a draft or a plan cannot be read. The message names it.
    #[error(transparent)]
    Given(#[from] andor_dataset::GivenError),
    /// A draft is given, and several theorems.
    #[error("--draft holds a proof of one theorem, and there are {0}; choose one by --theorem")]
    DraftOfSeveral(usize),
    /// The file of latencies already exists; it is not overwritten, since recording may have taken long.
    #[error("--record-latencies: `{0}` already exists; move it away, or choose another name")]
    LatenciesExist(PathBuf),
    /// The folder holds an earlier run.
    #[error("`{0}` already contains a run; continue it with --resume, or choose another --out folder")]
    Occupied(PathBuf),
    /// The folder holds files that a run would replace, but no database.
    #[error(
        "`{}` contains a {name} but no run.db: it is not a run, or has lost its database; choose another --out folder, \
         or move the file away", folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The file.
        name: &'static str,
    },
    /// The folder holds a run of another kind.
    #[error("`{0}` contains a run over theorems; choose another --out folder")]
    OfTheorems(PathBuf),
    /// The folder holds a run of another kind.
    #[error("`{0}` contains a run over programming tasks; choose another --out folder")]
    OfTasks(PathBuf),
    /// `run.json` of a run over programming tasks cannot be read.
    #[error("{0}; delete the file, and --resume writes it anew")]
    TornRecord(FileError),
    /// The models of a run were there, and are not any more.
    #[error("{why}; the run ends here; {goes_on}")]
    ModelsGone {
        /// What is wrong with them.
        why: String,
        /// How it can go on.
        goes_on: &'static str,
    },
    /// Code of a model would have to run without a sandbox.
    #[error("programming tasks need a sandbox with all its limits, and this machine has none: {0}")]
    NoSandbox(String),
    /// Another process is using the folder.
    #[error("another andor process is using `{0}`; wait until it ends, or choose another --out folder")]
    Busy(PathBuf),
    /// The run in the folder has another configuration.
    #[error(
        "`{}` contains a run with a different configuration: {}; use the same options, choose another --out folder, \
         or continue anyway with --force", folder.display(), listed(differences)
    )]
    Reconfigured {
        /// The folder.
        folder: PathBuf,
        /// The differences between the configurations: first the run's value, then the requested one.
        differences: Vec<Difference>,
    },
}

fn listed(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl RunRequest {
    /// A request for one attempt at each theorem, sequentially, without files.
    pub fn new(problems: Vec<Problem>, config: Config) -> Self {
        Self {
            problems,
            config,
            pass_k: 1,
            jobs: 1,
            out: None,
            keep: Keep::All,
            resume: false,
            force: false,
            record_latencies: None,
            own: OwnParts::default(),
            cached: HashMap::new(),
            remote: None,
        }
    }

    /// The configuration with one seed for each attempt at a theorem.
    fn repeated(&self) -> Config {
        let seeds = self.config.basin.seeds.unwrap_or(self.pass_k);
        Config { basin: BasinConfig { seeds: Some(seeds), ..self.config.basin }, ..self.config.clone() }
    }

    /// Whether attempts that were interrupted are continued from their files, instead of repeated.
    pub(crate) fn continues_attempts(&self) -> bool {
        // Elsewhere there are no files of earlier starts.
        self.resume && self.config.agent.is_some() && self.remote.is_none()
    }

    /// The attempts in the order in which they begin, with their places among the results. Each trial is made at
    /// every theorem before the next trial, so that an interrupted run has results for every theorem.
    pub(crate) fn in_turn(&self) -> impl Iterator<Item = (Place, Arc<Trial>)> {
        let at_each = |trial: Arc<Trial>| {
            (0..self.problems.len()).map(move |index| ((index, trial.attempt), Arc::clone(&trial)))
        };
        basin::trials(&self.repeated()).map(Arc::new).flat_map(at_each)
    }

    /// The display name of an attempt.
    fn name(&self, place: Place, role: Role) -> String {
        let (theorem, number) = (&self.problems[place.0].theorem.id, place.1);
        match role {
            Role::Configured if self.pass_k == 1 && self.config.basin.seeds.is_none() => theorem.clone(),
            Role::Configured => format!("{theorem}, attempt {number}"),
            Role::Blind => format!("{theorem}, attempt {number} (blind)"),
        }
    }
}

/// The index of a theorem in the request, and the number of the attempt at it.
pub(crate) type Place = (usize, u32);

/// Executes the request and returns the results, ordered by theorem and by number of the attempt. Attempts that an
/// earlier run in the same folder finished are not repeated. With several seeds, a summary is written beside the
/// results.
pub async fn run(
    request: &RunRequest,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Vec<AttemptResult>, RunError> {
    let _ending = request.remote.clone().map(Ending);
    make(request, cancel, sink).instrument(log::run(request.out.as_deref())).await
}

async fn make(
    request: &RunRequest,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Vec<AttemptResult>, RunError> {
    if request.pass_k > 1 && request.config.basin.seeds.is_some() {
        return Err(RunError::PassKOfBasin);
    }
    if request.remote.is_some() {
        fits_elsewhere(request)?;
    }
    let own = OwnParts { record: record(request)?, ..request.own.clone() };
    let systems = || request.problems.iter().map(|problem| problem.theorem.system);
    let workshop = Workshop::new(systems(), &request.config, request.jobs, &own)?;
    let found = workshop.probe(request.config.verify).await?;
    if request.remote.is_none() {
        unless(cancel, workshop.ready()).await?;
    }
    // Check both before touching either.
    if let Some(path) = request.record_latencies.as_ref().filter(|path| path.exists()) {
        return Err(RunError::LatenciesExist(path.clone()));
    }
    let theorems = request.problems.iter().map(|problem| &problem.theorem);
    let modules = Modules::of_theorems(theorems, workshop.means()).await;
    let jobs = match &request.remote {
        Some(remote) => {
            let beginning = Beginning::new(&request.config, systems(), request.keep);
            remote.begin(&beginning, found.clone(), cancel).await?
        }
        None => request.jobs.max(1),
    };
    let request = &RunRequest { jobs, ..request.clone() };
    let records = request.out.as_ref().map(|out| Records::open(out, request, found, modules.clone()));
    let records = records.transpose()?;
    let latencies = request.record_latencies.as_deref().map(LatencyRecords::create).transpose()?;
    let given = given(request)?;
    let shared = shared(request, records.as_ref())?;
    let workshop = Arc::new(workshop);
    let mut agenda = Agenda::new(request, records, Arc::clone(&sink))?;
    let mut waiting = request.in_turn();
    let (mut running, mut failure) = (JoinSet::new(), None);
    let mut outage = Outage::default();
    loop {
        while running.len() < jobs && failure.is_none() && !cancel.is_cancelled() {
            let Some((place, trial)) = waiting.next() else { break };
            if !agenda.is_wanted(place) {
                continue;
            }
            let problem = &request.problems[place.0];
            let name = request.name(place, trial.role);
            let cancel = agenda.begin(place, &name, cancel)?;
            let given = given[place.0].clone();
            let job = job(problem, &trial, given, modules.digest(&problem.theorem.header));
            let out = request.out.as_ref().filter(|_| request.keep != Keep::None);
            let directory = out.map(|out| attempt_folder(out, &problem.theorem.id, trial.attempt));
            let (sink, latencies, shared) = (Arc::clone(&sink), latencies.clone(), shared.clone());
            let (workshop, remote) = (Arc::clone(&workshop), request.remote.clone());
            let task = async move {
                let mut forward = |_: &str, event: &Event| match event {
                    // Reported when the result is stored.
                    Event::AttemptFinished(_) => {}
                    event => {
                        if let (Some(latencies), Event::Latency(measured)) = (&latencies, event) {
                            latencies.add(*measured);
                        }
                        lock(&sink).event(&name, event);
                    }
                };
                let result = match remote {
                    Some(remote) => {
                        forward(&name, &Event::AttemptStarted { attempt: job.attempt });
                        remote.make(&job, directory.as_deref(), shared.progress.as_deref(), &cancel).await
                    }
                    None => Ok(workshop.make(job, directory, shared, cancel, &mut forward).await?),
                };
                result.map(|result| (place, result))
            };
            running.spawn(task.in_current_span());
        }
        let Some(first) = running.join_next().await else { break };
        // Results that have arrived in the meantime are stored in the same transaction, also if one attempt fails the run.
        let mut results = Vec::new();
        for joined in std::iter::once(first).chain(std::iter::from_fn(|| running.try_join_next())) {
            match ended(joined) {
                Ok(result) => results.push(result),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        for (_, result) in &results {
            outage.note(result.outcome == Outcome::InfrastructureError);
        }
        agenda.end(results)?;
        if outage.is_likely(jobs) && request.remote.is_none() && workshop.asks_models() {
            outage.pause(request.out.as_deref(), cancel, workshop.ready()).await?;
        }
        // Where nothing more is done elsewhere, all attempts end at once, some with a result that arrived before.
        if let Some(error) = failure.take_if(|error| !matches!(error, RunError::Remote(_))) {
            return Err(error);
        }
    }
    if let Some(error) = failure {
        return Err(error);
    }
    if let Some(latencies) = latencies {
        latencies.finish()?;
    }
    let results = agenda.finish()?;
    if let (Some(out), Some(_)) = (&request.out, request.config.basin.seeds) {
        let theorems: Vec<&str> = request.problems.iter().map(|p| p.theorem.id.as_str()).collect();
        write_json(&out.join("basin.json"), &basin::summarise(&request.config, &theorems, &results))?;
    }
    Ok(results)
}

/// Attempts in a row that failed: whether the models of a run may be gone.
#[derive(Debug, Default)]
pub(crate) struct Outage {
    failed: usize,
}

impl Outage {
    /// Takes note of an attempt that ended.
    pub(crate) fn note(&mut self, has_failed: bool) {
        self.failed = if has_failed { self.failed + 1 } else { 0 };
    }

    /// Whether so many failed that a run of so many at a time asks whether its models are still there.
    pub(crate) fn is_likely(&self, jobs: usize) -> bool {
        const MANY: usize = 4;
        self.failed >= MANY.max(jobs)
    }

    /// Waits until the models are ready. To go on without them would fail every other attempt: if they are not, the run ends,
    /// and all that is left is for a later `--resume`.
    pub(crate) async fn pause(
        &mut self,
        out: Option<&Path>,
        cancel: &CancellationToken,
        ready: impl Future<Output = Result<(), RunError>>,
    ) -> Result<(), RunError> {
        let failed = std::mem::take(&mut self.failed);
        tracing::warn!("{failed} attempts in a row failed; the run pauses until its models answer");
        let gone = |why: RunError| RunError::ModelsGone {
            why: why.to_string(),
            goes_on: match out {
                Some(_) => "continue the run with --resume",
                None => "with --out, --resume continues such a run",
            },
        };
        unless(cancel, ready).await.map_err(gone)
    }
}

/// The result of an attempt's task.
fn ended(
    joined: Result<Result<(Place, AttemptResult), RunError>, JoinError>,
) -> Result<(Place, AttemptResult), RunError> {
    joined.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// Refuses what attempts in other processes cannot do.
fn fits_elsewhere(request: &RunRequest) -> Result<(), RunError> {
    let asked =
        [("--record-latencies", request.record_latencies.is_some()), ("--record", request.config.llm.record)];
    if let Some((what, _)) = asked.iter().find(|(_, is_asked)| *is_asked) {
        return Err(RunError::NotElsewhere(what));
    }
    // Before workers are started.
    match &request.out {
        Some(out) if !request.resume && out.join("run.db").exists() => Err(RunError::Occupied(out.clone())),
        _ => Ok(()),
    }
}

/// Locks a value that attempts share.
pub(crate) fn lock<T: ?Sized>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().expect("a sink does not panic")
}

/// The file of latencies, shared by all attempts.
#[derive(Clone)]
pub(crate) struct LatencyRecords(Arc<Mutex<BackgroundWriter<MeasuredLatency>>>);

impl LatencyRecords {
    pub(crate) fn create(path: &Path) -> Result<Self, FileError> {
        let writer = BackgroundWriter::create(path, Kind::Latencies)?;
        Ok(Self(Arc::new(Mutex::new(writer))))
    }

    pub(crate) fn add(&self, measured: MeasuredLatency) {
        self.0.lock().expect("writing does not panic").write(measured);
    }

    /// Flushes the file. All attempts must have ended.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        let writer = Arc::into_inner(self.0).expect("nobody else records any more");
        writer.into_inner().expect("writing does not panic").finish()
    }
}

fn job(problem: &Problem, trial: &Trial, given: Option<Given>, modules: Option<&str>) -> Job {
    let Trial { attempt, role, config } = trial.clone();
    let (theorem, modules_digest) = (problem.theorem.clone(), modules.map(str::to_owned));
    Job { theorem, attempt, role, config, given, modules_digest }
}

/// The record of the run's requests to language models, if it keeps one.
pub(crate) fn record(request: &RunRequest) -> Result<Option<Arc<Record>>, RunError> {
    if !request.config.llm.record {
        return Ok(None);
    }
    let out = request.out.as_ref().ok_or(RunError::RecordNeedsOut)?;
    if !request.resume && !request.force && out.join("run.db").exists() {
        return Err(RunError::Occupied(out.clone()));
    }
    fs_err::create_dir_all(out).map_err(FileError::from)?;
    if let Some(prompt) = models::prompt_file(&request.config) {
        fs_err::copy(prompt, out.join(models::PROMPT)).map_err(FileError::from)?;
    }
    let record = Record::open(out.join(models::RECORD)).map_err(ModelsError::Record);
    Ok(Some(Arc::new(record.map_err(RegistryError::from)?)))
}

/// Waits until all language models are ready, and says what their servers cannot do. A limit that one of them keeps from
/// being kept is an error.
pub(crate) async fn ready(
    means: &BTreeMap<System, Means>,
    acting: Option<&Acting>,
    budget: &BudgetConfig,
) -> Result<(), RunError> {
    let of_agent = acting.and_then(|acting| acting.server.as_ref());
    let models = means.values().flat_map(|means| &means.models).chain(of_agent);
    let models: Vec<&Http> = models.map(AsRef::as_ref).collect();
    let capabilities = andor_model::probe_all(&models)
        .await
        .map_err(|(url, error)| RegistryError::from(ModelsError::NotReady { url, error }))?;
    let limits = [
        ("--max-tokens-total", budget.max_tokens_total.is_some()),
        ("--max-cost", budget.max_cost.is_some()),
    ];
    let limit = limits.into_iter().find(|(_, given)| *given).map(|(option, _)| option);
    for (model, capabilities) in models.iter().zip(capabilities) {
        if let Some(option) = limit.filter(|_| capabilities.usage == Some(false)) {
            let url = model.config().base_url.clone();
            return Err(RegistryError::from(ModelsError::NoUsage { option, url }).into());
        }
        for note in capabilities.notes() {
            tracing::info!("{}: {note}", model.name());
        }
    }
    Ok(())
}

/// Waits for something, but no longer than until the run is interrupted; what follows then sees that it was.
pub(crate) async fn unless(
    cancel: &CancellationToken,
    waiting: impl Future<Output = Result<(), RunError>>,
) -> Result<(), RunError> {
    cancel.run_until_cancelled(waiting).await.unwrap_or(Ok(()))
}

/// What attempts have in common: kept in the run's folder, or else for the time of the run.
pub(crate) fn shared(request: &RunRequest, records: Option<&Records>) -> Result<Shared, RunError> {
    let progress = match (request.config.plan.share_progress, records) {
        (ShareProgress::Off, _) => None,
        (ShareProgress::Run, Some(records)) => Some(Arc::new(records.shared()?)),
        (ShareProgress::Run, None) => Some(Arc::default()),
    };
    Ok(Shared { progress, plans: records.map(Records::plans) })
}

/// The proof that the search begins with, for each theorem.
fn given(request: &RunRequest) -> Result<Vec<Option<Given>>, RunError> {
    let drafts = &request.config.drafts;
    if let (Some(_), several @ 2..) = (&drafts.file, request.problems.len()) {
        return Err(RunError::DraftOfSeveral(several));
    }
    let given = |problem: &Problem| {
        let cached = request.cached.get(&problem.theorem.id).map(|script| Given {
            script: script.clone(),
            start: outline::Place::START,
            origin: GraftOrigin::Cache,
            plan: Vec::new(),
        });
        let given = andor_dataset::given(&request.config, &problem.theorem, problem.partial_proof())?;
        Ok(given.or(cached))
    };
    request.problems.iter().map(given).collect()
}

/// Finds what the environments need. Anything missing would make every attempt fail.
pub(crate) async fn probe(means: &BTreeMap<System, Means>) -> Result<BTreeMap<String, String>, RunError> {
    let mut systems = BTreeMap::new();
    for means in means.values() {
        for Finding { what, found, remedy, needed } in means.workers.environment().probe().await {
            match found {
                Ok(found) => systems.insert(what, found),
                Err(missing) if !needed => systems.insert(what, format!("none: {missing}")),
                Err(missing) => {
                    let remedy = remedy.unwrap_or_else(|| "see `andor doctor`".to_owned());
                    return Err(RunError::Missing { what, missing, remedy });
                }
            };
        }
    }
    Ok(systems)
}
