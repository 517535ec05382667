//! Training: by the built-in trainer, or by a program of the user's with the same files in and out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_artifact::learned::Provenance;
use andor_learn::train::{Fate, Parameters, Step, TrainError, train};
use andor_learn::{Model, State};
use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use tokio_util::sync::CancellationToken;

use crate::declaration::Train;
use crate::error::LoopError;
use crate::rows::{self, GoalRow, StepRow};
use crate::stage::digest;

/// The files of a training.
pub struct Training {
    /// The rows of tactics ([`StepRow`]).
    pub steps: PathBuf,
    /// The rows of goals ([`GoalRow`]).
    pub goals: PathBuf,
    /// The rows of pairs ([`rows::PairRow`]).
    pub pairs: PathBuf,
    /// The rows of theorems ([`rows::TheoremRow`]).
    pub theorems: PathBuf,
    /// The model that training begins with.
    pub parent: PathBuf,
    /// The model to write.
    pub model: PathBuf,
}

/// How long a program may train, in seconds, if nothing else is said.
const A_DAY: f64 = 86_400.0;

/// The most that a program may write to its standard output, in bytes. It is not read.
const MAX_OUTPUT: usize = 64 << 20;

/// Trains a model.
///
/// # Errors
///
/// A file cannot be read or written, or the program fails.
pub async fn fit(
    training: &Training,
    declared: &Train,
    cancel: &CancellationToken,
) -> Result<BTreeMap<String, u64>, LoopError> {
    let Some(command) = &declared.command else { return built_in(training, &declared.parameters, cancel) };
    tokio::select! {
        trained = by_command(training, command, declared) => trained,
        () = cancel.cancelled() => Err(LoopError::Interrupted),
    }
}

fn built_in(
    training: &Training,
    parameters: &Parameters,
    cancel: &CancellationToken,
) -> Result<BTreeMap<String, u64>, LoopError> {
    let parent = Model::read(&training.parent)?;
    let steps = rows::read::<StepRow>(&training.steps)?.into_iter().map(|row| Step {
        state: State::read(row.state()),
        tactic: row.completion,
        weight: row.weight,
    });
    let fates = rows::read::<GoalRow>(&training.goals)?.into_iter().map(|row| Fate {
        state: State::read(&row.state),
        proved: row.proved,
        weight: row.weight,
    });
    let (steps, fates): (Vec<Step>, Vec<Fate>) = (steps.collect(), fates.collect());
    let model =
        train(&parent, &steps, &fates, parameters, &|| !cancel.is_cancelled()).map_err(
            |error| match error {
                TrainError::Interrupted => LoopError::Interrupted,
                TrainError::Diverged { .. } => LoopError::Training(error),
            },
        )?;
    let numbers = serde_json::to_value(parameters).expect("parameters are JSON");
    let numbers = numbers.as_object().into_iter().flatten();
    let number =
        |value: &serde_json::Value| value.as_f64().or_else(|| value.as_bool().map(|b| u8::from(b).into()));
    let provenance = Provenance {
        parent: Some(parent.digest()),
        data: Some(digest(&training.steps)?),
        steps: model.provenance().steps,
        parameters: numbers.filter_map(|(name, value)| Some((name.clone(), number(value)?))).collect(),
    };
    let used = provenance.steps;
    model.with_provenance(provenance).write(&training.model)?;
    Ok(BTreeMap::from([("used".to_owned(), used)]))
}

/// Runs a program. The model appears under its name only if the program succeeds.
async fn by_command(
    training: &Training,
    command: &str,
    declared: &Train,
) -> Result<BTreeMap<String, u64>, LoopError> {
    let Training { steps, goals, pairs, theorems, parent, model } = training;
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = model.with_file_name(format!("unfinished-{name}"));
    remove(&unfinished)?;
    let seed = declared.parameters.seed.to_string();
    let places = [
        ("{steps}", steps.as_path()),
        ("{goals}", goals),
        ("{pairs}", pairs),
        ("{theorems}", theorems),
        ("{parent}", parent),
        ("{model}", &unfinished),
        ("{seed}", Path::new(&seed)),
    ];
    let spec = program(command, &places)?;
    let limit = Duration::from_secs_f64(declared.timeout_s.unwrap_or(A_DAY));
    let exit = run_to_end(&spec, "training", limit, MAX_OUTPUT).await?.exit;
    let command = command.to_owned();
    if exit.code != Some(0) {
        return Err(LoopError::TrainerFailed { command, status: exit.status, stderr: exit.stderr });
    }
    if !unfinished.exists() {
        return Err(LoopError::NoModel { command, path: unfinished });
    }
    remove(model)?;
    fs_err::rename(&unfinished, model)?;
    Ok(BTreeMap::new())
}

/// A program of the user's, with files put in place of words. It may need anything of theirs: a virtual environment, the choice of
/// a GPU.
///
/// # Errors
///
/// There is no current folder.
pub fn program(command: &str, places: &[(&str, &Path)]) -> Result<ChildSpec, LoopError> {
    let put = |word: String| {
        places.iter().fold(word, |word, (place, path)| word.replace(place, &path.to_string_lossy()))
    };
    let mut words = shlex::split(command).unwrap_or_default().into_iter().map(put);
    let environment = std::env::vars_os();
    Ok(ChildSpec {
        program: words.next().unwrap_or_default(),
        args: words.collect(),
        env: environment
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
        directory: std::env::current_dir()?,
        limits: ResourceLimits::default(),
    })
}

/// Copies a model: a file, or a folder with everything in it.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<(), LoopError> {
    if !from.is_dir() {
        fs_err::copy(from, to)?;
        return Ok(());
    }
    remove(to)?;
    fs_err::create_dir_all(to)?;
    for entry in fs_err::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Removes what an earlier training may have left: a file or a folder.
fn remove(path: &Path) -> Result<(), LoopError> {
    if path.is_dir() {
        fs_err::remove_dir_all(path)?;
    } else if path.exists() {
        fs_err::remove_file(path)?;
    }
    Ok(())
}
