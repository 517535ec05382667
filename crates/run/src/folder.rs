//! Reads back the folder of a run: theorems, configuration and results.

use std::path::{Path, PathBuf};

use andor_artifact::files::{FileError, read_json};
use andor_artifact::folders::{attempt_folder, theorem_folder};
use andor_artifact::result::AttemptResult;
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_config::Config;
use andor_dataset::Problem;

use crate::code::RESULTS;
use crate::store::{Store, StoreError};

/// A run, finished or not.
#[derive(Clone, Debug)]
pub struct RunFolder {
    /// The path of the folder.
    pub path: PathBuf,
    /// The theorem's or attempt's folder inside it, if only that part was read.
    pub part: Option<PathBuf>,
    /// `run.json`.
    pub record: RunRecord,
    /// The configuration.
    pub config: Config,
    /// The theorems, in order.
    pub problems: Vec<Problem>,
    /// The results so far, ordered by theorem and by number of the attempt.
    pub results: Vec<AttemptResult>,
}

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder holds no run.
    #[error("`{0}` is not a run folder: it has no run.db; give a folder written by --out")]
    NoRun(PathBuf),
    /// The path leads to no run and to no part of one.
    #[error(
        "`{0}` is neither a run folder nor, in one, the folder of a theorem or an attempt with a result; give a folder written by --out, or of a study those in its `runs`"
    )]
    NoPart(PathBuf),
    /// The folder holds a run over programming tasks.
    #[error("`{0}` is a run over programming tasks; `andor results`, `show` and `export` read it")]
    OfTasks(PathBuf),
    /// `run.json` cannot be read.
    #[error("{0}; delete the file, and `andor run --resume` recreates it from run.db")]
    Record(FileError),
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration is not valid for this version.
    #[error("{}: cannot read its configuration: {why}; use the program that made the run", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The error of the parser.
        why: serde_json::Error,
    },
}

impl RunFolder {
    /// Reads the run in a folder.
    pub fn read(path: &Path) -> Result<Self, FolderError> {
        let database = path.join("run.db");
        if !database.is_file() {
            if path.join(RESULTS).is_file() {
                return Err(FolderError::OfTasks(path.to_owned()));
            }
            return Err(FolderError::NoRun(path.to_owned()));
        }
        let file = path.join("run.json");
        let record: RunRecord = read_json(&file, Kind::Run).map_err(FolderError::Record)?;
        let config = serde_json::from_value(record.config.clone());
        let config = config.map_err(|why| FolderError::Config { path: file, why })?;
        let store = Store::read(&database)?;
        let (problems, results) = (store.problems()?, store.results()?);
        Ok(Self { path: path.to_owned(), part: None, record, config, problems, results })
    }

    /// Reads a run, or a part of it, by the folder of a theorem or of an attempt in the run's folder, or by a file of an attempt.
    /// Of a part there are only its theorem and its results.
    ///
    /// # Errors
    ///
    /// See [`FolderError`].
    pub fn read_part(path: &Path) -> Result<Self, FolderError> {
        if path.join("run.db").is_file() {
            return Self::read(path);
        }
        let no_part = || FolderError::NoPart(path.to_owned());
        let place = path.canonicalize().map_err(|_| no_part())?;
        let Some(folder) = place.ancestors().skip(1).find(|folder| folder.join("run.db").is_file()) else {
            // Says more of a run over programming tasks.
            return Self::read(path).map_err(|error| match error {
                FolderError::NoRun(_) => no_part(),
                other => other,
            });
        };
        let mut run = Self::read(folder)?;
        let is_in = |outer: &Path| place.starts_with(outer);
        run.problems.retain(|problem| is_in(&theorem_folder(folder, problem.theorem.id.as_str())));
        run.results.retain(|result| is_in(&theorem_folder(folder, &result.theorem)));
        if place.parent() != Some(&folder.join("theorems")) {
            run.results.retain(|result| is_in(&attempt_folder(folder, &result.theorem, result.attempt)));
        }
        if run.results.is_empty() {
            return Err(no_part());
        }
        run.part = place.strip_prefix(folder).ok().map(Path::to_owned);
        Ok(run)
    }

    /// The folder with the files of an attempt.
    pub fn attempt(&self, theorem: &str, attempt: u32) -> PathBuf {
        attempt_folder(&self.path, theorem, attempt)
    }
}

/// Maximum number of theorems named in an error.
const NAMED: usize = 10;

/// The ids of a run's theorems for an error message: the first ones, and the number of the others.
pub fn some_ids(ids: &[String]) -> String {
    let (named, more) = ids.split_at(ids.len().min(NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    named.join(", ") + &more
}
