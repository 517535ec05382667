//! A run: attempts at several theorems, with results stored as they come.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::background::BackgroundWriter;
use andor_artifact::files::{FileError, LinesWriter, write_json};
use andor_artifact::latency::MeasuredLatency;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::run::RunRecord;
use andor_artifact::version::{Kind, Opening};
use andor_core::theorem::System;
use andor_env::environment::Finding;
use andor_env::error::EnvError;
use andor_env::workers::Workers;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::attempt::{self, Means, Request, statement_digest};
use crate::basin::{self, Trial};
use crate::config::Config;
use crate::dataset::Problem;
use crate::event::{Event, Sink};
use crate::registry::{self, RegistryError};
use crate::store::{Store, StoreError};
use crate::verification::{self, OutOfReach};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The theorems, in order.
    pub problems: Vec<Problem>,
    /// The configuration.
    pub config: Config,
    /// Attempts worked on at once.
    pub jobs: usize,
    /// Where the run's files go, if anywhere.
    pub out: Option<PathBuf>,
    /// Go on with an earlier run in the same place.
    pub resume: bool,
    /// Where measured latencies of providers and tactics go, if anywhere.
    pub record_latencies: Option<PathBuf>,
}

/// Why a run cannot be made. Failures of single attempts are results, not errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Something that the configuration names cannot be had.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that an environment needs is missing.
    #[error("{what} is missing: {missing}; {remedy}")]
    Missing {
        /// What.
        what: String,
        /// How that shows.
        missing: String,
        /// What to do.
        remedy: String,
    },
    /// The level of verification that is demanded cannot be had.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// The file of latencies is there already; it may have taken long to record.
    #[error("--record-latencies: `{0}` exists already; move it away, or choose another name")]
    LatenciesExist(PathBuf),
    /// The folder holds an earlier run.
    #[error("`{0}` already holds a run; go on with it by --resume, or choose another --out folder")]
    Occupied(PathBuf),
}

impl Plan {
    /// How many attempts the run makes.
    pub fn attempts(&self) -> usize {
        self.problems.len() * basin::n_trials(&self.config)
    }

    /// The attempts in the order in which they begin: each trial at every theorem before the next trial, so that
    /// a run that is interrupted has something of every theorem. With each goes its place among the results.
    fn in_turn(&self) -> impl Iterator<Item = (Place, &Problem, Trial)> {
        let at_each = |trial: Trial| {
            let problems = self.problems.iter().enumerate();
            problems.map(move |(index, problem)| ((index, trial.attempt), problem, trial.clone()))
        };
        basin::trials(&self.config).flat_map(at_each)
    }

    /// The name of an attempt, for people.
    fn name(&self, theorem: &str, trial: &Trial) -> String {
        match (self.config.basin.seeds, trial.role) {
            (None, _) => theorem.to_owned(),
            (Some(_), Role::Configured) => format!("{theorem}, attempt {}", trial.attempt),
            (Some(_), Role::Blind) => format!("{theorem}, attempt {} (blind)", trial.attempt),
        }
    }
}

/// The place of a theorem in the plan, and the number of the attempt at it.
type Place = (usize, u32);

/// Runs the plan and returns the results, in the order of the theorems and of the numbers of the attempts. Attempts
/// that an earlier run in the same place has finished are not repeated. With several seeds, a summary of them is
/// written beside the results.
pub async fn run(
    plan: &Plan,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Vec<AttemptResult>, RunError> {
    let workers = workers(plan)?;
    let systems = probe(&workers).await?;
    for workers in workers.values() {
        verification::ensure(&**workers.environment(), plan.config.verify).await?;
    }
    // Neither is touched before the other is known to be free.
    if let Some(path) = plan.record_latencies.as_ref().filter(|path| path.exists()) {
        return Err(RunError::LatenciesExist(path.clone()));
    }
    let mut records = match &plan.out {
        Some(out) => Some(Records::open(out, plan, systems)?),
        None => None,
    };
    let latencies = plan.record_latencies.as_deref().map(LatencyRecords::create).transpose()?;
    let mut results = match &records {
        Some(records) => records.finished(plan)?,
        None => BTreeMap::new(),
    };
    let finished: HashSet<Place> = results.keys().copied().collect();
    let mut waiting = plan.in_turn().filter(|(place, ..)| !finished.contains(place));
    let mut running = JoinSet::new();
    loop {
        while running.len() < plan.jobs.max(1) && !cancel.is_cancelled() {
            let Some((place, problem, trial)) = waiting.next() else { break };
            let means = means(problem, plan, &workers, cancel)?;
            let name = plan.name(&problem.theorem.id, &trial);
            let request = request(problem, trial, plan);
            let (sink, latencies) = (Arc::clone(&sink), latencies.clone());
            running.spawn(async move {
                let mut forward = |_: &str, event: &Event| {
                    if let (Some(latencies), Event::Latency(measured)) = (&latencies, event) {
                        latencies.add(*measured);
                    }
                    sink.lock().expect("a sink does not panic").event(&name, event);
                };
                (place, attempt::run(&request, &means, &mut forward).await)
            });
        }
        let Some(joined) = running.join_next().await else { break };
        let (place, result) = match joined {
            Ok((place, result)) => (place, result?),
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        if let (Some(records), true) = (&mut records, is_final(&result)) {
            records.add(&result)?;
        }
        results.insert(place, result);
    }
    if let Some(latencies) = latencies {
        latencies.finish()?;
    }
    let results: Vec<AttemptResult> = results.into_values().collect();
    if let (Some(out), Some(_)) = (&plan.out, plan.config.basin.seeds) {
        let theorems: Vec<&str> = plan.problems.iter().map(|p| p.theorem.id.as_str()).collect();
        write_json(&out.join("basin.json"), &basin::summarise(&plan.config, &theorems, &results))?;
    }
    Ok(results)
}

/// The file of latencies, which all attempts share.
#[derive(Clone)]
struct LatencyRecords(Arc<Mutex<BackgroundWriter<MeasuredLatency>>>);

impl LatencyRecords {
    fn create(path: &Path) -> Result<Self, FileError> {
        let writer = BackgroundWriter::create(path, Kind::Latencies)?;
        Ok(Self(Arc::new(Mutex::new(writer))))
    }

    fn add(&self, measured: MeasuredLatency) {
        self.0.lock().expect("writing does not panic").write(measured);
    }

    /// Waits until everything is written. All attempts have ended.
    fn finish(self) -> Result<(), FileError> {
        let writer = Arc::into_inner(self.0).expect("nobody else records any more");
        writer.into_inner().expect("writing does not panic").finish()
    }
}

/// Whether a result says something about the theorem, so that the attempt is not to be repeated.
fn is_final(result: &AttemptResult) -> bool {
    match result.outcome {
        Outcome::Accepted | Outcome::NotProved | Outcome::Refused => true,
        Outcome::Claimed | Outcome::InfrastructureError | Outcome::Interrupted => false,
    }
}

type WorkersOfSystems = BTreeMap<System, Arc<Workers>>;

fn workers(plan: &Plan) -> Result<WorkersOfSystems, RegistryError> {
    let systems: BTreeSet<System> = plan.problems.iter().map(|p| p.theorem.system).collect();
    systems.into_iter().map(|s| Ok((s, registry::workers(s, &plan.config, plan.jobs)?))).collect()
}

fn means(
    problem: &Problem,
    plan: &Plan,
    workers: &WorkersOfSystems,
    cancel: &CancellationToken,
) -> Result<Means, RegistryError> {
    let system = problem.theorem.system;
    Ok(Means {
        workers: Arc::clone(&workers[&system]),
        provider: registry::provider(system, &plan.config)?,
        ranker: registry::ranker(&plan.config),
        latencies: registry::latencies(&plan.config)?,
        cancel: cancel.clone(),
    })
}

fn request(problem: &Problem, trial: Trial, plan: &Plan) -> Request {
    let Trial { attempt, role, config } = trial;
    let theorem = problem.theorem.clone();
    let folder = |out: &PathBuf| {
        out.join("theorems").join(folder_name(&theorem.id)).join(format!("attempt-{attempt}"))
    };
    let directory = plan.out.as_ref().map(folder);
    Request { theorem, attempt, role, config, directory }
}

/// The name of the folder of a theorem: its id, with what does not belong into a file name written as `%` and
/// two hexadecimal digits per byte, so that different ids have different folders.
pub fn folder_name(id: &str) -> String {
    let mut name = String::new();
    for (at, c) in id.char_indices() {
        let safe = c.is_alphanumeric() || matches!(c, '_' | '-' | '#' | '\'') || (c == '.' && at > 0);
        if safe {
            name.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                name.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    name
}

/// The files of a run, beside those of its attempts.
struct Records {
    store: Store,
    results: LinesWriter<AttemptResult>,
}

impl Records {
    fn open(out: &Path, plan: &Plan, systems: BTreeMap<String, String>) -> Result<Self, RunError> {
        fs_err::create_dir_all(out).map_err(FileError::from)?;
        let database = out.join("run.db");
        if database.exists() && !plan.resume {
            return Err(RunError::Occupied(out.to_owned()));
        }
        let store = Store::open(&database, &plan.config.digest())?;
        if !out.join("run.json").exists() {
            write_json(&out.join("run.json"), &run_record(plan, systems))?;
        }
        // The database is the truth; the lines are made from it anew.
        let mut results = LinesWriter::create(&out.join("results.jsonl"), Kind::Results)?;
        for result in store.results()? {
            results.write(&result)?;
        }
        results.sync()?;
        Ok(Self { store, results })
    }

    /// The stored results of the plan's theorems, as far as their statements are unchanged.
    fn finished(&self, plan: &Plan) -> Result<BTreeMap<Place, AttemptResult>, StoreError> {
        let theorems = plan.problems.iter().map(|p| &p.theorem).enumerate();
        let places: HashMap<(String, String), usize> =
            theorems.map(|(index, t)| ((t.id.clone(), statement_digest(t)), index)).collect();
        let place = |r: &AttemptResult| {
            let index = places.get(&(r.theorem.clone(), r.statement_digest.clone()))?;
            Some((*index, r.attempt))
        };
        Ok(self.store.results()?.into_iter().filter_map(|r| Some((place(&r)?, r))).collect())
    }

    fn add(&mut self, result: &AttemptResult) -> Result<(), RunError> {
        self.store.add(result)?;
        self.results.write(result)?;
        self.results.sync()?;
        Ok(())
    }
}

/// What the environments need and where it was found. What is missing would fail every attempt.
async fn probe(workers: &WorkersOfSystems) -> Result<BTreeMap<String, String>, RunError> {
    let mut systems = BTreeMap::new();
    for workers in workers.values() {
        for Finding { what, found, remedy } in workers.environment().probe().await {
            match found {
                Ok(found) => systems.insert(what, found),
                Err(missing) => {
                    let remedy = remedy.unwrap_or_else(|| "see `andor doctor`".to_owned());
                    return Err(RunError::Missing { what, missing, remedy });
                }
            };
        }
    }
    Ok(systems)
}

fn run_record(plan: &Plan, systems: BTreeMap<String, String>) -> RunRecord {
    RunRecord {
        opening: Opening::new(Kind::Run),
        started_at: jiff::Timestamp::now().to_string(),
        goal_id_scheme: "checkpoint".to_owned(),
        systems,
        config: serde_json::to_value(&plan.config).expect("a configuration is JSON"),
        config_digest: plan.config.digest(),
        theorems: plan.problems.iter().map(|p| p.theorem.id.clone()).collect(),
    }
}
