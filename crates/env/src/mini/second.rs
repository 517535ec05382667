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
use crate::process::scratch::Scratch;
use crate::process::{ChildSpec, ExitedProcess, ResourceLimits, run_to_end};

/// Time limit of Lean. It elaborates a proof's terms in about a second.
const LIMIT: Duration = Duration::from_secs(60);

/// Output limit of Lean, in bytes. It stops at the first error.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// Errors of Lean that say nothing about a proof: it gave up.
const GAVE_UP: &[&str] = &["maximum recursion depth", "deep recursion", "(deterministic) timeout", "memory"];

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
    found: OnceCell<Option<Toolchain>>,
}

/// What Lean says about a file.
pub(super) enum Opinion {
    Accepts,
    /// With its first error.
    Refuses(String),
}

impl SecondKernel {
    /// A Lean whose core library is as `mini` takes it to be: the given one, or one that is installed. `None` if there
    /// is none.
    pub(super) async fn toolchain(&self, given: Option<&Toolchain>) -> Option<&Toolchain> {
        let find = async {
            let toolchain = match given {
                Some(toolchain) => toolchain.clone(),
                None => Toolchain::find(None).await.ok()?,
            };
            let text = comparison(&Theory::prelude().env).ok()?;
            let opinion = opinion(&toolchain, &text, LIMIT).await.ok()?;
            matches!(opinion, Opinion::Accepts).then_some(toolchain)
        };
        self.found.get_or_init(|| find).await.as_ref()
    }
}

/// What a Lean says about a file. An error says nothing about the file.
pub(super) async fn opinion(lean: &Toolchain, text: &str, limit: Duration) -> Result<Opinion, EnvError> {
    let folder = Scratch::new()?;
    let path = folder.path().join("Terms.lean");
    std::fs::write(&path, text).map_err(|source| EnvError::File {
        action: "cannot write",
        path: path.display().to_string(),
        source,
    })?;
    let spec = ChildSpec {
        program: lean.lean.display().to_string(),
        args: vec!["-DmaxErrors=1".to_owned(), path.display().to_string()],
        env: lean.environment(),
        directory: folder.path().to_owned(),
        limits: ResourceLimits::default(),
    };
    let doing = "checking a proof by Lean's kernel";
    let ExitedProcess { exit, stdout } = run_to_end(&spec, doing, limit.min(LIMIT), MAX_OUTPUT_BYTES).await?;
    match exit.code {
        Some(0) => Ok(Opinion::Accepts),
        Some(1) if stdout.contains(": error") && !GAVE_UP.iter().any(|why| stdout.contains(why)) => {
            let error = stdout.split_once(": error").map_or("", |(_, error)| error);
            let error = error.trim_start_matches([':', ' ']);
            /// Letters of an error that are shown.
            const SHOWN: usize = 500;
            Ok(Opinion::Refuses(error.trim_end().chars().take(SHOWN).collect()))
        }
        _ => Err(EnvError::Died { doing: doing.to_owned(), status: exit.status, stderr: exit.stderr }),
    }
}
