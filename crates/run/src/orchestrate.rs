//! A run: attempts at several theorems, with results stored as they come.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::files::{FileError, LinesWriter, write_json};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::run::RunRecord;
use andor_artifact::version::{Kind, Opening};
use andor_core::theorem::System;
use andor_env::environment::{Environment, Finding};
use andor_env::error::EnvError;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::attempt::{self, Means, Request, statement_digest};
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
    /// Theorems worked on at once.
    pub jobs: usize,
    /// Where the run's files go, if anywhere.
    pub out: Option<PathBuf>,
    /// Go on with an earlier run in the same place.
    pub resume: bool,
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
    /// The folder holds an earlier run.
    #[error("`{0}` already holds a run; go on with it by --resume, or choose another --out folder")]
    Occupied(PathBuf),
}

/// Runs the plan and returns the results, in the order of the theorems. Attempts that an earlier run in the
/// same place has finished are not repeated.
pub async fn run(
    plan: &Plan,
    cancel: &CancellationToken,
    sink: Arc<Mutex<dyn Sink>>,
) -> Result<Vec<AttemptResult>, RunError> {
    let environments = environments(plan)?;
    let systems = probe(&environments).await?;
    for environment in environments.values() {
        verification::ensure(&**environment, plan.config.verify).await?;
    }
    let mut records = match &plan.out {
        Some(out) => Some(Records::open(out, plan, systems)?),
        None => None,
    };
    let mut finished: HashMap<String, AttemptResult> = match &records {
        Some(records) => records.finished(plan)?,
        None => HashMap::new(),
    };
    let waiting = plan.problems.iter().filter(|p| !finished.contains_key(&p.theorem.id));
    let mut waiting = waiting.cloned().collect::<Vec<_>>().into_iter();
    let mut running = JoinSet::new();
    loop {
        while running.len() < plan.jobs.max(1) && !cancel.is_cancelled() {
            let Some(problem) = waiting.next() else { break };
            let means = means(&problem, plan, &environments, cancel)?;
            let request = request(problem, plan);
            let sink = Arc::clone(&sink);
            running.spawn(async move {
                let mut forward = |theorem: &str, event: &Event| {
                    sink.lock().expect("a sink does not panic").event(theorem, event);
                };
                attempt::run(&request, &means, &mut forward).await
            });
        }
        let Some(joined) = running.join_next().await else { break };
        let result = match joined {
            Ok(result) => result?,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        if let (Some(records), true) = (&mut records, is_final(&result)) {
            records.add(&result)?;
        }
        finished.insert(result.theorem.clone(), result);
    }
    Ok(plan.problems.iter().filter_map(|p| finished.remove(&p.theorem.id)).collect())
}

/// Whether a result says something about the theorem, so that the attempt is not to be repeated.
fn is_final(result: &AttemptResult) -> bool {
    match result.outcome {
        Outcome::Accepted | Outcome::NotProved | Outcome::Refused => true,
        Outcome::Claimed | Outcome::InfrastructureError | Outcome::Interrupted => false,
    }
}

type Environments = BTreeMap<System, Arc<dyn Environment>>;

fn environments(plan: &Plan) -> Result<Environments, RegistryError> {
    let systems = plan.problems.iter().map(|p| p.theorem.system);
    systems.map(|system| Ok((system, registry::environment(system, &plan.config)?))).collect()
}

fn means(
    problem: &Problem,
    plan: &Plan,
    environments: &Environments,
    cancel: &CancellationToken,
) -> Result<Means, RegistryError> {
    let system = problem.theorem.system;
    Ok(Means {
        environment: Arc::clone(&environments[&system]),
        provider: registry::provider(system, &plan.config)?,
        ranker: registry::ranker(&plan.config),
        latencies: registry::latencies(&plan.config)?,
        cancel: cancel.clone(),
    })
}

fn request(problem: Problem, plan: &Plan) -> Request {
    let directory = plan
        .out
        .as_ref()
        .map(|out| out.join("theorems").join(folder_name(&problem.theorem.id)).join("attempt-1"));
    Request { theorem: problem.theorem, attempt: 1, config: plan.config.clone(), directory }
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
    fn finished(&self, plan: &Plan) -> Result<HashMap<String, AttemptResult>, StoreError> {
        let digests: HashMap<&str, String> =
            plan.problems.iter().map(|p| (p.theorem.id.as_str(), statement_digest(&p.theorem))).collect();
        let results = self.store.results()?.into_iter();
        let current = results.filter(|r| digests.get(r.theorem.as_str()) == Some(&r.statement_digest));
        Ok(current.map(|r| (r.theorem.clone(), r)).collect())
    }

    fn add(&mut self, result: &AttemptResult) -> Result<(), RunError> {
        self.store.add(result)?;
        self.results.write(result)?;
        self.results.sync()?;
        Ok(())
    }
}

/// What the environments need and where it was found. What is missing would fail every attempt.
async fn probe(environments: &Environments) -> Result<BTreeMap<String, String>, RunError> {
    let mut systems = BTreeMap::new();
    for environment in environments.values() {
        for Finding { what, found, remedy } in environment.probe().await {
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
