//! Lean's own kernel as a second judge of what `mini` proves, where a Lean is installed.
//!
//! What is put to it is written by `mini` from checked declarations: terms, and no text of the submission but names.

use std::time::Duration;

use andor_mini::judge::File;
use andor_mini::lean_term::{Unwritable, comparison};
use andor_mini::prover::Theory;
use tokio::sync::OnceCell;

use super::source::{FileError, with_named_examples};
use andor_env::error::EnvError;
use andor_env::other_kernel::{Opinion, OtherKernel};

/// Time limit of the comparison of libraries.
const LIMIT: Duration = Duration::from_secs(60);

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
    found: OnceCell<Result<String, NoLean>>,
}

/// Why no Lean can be asked.
#[derive(Clone, Debug)]
pub(super) enum NoLean {
    /// None is installed whose core library is as `mini` takes it to be.
    Absent(String),
    /// One is installed, and does not answer.
    Silent(String),
}

impl SecondKernel {
    /// The name of the given kernel, if its core library is as `mini` takes it to be.
    pub(super) async fn name(&self, given: Option<&dyn OtherKernel>) -> Result<&str, &NoLean> {
        let missing = |error: EnvError| match error {
            EnvError::Missing { .. } => NoLean::Absent(error.to_string()),
            error => NoLean::Silent(error.to_string()),
        };
        let find = async {
            let Some(given) = given else {
                return Err(NoLean::Absent("no other kernel is given".to_owned()));
            };
            let kernel = given.name().await.map_err(missing)?;
            let text = comparison(&Theory::prelude().env).expect("the prelude can be written");
            match given.opinion(&text, LIMIT).await {
                Opinion::Accepts => Ok(kernel),
                Opinion::Refuses(error) => {
                    Err(NoLean::Absent(format!("the core library of {kernel} is not that of mini: {error}")))
                }
                Opinion::Silent(why) => Err(NoLean::Silent(format!(
                    "{kernel} could not compare its core library with mini's: {why}"
                ))),
            }
        };
        self.found.get_or_init(|| find).await.as_deref()
    }
}
