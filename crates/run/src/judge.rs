//! Judging a finished proof outside a search.

use std::path::{Path, PathBuf};

use andor_core::theorem::System;
use andor_env::checker::{Claim, judge};
use andor_env::{mini, rocq};

pub use andor_env::checker::{Level, Reason, Verdict};

use crate::config::Config;
use crate::registry::{self, RegistryError};

/// Why a file cannot be judged. A rejection is no error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The operating system refuses. The message names the file.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// No checker reads such files.
    #[error("{}: unknown kind of file: this version checks `.v` and `.lean` files", .0.display())]
    UnknownKind(PathBuf),
    /// The text is not what it should be.
    #[error("{}: the file is malformed: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// There is nothing to judge.
    #[error("{}: the file states no theorem; name one with --theorem", .0.display())]
    NoTheorem(PathBuf),
    /// The system cannot be had.
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

/// What was judged, and the verdict.
#[derive(Debug)]
pub struct Judgement {
    /// The theorems.
    pub theorems: Vec<String>,
    /// The verdict on all of them together.
    pub verdict: Verdict,
}

/// Judges the theorems of a file, from scratch; all those that can be called by their names at its end, when none is
/// named. What they state is said by another file, or else by the same.
pub async fn file(
    path: &Path,
    named: &[String],
    statement_from: Option<&Path>,
    config: &Config,
) -> Result<Judgement, JudgeError> {
    let system = match path.extension().and_then(|e| e.to_str()) {
        Some("v") => System::Rocq,
        Some("lean") => System::Mini,
        _ => return Err(JudgeError::UnknownKind(path.to_owned())),
    };
    let text = fs_err::read_to_string(path)?;
    let mut theorems = named.to_vec();
    if theorems.is_empty() {
        let stated = stated(system, &text);
        theorems = stated.map_err(|what| JudgeError::Malformed { path: path.to_owned(), what })?;
    }
    if theorems.is_empty() {
        return Err(JudgeError::NoTheorem(path.to_owned()));
    }
    let environment = registry::environment(system, config)?;
    let challenge = match statement_from {
        Some(trusted) => fs_err::read_to_string(trusted)?,
        None => text.clone(),
    };
    let claim = Claim { submission: text, challenge, theorems: theorems.clone() };
    let verdict = judge(environment.checker(), &claim, config.verify.level.into()).await;
    Ok(Judgement { theorems, verdict })
}

/// The theorems of a file that can be called by their names at its end, or why it cannot be read.
fn stated(system: System, text: &str) -> Result<Vec<String>, String> {
    if system == System::Mini {
        let found = mini::source::theorems(text).map_err(|e| e.to_string())?;
        return Ok(found.into_iter().map(|t| t.name).collect());
    }
    let found = rocq::source::theorems(text).map_err(|e| e.to_string())?;
    Ok(found.into_iter().filter(|t| t.reachable).map(|t| t.name).collect())
}
