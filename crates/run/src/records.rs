//! The files of a run, apart from those of its attempts: the database, which is authoritative (ADR 19), `run.json`
//! and `results.jsonl`. While they are open, no other process can write to the folder.

use std::collections::{BTreeMap, HashMap};
use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use andor_artifact::files::{FileError, LinesWriter, read_json, remove_unfinished, write_json};
use andor_artifact::folders::{attempt_folder, theorem_folder};
use andor_artifact::input;
use andor_artifact::plan::{PlanRecord, PlanningEnd};
use andor_artifact::result::{AttemptResult, ModelUsage, Outcome};
use andor_artifact::run::{Reconfigured, RunRecord};
use andor_artifact::version::{Kind, Opening};
use andor_config::differences;
use andor_core::theorem::System;
use andor_dataset::{GivenError, Problem};
use andor_engine::plan::record;
use andor_engine::progress::{PlanBook, Progress, read_with_progress};
use fs_err::File;
use serde_json::Value;

use crate::code::RESULTS;
use crate::modules::Modules;
use crate::orchestrate::{RunError, RunRequest};
use crate::store::Store;

/// The open files of a run.
pub(crate) struct Records {
    folder: PathBuf,
    store: Store,
    results: LinesWriter<AttemptResult>,
    /// The plans of the run, and how much of them is proved. Attempts keep what they ask planners for there.
    plans: Arc<Mutex<PlanBook>>,
    modules: Modules,
    /// Held while the files are open; the operating system releases it when the process ends.
    _lock: File,
}

impl Records {
    /// Begins a run in a folder, or resumes the one that is there. `systems` lists what was found of each system.
    pub(crate) fn open(
        folder: &Path,
        request: &RunRequest,
        systems: BTreeMap<String, String>,
        modules: Modules,
    ) -> Result<Self, RunError> {
        fs_err::create_dir_all(folder).map_err(FileError::from)?;
        let lock = lock(folder)?;
        remove_unfinished(folder)?;
        let database = folder.join("run.db");
        if database.exists() && !request.resume {
            return Err(RunError::Occupied(folder.to_owned()));
        }
        if folder.join(RESULTS).exists() {
            return Err(RunError::OfTasks(folder.to_owned()));
        }
        if !database.exists()
            && let Some(name) = REPLACED.iter().find(|name| folder.join(name).exists())
        {
            return Err(RunError::Foreign { folder: folder.to_owned(), name });
        }
        if database.exists() {
            // SQLite would block on a path that is not a regular file, such as a pipe.
            input::open(&database).map_err(FileError::from)?;
        }
        let mut store = Store::open(&database)?;
        let config = serde_json::to_value(&request.config).expect("a configuration is JSON");
        let (original, is_reconfigured) = match store.config()? {
            Some(before) => {
                let is_reconfigured = is_reconfigured(folder, &before, request)?;
                (before, is_reconfigured)
            }
            None => {
                store.set_config(&config)?;
                (config, false)
            }
        };
        tell_changes(&store.problems()?, &request.problems);
        let outdated = store.set_problems(&request.problems, &modules)?;
        if outdated > 0 {
            tracing::warn!(
                "compiled modules of the project have changed; attempts that were made with the old ones are \
                 repeated: {outdated}"
            );
        }
        write_record(&folder.join("run.json"), request, original, is_reconfigured, systems)?;
        let results = write_results(folder, &store)?;
        let plans = Arc::new(Mutex::new(open_plans(folder, request)?));
        Ok(Self { folder: folder.to_owned(), store, results, plans, modules, _lock: lock })
    }

    /// Replaces the theorems. Results under another statement are dropped.
    pub(crate) fn set_problems(&mut self, problems: &[Problem]) -> Result<(), RunError> {
        self.store.set_problems(problems, &self.modules)?;
        Ok(())
    }

    /// Visits the results so far.
    pub(crate) fn visit(&self, mut visit: impl FnMut(AttemptResult)) -> Result<(), RunError> {
        self.store.visit_results(|result| {
            visit(result);
            Ok(())
        })
    }

    /// Stores results, except those of interrupted attempts, and deletes those named in the second list by theorem
    /// and number. The changes are durable when this returns.
    pub(crate) fn update(
        &mut self,
        ended: &[&AttemptResult],
        dropped: &[(&str, u32)],
    ) -> Result<(), RunError> {
        self.note_plans(ended)?;
        let ended = ended.iter().copied().filter(|r| r.outcome != Outcome::Interrupted);
        let ended: Vec<&AttemptResult> = ended.collect();
        if ended.is_empty() && dropped.is_empty() {
            return Ok(());
        }
        self.store.update(&ended, dropped)?;
        // Only now: an attempt whose result is lost begins with its plan.
        self.drop_plans(&ended, dropped)?;
        for result in ended {
            self.results.write(result)?;
        }
        // These lines are for observers; after a crash they are rebuilt from the database.
        self.results.flush()?;
        for (theorem, attempt) in dropped {
            self.remove_files(theorem, *attempt)?;
        }
        Ok(())
    }

    /// Notes how much of the plans of attempts is proved.
    fn note_plans(&self, ended: &[&AttemptResult]) -> Result<(), FileError> {
        let mut plans = lock_plans(&self.plans);
        let mut has_changed = false;
        for result in ended {
            if let Some((system, plan)) = plan(result) {
                has_changed |= plans.note(&result.theorem, system, plan);
            }
        }
        if has_changed { plans.save() } else { Ok(()) }
    }

    /// Drops the plans of attempts that will not be repeated.
    fn drop_plans(&self, ended: &[&AttemptResult], dropped: &[(&str, u32)]) -> Result<(), FileError> {
        let mut plans = lock_plans(&self.plans);
        let is_final = |result: &&&AttemptResult| result.outcome.is_final();
        let ended = ended.iter().filter(is_final).map(|result| (result.theorem.as_str(), result.attempt));
        let mut has_changed = false;
        for (theorem, attempt) in ended.chain(dropped.iter().copied()) {
            has_changed |= plans.ended(theorem, attempt);
        }
        if has_changed { plans.save() } else { Ok(()) }
    }

    /// The plans of the run.
    pub(crate) fn plans(&self) -> Arc<Mutex<PlanBook>> {
        Arc::clone(&self.plans)
    }

    /// What attempts of the run share, if they do.
    pub(crate) fn shared(&self) -> Result<Progress, RunError> {
        let name = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Progress::open(&self.folder.join(PROGRESS), name)?)
    }

    /// Removes the files of an attempt, if there are any.
    pub(crate) fn remove_files(&self, theorem: &str, attempt: u32) -> Result<(), RunError> {
        let folder = attempt_folder(&self.folder, theorem, attempt);
        if folder.exists() {
            fs_err::remove_dir_all(folder).map_err(FileError::from)?;
            // Remove the theorem's folder if it is now empty; the call fails otherwise.
            let _ = std::fs::remove_dir(theorem_folder(&self.folder, theorem));
        }
        Ok(())
    }

    /// The numbers of the attempts at a theorem that have files.
    pub(crate) fn attempts_with_files(&self, theorem: &str) -> Vec<u32> {
        let Ok(entries) = std::fs::read_dir(theorem_folder(&self.folder, theorem)) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name());
        names.filter_map(|name| name.to_str()?.strip_prefix("attempt-")?.parse().ok()).collect()
    }

    /// Sorts the lines of `results.jsonl`.
    pub(crate) fn finish(self) -> Result<(), RunError> {
        write_results(&self.folder, &self.store).map(drop)
    }
}

/// Files that a run creates or replaces beside its database.
const REPLACED: &[&str] = &["run.json", "results.jsonl", "theorems", PLANS, PROGRESS];

/// The file with the plans of a run.
const PLANS: &str = "plans.json";

/// The file with the proofs that attempts share.
const PROGRESS: &str = "progress.jsonl";

fn lock_plans(plans: &Mutex<PlanBook>) -> MutexGuard<'_, PlanBook> {
    plans.lock().expect("nothing panics while holding the plans")
}

/// The plan of an attempt, with how much of it is proved.
fn plan(result: &AttemptResult) -> Option<(System, PlanRecord)> {
    let (plan, system) = (result.plan.as_ref()?, result.system.parse().ok()?);
    let asked = result.planning.as_ref();
    let record = PlanRecord {
        steps: plan.steps.clone(),
        planner: asked.map(|planning| planning.planner.clone()),
        verified: asked.is_some_and(|planning| planning.ended == PlanningEnd::Verified),
        tries: asked.map_or(0, |planning| planning.tries.len() as u64),
        model: asked.map(|planning| planning.model).unwrap_or_default(),
        progress: plan.progress,
    };
    Some((system, record))
}

/// Opens the file of plans, with those that are given.
fn open_plans(folder: &Path, request: &RunRequest) -> Result<PlanBook, RunError> {
    let mut plans = PlanBook::open(&folder.join(PLANS))?;
    let Some(file) = &request.config.plan.file else { return Ok(plans) };
    let mut has_changed = false;
    for Problem { theorem, .. } in &request.problems {
        let given = read_with_progress(file, &theorem.id, theorem.system);
        let Some((steps, progress)) = given.map_err(GivenError::Plan)? else { continue };
        let record = PlanRecord {
            steps: steps.iter().map(record::step).collect(),
            planner: None,
            verified: false,
            tries: 0,
            model: ModelUsage::default(),
            progress,
        };
        has_changed |= plans.note(&theorem.id, theorem.system, record);
    }
    if has_changed {
        plans.save()?;
    }
    Ok(plans)
}

/// Locks the folder against other andor processes for as long as the returned file is open.
pub(crate) fn lock(folder: &Path) -> Result<File, RunError> {
    let lock = File::open(folder).map_err(FileError::from)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(RunError::Busy(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(FileError::from(error).into()),
    }
}

/// Whether the request's configuration differs from the run's, which is an error unless forced.
fn is_reconfigured(folder: &Path, before: &Value, request: &RunRequest) -> Result<bool, RunError> {
    let differences = differences(before, &request.config);
    if differences.is_empty() || request.force {
        return Ok(!differences.is_empty());
    }
    Err(RunError::Reconfigured { folder: folder.to_owned(), differences })
}

/// Maximum number of theorems named in a message.
const NAMED: usize = 5;

/// Warns how the theorems of a run differ from its earlier ones.
fn tell_changes(before: &[Problem], now: &[Problem]) {
    if before.is_empty() {
        return;
    }
    let digests = |problems: &[Problem]| -> HashMap<String, String> {
        problems.iter().map(|p| (p.theorem.id.clone(), p.theorem.digest())).collect()
    };
    let (old, new) = (digests(before), digests(now));
    let ids = |problems: &[Problem], is_meant: &dyn Fn(&str) -> bool| -> Vec<String> {
        problems.iter().map(|p| p.theorem.id.clone()).filter(|id| is_meant(id)).collect()
    };
    let changes = [
        ("added", ids(now, &|id| !old.contains_key(id))),
        ("removed, their results are kept", ids(before, &|id| !new.contains_key(id))),
        ("changed, attempted anew", ids(now, &|id| old.get(id).is_some_and(|digest| *digest != new[id]))),
    ];
    let said: Vec<String> =
        changes.iter().filter(|(_, ids)| !ids.is_empty()).map(|(what, ids)| change(what, ids)).collect();
    if !said.is_empty() {
        tracing::warn!("the run continues with a different list of theorems; {}", said.join("; "));
    }
}

fn change(what: &str, ids: &[String]) -> String {
    let named = ids.iter().take(NAMED).map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    let more = ids.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{what}: {named}{more}")
}

/// Writes or updates `run.json`. `original` is the configuration that the run began with; `is_reconfigured` says
/// whether the request has another one.
fn write_record(
    path: &Path,
    request: &RunRequest,
    original: Value,
    is_reconfigured: bool,
    systems: BTreeMap<String, String>,
) -> Result<(), RunError> {
    let now = || jiff::Timestamp::now().to_string();
    let theorems: Vec<String> = request.problems.iter().map(|p| p.theorem.id.clone()).collect();
    let before: Option<RunRecord> = match path.exists() {
        true => Some(read_json(path, Kind::Run).map_err(RunError::Record)?),
        false => None,
    };
    let mut record = match &before {
        Some(before) => RunRecord { theorems, pass_k: before.pass_k.max(request.pass_k), ..before.clone() },
        None => RunRecord {
            opening: Opening::new(Kind::Run),
            started_at: now(),
            goal_id_scheme: "checkpoint".to_owned(),
            systems,
            config_digest: andor_config::digest(&original),
            config: original,
            reconfigured: Vec::new(),
            pass_k: request.pass_k,
            theorems,
        },
    };
    let config_digest = request.config.digest();
    if is_reconfigured && record.reconfigured.last().is_none_or(|last| last.config_digest != config_digest) {
        let config = serde_json::to_value(&request.config).expect("a configuration is JSON");
        record.reconfigured.push(Reconfigured { at: now(), config, config_digest });
    }
    if before.is_none_or(|before| before != record) {
        write_json(path, &record)?;
    }
    Ok(())
}

/// Rebuilds `results.jsonl` from the database. The file is replaced atomically; more lines can be appended to it.
fn write_results(folder: &Path, store: &Store) -> Result<LinesWriter<AttemptResult>, RunError> {
    let (new, path) = (folder.join("results.jsonl.new"), folder.join("results.jsonl"));
    let mut lines = LinesWriter::create(&new, Kind::Results)?;
    store.visit_results::<RunError>(|result| Ok(lines.write(&result)?))?;
    lines.sync()?;
    fs_err::rename(&new, &path).map_err(FileError::from)?;
    Ok(lines)
}
