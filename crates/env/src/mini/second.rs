//! Lean's own kernel as a second judge of what `mini` proves, where a Lean is installed.
//!
//! What is put to it is written by `mini` from checked declarations: terms, and no text of the submission but names.

use std::time::Duration;

use andor_mini::judge::File;
use andor_mini::lean_term::{Unwritable, comparison};
use andor_mini::prover::Theory;
use tokio::sync::OnceCell;

use super::source::{FileError, with_named_examples};
use crate::error::EnvError;
use crate::lean::toolchain::Toolchain;
use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, ExitedProcess, ResourceLimits, run_to_end};

/// Time limit of Lean. It elaborates a proof's terms in about a second.
const LIMIT: Duration = Duration::from_secs(60);

/// Output limit of Lean, in bytes. It stops at the first error.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// Beginnings of Lean's errors that say nothing about a proof: it gave up. What follows may quote the submission.
const GAVE_UP: &[&str] = &[
    "maximum recursion depth",
    "(deterministic) timeout",
    "excessive memory",
    "out of memory",
    "(kernel) deep recursion",
    "(kernel) deterministic timeout",
    "(kernel) excessive memory",
    "(kernel) out of memory",
];

/// Why no Lean file can be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LeanTermError {
    /// `mini` refuses the file.
    #[error("mini refuses the file: {0}")]
    File(#[from] FileError),
    /// A theorem of it cannot be written.
    #[error(transparent)]
    Theorem(#[from] Unwritable),
}

/// A Lean file that proves a theorem of a finished file, and all that it depends on, as terms.
pub fn lean_term(text: &str, theorem: &str) -> Result<String, LeanTermError> {
    let file = File::read(&with_named_examples(text)?)?;
    Ok(file.lean_terms(&[theorem.to_owned()])?)
}

/// The Lean that is asked, found at the first question.
#[derive(Default)]
pub(super) struct SecondKernel {
    found: OnceCell<Result<Toolchain, NoLean>>,
}

/// Why no Lean can be asked.
#[derive(Clone, Debug)]
pub(super) enum NoLean {
    /// None is installed whose core library is as `mini` takes it to be.
    Absent(String),
    /// One is installed, and does not answer.
    Silent(String),
}

/// What Lean says about a file.
pub(super) enum Opinion {
    Accepts,
    /// With its first error.
    Refuses(String),
    /// It gave up, for this reason.
    Silent(String),
}

/// The name of a Lean's kernel.
pub(super) fn kernel(lean: &Toolchain) -> String {
    format!("Lean {}", lean.version)
}

impl SecondKernel {
    /// A Lean whose core library is as `mini` takes it to be: the given one, or one that is installed.
    pub(super) async fn toolchain(&self, given: Option<&Toolchain>) -> Result<&Toolchain, &NoLean> {
        let missing = |error: EnvError| match error {
            EnvError::Missing { .. } => NoLean::Absent(error.to_string()),
            error => NoLean::Silent(error.to_string()),
        };
        let find = async {
            let toolchain = match given {
                Some(toolchain) => toolchain.clone(),
                None => Toolchain::find(None).await.map_err(missing)?,
            };
            let text = comparison(&Theory::prelude().env).expect("the prelude can be written");
            let kernel = kernel(&toolchain);
            match opinion(&toolchain, &text, LIMIT).await {
                Opinion::Accepts => Ok(toolchain),
                Opinion::Refuses(error) => {
                    Err(NoLean::Absent(format!("the core library of {kernel} is not that of mini: {error}")))
                }
                Opinion::Silent(why) => Err(NoLean::Silent(format!(
                    "{kernel} could not compare its core library with mini's: {why}"
                ))),
            }
        };
        self.found.get_or_init(|| find).await.as_ref()
    }
}

/// What a Lean says about a file.
pub(super) async fn opinion(lean: &Toolchain, text: &str, limit: Duration) -> Opinion {
    asked(lean, text, limit).await.unwrap_or_else(|error| Opinion::Silent(error.to_string()))
}

async fn asked(lean: &Toolchain, text: &str, limit: Duration) -> Result<Opinion, EnvError> {
    let folder = Scratch::new()?;
    let path = folder.path().join("Terms.lean");
    std::fs::write(&path, text).map_err(|source| EnvError::File {
        action: "cannot write",
        path: path.display().to_string(),
        source,
    })?;
    let spec = ChildSpec {
        program: lean.lean.display().to_string(),
        args: vec!["--json".to_owned(), "-DmaxErrors=1".to_owned(), path.display().to_string()],
        env: lean.environment(),
        directory: folder.path().to_owned(),
        limits: ResourceLimits::default(),
    };
    let doing = "checking a proof by Lean's kernel";
    let ExitedProcess { exit, stdout } = run_to_end(&spec, doing, limit.min(LIMIT), MAX_OUTPUT_BYTES).await?;
    if exit.code == Some(0) {
        return Ok(Opinion::Accepts);
    }
    let Some(error) = first_error(&stdout).filter(|_| exit.code == Some(1)) else {
        return Err(exit.error(doing, limit.min(LIMIT)).into());
    };
    /// Letters of an error that are shown.
    const SHOWN: usize = 500;
    let shown = error.trim_end().chars().take(SHOWN).collect();
    let gave_up = GAVE_UP.iter().any(|beginning| error.starts_with(beginning));
    Ok(if gave_up { Opinion::Silent(shown) } else { Opinion::Refuses(shown) })
}

/// The first error among Lean's messages, one JSON object per line.
fn first_error(messages: &str) -> Option<String> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let error = messages.into_iter().find(|message| message["severity"] == "error")?;
    Some(error["data"].as_str()?.to_owned())
}
