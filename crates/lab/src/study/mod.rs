//! Studies: declared experiments that are run, resumed and reported as one (`docs/guide/studies.md`).
//!
//! A [`declaration`] names theorems, seeds, arms (configurations), and what is expected of them. [`run`] makes a run for each
//! arm, tests every [`comparison`], and writes a report with tables and plots, as a page in Markdown and HTML.

pub mod comparison;
pub mod declaration;
mod page;
mod report;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::files::{FileError, remove_unfinished, write_json};
use andor_artifact::folders::folder_name;
use andor_config::Config;
use andor_dataset::{self as dataset, DatasetError, Problem};
use andor_engine::event::Sink;
use andor_report::compare::CompareError;
use andor_report::summary::Failures;
use andor_run::folder::{FolderError, RunFolder, some_ids};
use andor_run::orchestrate::{self, Keep, RunError, RunRequest};
pub use declaration::Study;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Why a study cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The declaration is malformed, or breaks a rule.
    #[error("{}: {what}", path.display())]
    Declaration {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The theorems cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A run cannot be made.
    #[error("arm `{arm}`: {why}")]
    Run {
        /// The arm.
        arm: String,
        /// Why.
        why: Box<RunError>,
    },
    /// A run cannot be read back.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Runs cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// A file cannot be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be written or read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The folder holds the study, and going on with it was not asked for.
    #[error("`{}` holds this study already; go on with --resume, or choose another --out folder", .0.display())]
    Resumable(PathBuf),
    /// The folder holds another study.
    #[error(
        "`{}` holds another study: its declaration or its theorems differ; choose another --out folder", .0.display()
    )]
    Other(PathBuf),
    /// What the folder says about its study cannot be read.
    #[error("`{}` is damaged: {why}; restore it, or choose another --out folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        why: serde_json::Error,
    },
    /// The folder holds something else.
    #[error("`{}` is not empty and holds no study; choose another --out folder", .0.display())]
    Occupied(PathBuf),
    /// The study was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// What all runs of a study share.
#[derive(Clone)]
pub struct Running {
    /// Number of attempts at a time.
    pub jobs: usize,
    /// Ends the study.
    pub cancel: CancellationToken,
    /// Receives the events of attempts.
    pub sink: Arc<Mutex<dyn Sink>>,
}

/// The record of a study in its folder.
pub const RECORD: &str = "study.json";

/// What a study found.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// What came of its comparisons.
    pub outcomes: Vec<comparison::Outcome>,
    /// The attempts of each arm that failed for technical reasons, where there are any. They count nowhere, and are made
    /// again when the study goes on.
    pub failures: Vec<(String, Failures)>,
    /// What could not be analyzed, a sentence each.
    pub missing: Vec<String>,
}

/// Makes a study in the folder `out`, or goes on with it. `tell` is called with a line about each arm that begins.
///
/// # Errors
///
/// The theorems cannot be read, the folder holds something else, a run fails, or the study is interrupted.
pub async fn run(
    study: &Study,
    out: &Path,
    resume: bool,
    with: &Running,
    tell: &mut dyn FnMut(&str),
) -> Result<Finished, StudyError> {
    let problems = problems(study)?;
    open(study, &problems, out, resume)?;
    let mut arms = Vec::new();
    let mut configs: Vec<(&str, Config)> = Vec::new();
    for (at, arm) in study.arms.iter().enumerate() {
        tell(&format!("arm {} of {}: {}", at + 1, study.arms.len(), arm.name));
        let config = study.config_of(arm)?;
        for sentence in config.without_effect() {
            tell(&format!("arm `{}`: {sentence}", arm.name));
        }
        if let Some((equal, _)) = configs.iter().find(|(_, other)| *other == config) {
            tell(&format!("arm `{}`: it has the configuration of `{equal}`; only time may differ", arm.name));
        }
        configs.push((&arm.name, config.clone()));
        let folder = out.join("runs").join(folder_name(&arm.name));
        let request = RunRequest {
            jobs: with.jobs,
            resume: folder.join("run.db").exists(),
            out: Some(folder.clone()),
            keep: Keep::All,
            ..RunRequest::new(problems.clone(), config)
        };
        let made = orchestrate::run(&request, &with.cancel, Arc::clone(&with.sink)).await;
        made.map_err(|why| StudyError::Run { arm: arm.name.clone(), why: Box::new(why) })?;
        if with.cancel.is_cancelled() {
            return Err(StudyError::Interrupted);
        }
        arms.push(RunFolder::read(&folder)?);
    }
    let failures: Vec<(String, Failures)> = study
        .arms
        .iter()
        .zip(&arms)
        .map(|(arm, run)| (arm.name.clone(), Failures::among(&run.results)))
        .filter(|(_, failures)| failures.attempts > 0)
        .collect();
    let report::Reported { outcomes, missing } = report::write(study, &arms, &failures, out)?;
    Ok(Finished { outcomes, failures, missing })
}

/// The theorems of a study.
fn problems(study: &Study) -> Result<Vec<Problem>, StudyError> {
    let mut problems = dataset::read(&study.theorems, None, None)?.problems;
    let refuse = |what: String| StudyError::Declaration { path: study.path.clone(), what };
    if !study.only.is_empty() {
        let known: Vec<String> = problems.iter().map(|problem| problem.theorem.id.to_string()).collect();
        if let Some(unknown) = study.only.iter().find(|id| !known.contains(id)) {
            return Err(refuse(format!("`only` names `{unknown}`; there are {}", some_ids(&known))));
        }
        problems.retain(|problem| study.only.iter().any(|id| *id == *problem.theorem.id));
    }
    if problems.is_empty() {
        return Err(refuse(format!("there is no theorem in {}", study.theorems.display())));
    }
    Ok(problems)
}

/// Sees to it that the folder holds this study and nothing else.
fn open(study: &Study, problems: &[Problem], out: &Path, resume: bool) -> Result<(), StudyError> {
    let mut identity = serde_json::to_value(study).expect("a declaration is JSON");
    // The same theorems elsewhere are the same study.
    let digests: Vec<Value> = problems
        .iter()
        .map(|problem| json!([problem.theorem.id.to_string(), problem.theorem.digest()]))
        .collect();
    identity["theorems"] = Value::Array(digests);
    // The words of the page may change.
    for words in ["title", "question", "reading"] {
        identity.as_object_mut().expect("a declaration is an object").remove(words);
    }
    if out.is_dir() {
        remove_unfinished(out)?;
    }
    let path = out.join(RECORD);
    match std::fs::read_to_string(&path) {
        Ok(text) => match serde_json::from_str::<Value>(&text) {
            Err(why) => Err(StudyError::Damaged { path, why }),
            Ok(held) if held != identity => Err(StudyError::Other(out.to_owned())),
            Ok(_) if !resume => Err(StudyError::Resumable(out.to_owned())),
            Ok(_) => Ok(()),
        },
        Err(_) if out.is_dir() && fs_err::read_dir(out)?.next().is_some() => {
            Err(StudyError::Occupied(out.to_owned()))
        }
        Err(_) => {
            fs_err::create_dir_all(out)?;
            Ok(write_json(&path, &identity)?)
        }
    }
}
