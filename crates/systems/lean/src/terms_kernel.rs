//! Lean's kernel as a second judge of proofs that another system wrote as terms.

use std::time::Duration;

use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, ExitedProcess, ResourceLimits, run_to_end};
use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::toolchain::Toolchain;
use andor_env::error::EnvError;
use andor_env::other_kernel::{Opinion, OtherKernel};

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

/// The kernel of a Lean, which is found at the first question.
#[derive(Debug, Default)]
pub struct TermsKernel {
    given: Option<Toolchain>,
    found: OnceCell<Toolchain>,
}

impl TermsKernel {
    /// The kernel of a given Lean; if `None`, of one that is installed.
    pub fn new(given: Option<Toolchain>) -> Self {
        Self { given, found: OnceCell::new() }
    }

    async fn toolchain(&self) -> Result<&Toolchain, EnvError> {
        let find = async || match &self.given {
            Some(toolchain) => Ok(toolchain.clone()),
            None => Toolchain::find(None).await,
        };
        self.found.get_or_try_init(find).await
    }
}

#[async_trait]
impl OtherKernel for TermsKernel {
    async fn name(&self) -> Result<String, EnvError> {
        Ok(format!("Lean {}", self.toolchain().await?.version))
    }

    async fn opinion(&self, text: &str, limit: Duration) -> Opinion {
        let answer = async { asked(self.toolchain().await?, text, limit).await };
        answer.await.unwrap_or_else(|error| Opinion::Silent(error.to_string()))
    }
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
