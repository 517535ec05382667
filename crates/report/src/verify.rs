//! Recomputes what a run's folder says: its searches from their traces and journals, its proofs from theorem and script.
//!
//! Taken as given are the theorems and the configuration in `run.db`; no digest in the folder is. What is found not to
//! hold is a [`Remark`] with the place where it stands, and so is what cannot be recomputed here.

mod proofs;
mod records;
mod rollouts;
mod searches;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use andor_artifact::files::FileError;
use andor_artifact::result::AttemptResult;
use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_run::basin;
use andor_run::blueprint::{self, Blueprint};
use andor_run::folder::{FolderError, RunFolder};
use andor_run::store::{Store, StoreError};
use serde::Serialize;

use crate::trace::replay::{ReplayError, SearchSummary};

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The run's folder, the folder of one of its theorems or attempts, or one of their files.
    pub path: &'a Path,
    /// Only this theorem.
    pub theorem: Option<&'a str>,
    /// Only attempts with this number.
    pub attempt: Option<u32>,
    /// Follow the recorded choices of searches instead of making them again.
    pub follow: bool,
    /// Whether the proof assistants run in the sandbox, whatever the run says.
    pub sandbox: bool,
    /// The number of proofs that are judged at the same time.
    pub jobs: usize,
    /// What was to be proved, as the user has it.
    pub trusted: Option<&'a Trusted>,
}

/// What was to be proved.
#[derive(Clone, PartialEq, Debug)]
pub enum Trusted {
    /// Theorems.
    Theorems(Vec<Theorem>),
    /// A blueprint.
    Blueprint(Box<Blueprint>),
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Verified {
    /// What does not hold.
    pub fails: Vec<Remark>,
    /// What is claimed and was not recomputed.
    pub not_recomputed: Vec<Remark>,
    /// The searches that were rebuilt, by the file of the trace.
    pub searches: BTreeMap<String, SearchSummary>,
    /// Proofs that were judged again and accepted, by the number of the level.
    pub proofs: BTreeMap<u8, u64>,
    /// The axioms on which these proofs depend.
    pub axioms: BTreeSet<String>,
    /// The known bugs that they need and that the run's configuration trusts.
    pub trusted_bugs: BTreeSet<String>,
    /// The libraries up to whose universes polymorphic theorems are proved.
    pub universes: BTreeSet<String>,
    /// The folders, named by the run, whose modules the theorems may mean: its load path and its project.
    pub folders: BTreeSet<PathBuf>,
    /// Accepted proofs that could not be judged here.
    pub unjudged: u64,
}

/// Something about a place in the folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Remark {
    /// The file in the folder.
    pub file: String,
    /// The theorem's id, of something about one in a file about several.
    pub theorem: Option<String>,
    /// The attempt's number, likewise.
    pub attempt: Option<u32>,
    /// What it is.
    pub what: String,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(theorem) = &self.theorem {
            write!(f, ", `{theorem}`")?;
        }
        if let Some(attempt) = self.attempt {
            write!(f, ", attempt {attempt}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Why a folder cannot be verified. What does not hold is no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It is no run.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// What a run of a blueprint left cannot be read.
    #[error(transparent)]
    Blueprint(#[from] Box<blueprint::AgainError>),
    /// A trace cannot be read.
    #[error("{}: {error}", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ReplayError,
    },
    /// The run has no such theorem, or no such attempt at it.
    #[error("the run has no theorem or attempt that --theorem and --attempt select")]
    NothingSelected,
}

/// An attempt with a stored result.
#[derive(Clone)]
struct Stored {
    theorem: Theorem,
    result: AttemptResult,
    /// The configuration with which the run makes it.
    config: Config,
    /// The number of the run's configuration that this is derived from.
    of: usize,
}

/// A run as it is stored.
struct Run {
    folder: RunFolder,
    /// The selected attempts, with their results exactly as they are stored.
    attempts: Vec<Stored>,
    /// First its own configuration, then those with which it was resumed.
    configs: Vec<Config>,
    is_whole: bool,
}

impl Run {
    fn read(request: &Request<'_>) -> Result<Self, VerifyError> {
        let folder = RunFolder::read_part(request.path)?;
        let parts: BTreeSet<(String, u32)> =
            folder.results.iter().map(|result| (result.theorem.clone(), result.attempt)).collect();
        let is_of_blueprint = folder.path.join(blueprint::FILE).is_file();
        let configs = records::configs(&folder);
        let mut attempts = Vec::new();
        Store::read(&folder.path.join("run.db"))?.visit_stored::<StoreError>(|theorem, result| {
            let is_selected = request.theorem.is_none_or(|id| id == theorem.id)
                && request.attempt.is_none_or(|number| number == result.attempt)
                && parts.contains(&(result.theorem.clone(), result.attempt));
            if is_selected {
                let of = |config: &Config| match is_of_blueprint {
                    true => blueprint::config_of_attempt(config, &theorem.id, result.attempt),
                    false => basin::config_of_attempt(config, result.attempt),
                };
                // The one that the result names, or else the run's own.
                let all: Vec<Config> = configs.iter().map(of).collect();
                let named = all.iter().position(|config| config.digest() == result.config_digest);
                let of = named.unwrap_or_default();
                let config = all[of].clone();
                attempts.push(Stored { theorem: theorem.clone(), result, config, of });
            }
            Ok(())
        })?;
        let is_whole = folder.part.is_none() && request.theorem.is_none() && request.attempt.is_none();
        if attempts.is_empty() && !is_whole {
            return Err(VerifyError::NothingSelected);
        }
        Ok(Self { folder, attempts, configs, is_whole })
    }
}

impl Verified {
    /// Whether everything that was recomputed holds.
    pub fn holds(&self) -> bool {
        self.fails.is_empty()
    }

    fn fail(&mut self, file: &str, of: Option<&AttemptResult>, what: impl Into<String>) {
        self.fails.push(remark(file, of, what));
    }

    fn skip(&mut self, file: &str, of: Option<&AttemptResult>, what: impl Into<String>) {
        self.not_recomputed.push(remark(file, of, what));
    }
}

fn remark(file: &str, of: Option<&AttemptResult>, what: impl Into<String>) -> Remark {
    Remark {
        file: file.to_owned(),
        theorem: of.map(|result| result.theorem.clone()),
        attempt: of.map(|result| result.attempt),
        what: what.into(),
    }
}

/// Verifies a run, or a part of one. `watch` is told how many of its searches and proofs are done, and how many there are.
///
/// # Errors
///
/// It cannot be read.
pub async fn run(
    request: &Request<'_>,
    watch: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Verified, VerifyError> {
    let run = Run::read(request)?;
    let mut found = Verified::default();
    let total = (run.attempts.len() + proofs::accepted(&run).count()) as u64;
    let mut done = 0;
    let mut tick = || {
        done += 1;
        watch(done, total);
    };
    if run.is_whole {
        records::verify(&run, &mut found)?;
    }
    match request.trusted {
        Some(Trusted::Theorems(theorems)) => records::theorems(&run, theorems, &mut found),
        Some(Trusted::Blueprint(trusted)) => {
            for (theorem, what) in blueprint::compare(&run.folder.path, trusted).map_err(Box::new)? {
                found.fails.push(Remark { theorem, ..remark(blueprint::FILE, None, what) });
            }
        }
        None => {}
    }
    for stored in &run.attempts {
        records::result(&run, stored, &mut found);
    }
    searches::verify(&run, request.follow, &mut found, &mut tick)?;
    rollouts::verify(&run, request.sandbox, &mut found, &mut tick).await?;
    proofs::verify(&run, request, &mut found, &mut tick).await?;
    Ok(found)
}

/// Verifies a trace that lies in no run.
///
/// # Errors
///
/// It cannot be read.
pub fn trace(path: &Path, follow: bool) -> Result<Verified, VerifyError> {
    let mut found = Verified::default();
    let name = path.display().to_string();
    if searches::rebuilt(path, &name, follow, &mut found)?.is_none() && found.holds() {
        return Err(VerifyError::Trace { path: path.to_owned(), error: ReplayError::Empty });
    }
    found.skip(&name, None, "theorem, configuration and proof: it lies in no run folder");
    Ok(found)
}
