//! Runs of agents over programming tasks: attempts up to the first that solves a task, with results that are appended as
//! they arrive. A run is a folder with `run.json`, `code-results.jsonl` and the attempts' journals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::code::{CodeOutcome, CodeResult};
use andor_artifact::files::{FileError, LinesWriter, read_json, read_lines, remove_unfinished, write_json};
use andor_artifact::folders::attempt_folder;
use andor_artifact::run::RunRecord;
use andor_artifact::version::{Kind, Opening};
use andor_config::{Config, differences};
use andor_engine::event::AgentStep;
use andor_engine::models::{self, ModelsError};
use andor_engine::registry::RegistryError;
use andor_model::Record;
use andor_process::sandbox::CountedSandbox;
use andor_rollout::code::{CodeRequest, Task, attempt};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::estimate::{Sample, pass_at, share};
use crate::orchestrate::{Outage, RunError, lock, ready, unless};
use crate::records;

/// The file with the results of a run.
pub const RESULTS: &str = "code-results.jsonl";

/// What to run, and where.
#[derive(Clone, Debug)]
pub struct CodeRun {
    /// The tasks, in order. Their ids differ.
    pub tasks: Vec<Arc<Task>>,
    /// The configuration, with an agent.
    pub config: Config,
    /// Maximum number of attempts at each task.
    pub pass_k: u32,
    /// Number of concurrent attempts.
    pub jobs: usize,
    /// The folder for the run's files, if they are kept.
    pub out: Option<PathBuf>,
    /// Resume the run in that folder.
    pub resume: bool,
    /// Resume even if the run has another configuration.
    pub force: bool,
}

/// What a run tells of an attempt, by its display name.
pub trait Told: Send {
    /// It begins.
    fn began(&mut self, name: &str);
    /// Its search made a step.
    fn step(&mut self, name: &str, step: AgentStep);
    /// It ended, and its result is stored.
    fn ended(&mut self, name: &str, result: &CodeResult);
}

/// Makes the attempts that are missing, and returns all results, ordered by task and by number of the attempt. Attempts that
/// failed for technical reasons are repeated when the run is resumed; those that were interrupted go on from their journals.
///
/// # Errors
///
/// If this machine has no sandbox with all its limits, the model is not available, or the folder cannot be used.
pub async fn run(
    request: &CodeRun,
    cancel: &CancellationToken,
    told: Arc<Mutex<dyn Told>>,
) -> Result<Vec<CodeResult>, RunError> {
    CountedSandbox::probe().await.map_err(RunError::NoSandbox)?;
    let record = record(request)?;
    let acting = models::acting(&request.config, record.as_ref()).map_err(RegistryError::from)?;
    unless(cancel, ready(&BTreeMap::new(), acting.as_ref(), &request.config.budget)).await?;
    let acting = acting.expect("the configuration has an agent");
    let mut folder = request.out.as_deref().map(|out| Folder::open(out, request)).transpose()?;
    let mut results: BTreeMap<(usize, u32), CodeResult> = BTreeMap::new();
    for result in folder.iter_mut().flat_map(|folder| std::mem::take(&mut folder.earlier)) {
        let place = request.tasks.iter().position(|task| task.id == result.task);
        let place = place.filter(|&place| request.tasks[place].digest() == result.task_digest);
        if let Some(place) = place.filter(|_| result.outcome != CodeOutcome::InfrastructureError) {
            results.insert((place, result.attempt), result);
        }
    }
    let config_digest = request.config.digest();
    let mut outage = Outage::default();
    for number in 1..=request.pass_k {
        let is_wanted = |place: &usize| {
            let mut before = results.range((*place, 1)..=(*place, number));
            !results.contains_key(&(*place, number))
                && before.all(|(_, result)| result.outcome != CodeOutcome::Solved)
        };
        let wanted: Vec<usize> = (0..request.tasks.len()).filter(is_wanted).collect();
        let mut waiting = wanted.into_iter();
        let mut running = JoinSet::new();
        loop {
            while running.len() < request.jobs.max(1) && !cancel.is_cancelled() {
                let Some(place) = waiting.next() else { break };
                let task = Arc::clone(&request.tasks[place]);
                let name = match request.pass_k {
                    1 => task.id.clone(),
                    _ => format!("{}, attempt {number}", task.id),
                };
                let seed = request.config.seed.wrapping_add(u64::from(number) - 1);
                let directory = request.out.as_deref().map(|out| attempt_folder(out, &task.id, number));
                let attempted = CodeRequest {
                    task,
                    attempt: number,
                    config: Config { seed, ..request.config.clone() },
                    config_digest: config_digest.clone(),
                    directory,
                    hidden: request.out.iter().cloned().collect(),
                };
                let (acting, cancel, told) = (acting.clone(), cancel.clone(), Arc::clone(&told));
                running.spawn(async move {
                    lock(&told).began(&name);
                    let mut tell = |step| lock(&told).step(&name, step);
                    let result = attempt(&attempted, &acting, &cancel, &mut tell).await;
                    (place, name, result)
                });
            }
            let Some(joined) = running.join_next().await else { break };
            let (place, name, result) =
                joined.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            let result = result?;
            if let Some(folder) = folder.as_mut().filter(|_| result.outcome != CodeOutcome::Interrupted) {
                folder.results.write(&result)?;
                folder.results.sync()?;
            }
            lock(&told).ended(&name, &result);
            outage.note(result.outcome == CodeOutcome::InfrastructureError);
            results.insert((place, number), result);
            if outage.is_likely(request.jobs) {
                let none = BTreeMap::new();
                let ready = ready(&none, Some(&acting), &request.config.budget);
                outage.pause(request.out.as_deref(), cancel, ready).await?;
            }
        }
    }
    Ok(results.into_values().collect())
}

/// The files of a run.
struct Folder {
    results: LinesWriter<CodeResult>,
    /// The results of earlier starts.
    earlier: Vec<CodeResult>,
    /// Held while the files are open.
    _lock: fs_err::File,
}

impl Folder {
    fn open(out: &Path, request: &CodeRun) -> Result<Self, RunError> {
        fs_err::create_dir_all(out).map_err(FileError::from)?;
        let lock = records::lock(out)?;
        remove_unfinished(out)?;
        let (path, record) = (out.join(RESULTS), out.join("run.json"));
        if out.join("run.db").exists() {
            return Err(RunError::OfTheorems(out.to_owned()));
        }
        if path.exists() && !request.resume {
            return Err(RunError::Occupied(out.to_owned()));
        }
        let theorems: Vec<String> = request.tasks.iter().map(|task| task.id.clone()).collect();
        let config = serde_json::to_value(&request.config).expect("a configuration is JSON");
        let before: Option<RunRecord> = match record.exists() {
            true => Some(read_json(&record, Kind::Run).map_err(RunError::TornRecord)?),
            false => None,
        };
        if let Some(before) = &before {
            let differences = differences(&before.config, &request.config);
            if !differences.is_empty() && !request.force {
                return Err(RunError::Reconfigured { folder: out.to_owned(), differences });
            }
        }
        let now = match &before {
            Some(before) => {
                RunRecord { theorems, pass_k: before.pass_k.max(request.pass_k), ..before.clone() }
            }
            None => RunRecord {
                opening: Opening::new(Kind::Run),
                started_at: jiff::Timestamp::now().to_string(),
                goal_id_scheme: "checkpoint".to_owned(),
                systems: BTreeMap::new(),
                config_digest: request.config.digest(),
                config,
                reconfigured: Vec::new(),
                pass_k: request.pass_k,
                theorems,
            },
        };
        if before.as_ref() != Some(&now) {
            write_json(&record, &now)?;
        }
        let earlier = earlier(&path)?;
        let results = match has_opening(&path) {
            true => LinesWriter::append(&path, Kind::CodeResults)?,
            false => LinesWriter::create(&path, Kind::CodeResults)?,
        };
        Ok(Self { results, earlier, _lock: lock })
    }
}

/// Whether a file of results has its first line. Without it, it was begun by a program that was killed.
fn has_opening(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n'))
}

/// The results in a file, which may not be there or only have been begun.
fn earlier(path: &Path) -> Result<Vec<CodeResult>, FileError> {
    Ok(if has_opening(path) { read_lines(path, Kind::CodeResults)?.records } else { Vec::new() })
}

/// The record of the run's requests to the model, if it keeps one.
fn record(request: &CodeRun) -> Result<Option<Arc<Record>>, RunError> {
    if !request.config.llm.record {
        return Ok(None);
    }
    let out = request.out.as_ref().ok_or(RunError::RecordNeedsOut)?;
    if !request.resume && out.join(RESULTS).exists() {
        return Err(RunError::Occupied(out.clone()));
    }
    fs_err::create_dir_all(out).map_err(FileError::from)?;
    let record = Record::open(out.join(models::RECORD)).map_err(ModelsError::Record);
    Ok(Some(Arc::new(record.map_err(RegistryError::from)?)))
}

/// The results in the folder of a run, ordered by task and number; of several of the same attempt, the last. `None` if it is
/// no run over programming tasks.
///
/// # Errors
///
/// If the file cannot be read.
pub fn results(out: &Path) -> Result<Option<(RunRecord, Vec<CodeResult>)>, FileError> {
    let path = out.join(RESULTS);
    if !path.is_file() {
        return Ok(None);
    }
    let record: RunRecord = read_json(&out.join("run.json"), Kind::Run)?;
    let mut results: BTreeMap<(usize, u32), CodeResult> = BTreeMap::new();
    for result in earlier(&path)? {
        if let Some(place) = record.theorems.iter().position(|id| *id == result.task) {
            results.insert((place, result.attempt), result);
        }
    }
    Ok(Some((record, results.into_values().collect())))
}

/// Results in numbers.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct CodeSummary {
    /// Tasks.
    pub tasks: usize,
    /// Tasks that were solved.
    pub solved: usize,
    /// Attempts that say something about their tasks.
    pub finished: usize,
    /// How many these are once the run is finished, as far as is known: each task has as many as are allowed, or fewer if it
    /// is solved.
    pub planned: usize,
    /// Attempts that failed for technical reasons.
    pub failed: usize,
    /// The share of tasks solved by one of the first `k` attempts, for 1 and for as many as there may be; with the 95 %
    /// interval over tasks. Only if no attempt that counts for it is missing.
    pub pass_at: Vec<PassAt>,
}

/// A row of [`CodeSummary`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct PassAt {
    /// Attempts.
    pub k: u32,
    /// The share, from 0 to 1.
    pub value: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Summarises the results of these tasks.
pub fn summarise(tasks: &[String], pass_k: u32, results: &[CodeResult]) -> CodeSummary {
    let counts =
        |result: &&CodeResult| matches!(result.outcome, CodeOutcome::Solved | CodeOutcome::NotSolved);
    let of = |id: &String| {
        let counting = results.iter().filter(|result| result.task == *id).filter(counts);
        let first = counting.clone().find(|result| result.outcome == CodeOutcome::Solved);
        Sample::UntilSolved { attempts: counting.count() as u32, first: first.map(|result| result.attempt) }
    };
    let samples: Vec<Sample> = tasks.iter().map(of).collect();
    let is_solved = |sample: &&Sample| matches!(sample, Sample::UntilSolved { first: Some(_), .. });
    let planned = |sample: &Sample| match sample {
        Sample::UntilSolved { attempts, first: Some(_) } => *attempts as usize,
        _ => pass_k as usize,
    };
    let mut ks = vec![1, pass_k];
    ks.dedup();
    let pass = |k: u32| {
        let known: Option<Vec<f64>> = samples.iter().map(|&sample| Some(pass_at(k, sample)?.value)).collect();
        let hits = known?.into_iter().filter(|value| *value > 0.5).count();
        let estimate = share(u32::try_from(hits).ok()?, u32::try_from(samples.len()).ok()?)?;
        Some(PassAt { k, value: estimate.value, low: estimate.low, high: estimate.high })
    };
    CodeSummary {
        tasks: tasks.len(),
        solved: samples.iter().filter(is_solved).count(),
        finished: results.iter().filter(counts).count(),
        planned: samples.iter().map(planned).sum(),
        failed: results.iter().filter(|result| result.outcome == CodeOutcome::InfrastructureError).count(),
        pass_at: ks.into_iter().filter_map(pass).collect(),
    }
}
