//! The folder of a run, read back: what was run, with what, and what came of it.

use std::path::{Path, PathBuf};

use andor_artifact::files::{FileError, read_json};
use andor_artifact::result::AttemptResult;
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_config::Config;
use andor_dataset::Problem;

use crate::store::{Store, StoreError};

/// A run, finished or not.
#[derive(Clone, Debug)]
pub struct RunFolder {
    /// Where it lies.
    pub path: PathBuf,
    /// `run.json`.
    pub record: RunRecord,
    /// The configuration.
    pub config: Config,
    /// The theorems, in order.
    pub problems: Vec<Problem>,
    /// The results so far: theorem by theorem, and by the numbers of the attempts.
    pub results: Vec<AttemptResult>,
}

/// Why a run cannot be read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// There is no run.
    #[error("`{0}` holds no run: it has no run.db; give the folder that --out named")]
    NoRun(PathBuf),
    /// `run.json` cannot be read.
    #[error("{0}; without the file, `andor run --resume` makes it anew from run.db")]
    Record(FileError),
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration is none of this program's.
    #[error("{}: its configuration cannot be read: {why}; use the program that made the run", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        why: serde_json::Error,
    },
}

impl RunFolder {
    /// Reads the run in a folder.
    pub fn read(path: &Path) -> Result<Self, FolderError> {
        let database = path.join("run.db");
        if !database.is_file() {
            return Err(FolderError::NoRun(path.to_owned()));
        }
        let file = path.join("run.json");
        let record: RunRecord = read_json(&file, Kind::Run).map_err(FolderError::Record)?;
        let config = serde_json::from_value(record.config.clone());
        let config = config.map_err(|why| FolderError::Config { path: file, why })?;
        let store = Store::read(&database)?;
        let (problems, results) = (store.problems()?, store.results()?);
        Ok(Self { path: path.to_owned(), record, config, problems, results })
    }

    /// The folder with the files of an attempt.
    pub fn attempt(&self, theorem: &str, attempt: u32) -> PathBuf {
        attempt_folder(&self.path, theorem, attempt)
    }
}

/// How many theorems an error names at most.
const NAMED: usize = 10;

/// The ids of a run's theorems, for errors: the first ones, and how many more there are.
pub fn some_ids(ids: &[String]) -> String {
    let (named, more) = ids.split_at(ids.len().min(NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    named.join(", ") + &more
}

/// The folder, in that of a run, with the files of a theorem.
pub(crate) fn theorem_folder(run: &Path, theorem: &str) -> PathBuf {
    run.join("theorems").join(folder_name(theorem))
}

/// The folder, in that of a run, with the files of an attempt.
pub(crate) fn attempt_folder(run: &Path, theorem: &str, attempt: u32) -> PathBuf {
    theorem_folder(run, theorem).join(format!("attempt-{attempt}"))
}

/// The bytes that the name of a theorem's folder has at most before its digest. File systems allow 255.
const LONGEST_NAME: usize = 200;

/// The name of the folder of a theorem: its id, with what does not belong into a file name written as `%` and
/// two hexadecimal digits per byte, so that different ids have different folders. Of one that would be too long for
/// a file name the beginning is left, with a digest of all of it.
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
    if name.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|&at| name.is_char_boundary(at));
        name.truncate(end.expect("the beginning is a boundary"));
        // No other name has this: after `%` stand hexadecimal digits there.
        name.push_str(&format!("%-{}", &blake3::hash(id.as_bytes()).to_hex()[..16]));
    }
    name
}
