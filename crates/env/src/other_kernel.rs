//! Another system's kernel as a second judge.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::error::EnvError;

/// A kernel of another system, which is asked about proofs that were written for it.
#[async_trait]
pub trait OtherKernel: fmt::Debug + Send + Sync {
    /// Its name and version, such as `Lean 4.35.0`.
    ///
    /// # Errors
    ///
    /// [`EnvError::Missing`] if it is not installed.
    async fn name(&self) -> Result<String, EnvError>;

    /// What it says about a file, within a time limit.
    async fn opinion(&self, text: &str, limit: Duration) -> Opinion;
}

/// What another kernel says about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// It accepts it.
    Accepts,
    /// It refuses it, with its first error.
    Refuses(String),
    /// It gave up, for this reason.
    Silent(String),
}
