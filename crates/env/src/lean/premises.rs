//! Where Lean's programs run: in a sandbox if one is available, since all of them read untrusted input.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::LeanConfig;
use super::toolchain::Toolchain;
use crate::error::EnvError;
use crate::process::sandbox::{Confinement, Sandbox};
use crate::process::scratch::Scratch;
use crate::process::{ChildProcess, ChildSpec, ExitedProcess, Spawned, run_to_end};

/// Time limit for trying out Lean in the sandbox.
const TRIAL: Duration = Duration::from_secs(60);

/// Starts Lean's programs, each in a writable folder of its own, in the sandbox if there is one.
pub(super) struct Premises {
    config: LeanConfig,
    toolchain: OnceCell<Toolchain>,
    walls: OnceCell<Result<Walls, NoWalls>>,
}

/// A sandbox, and the folders that Lean needs in it.
#[derive(Debug)]
pub(super) struct Walls {
    pub(super) sandbox: Sandbox,
    readable: Vec<PathBuf>,
}

/// Why there is no sandbox.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum NoWalls {
    /// It is disabled.
    #[error("the sandbox is switched off")]
    SwitchedOff,
    /// It is unavailable on this machine.
    #[error("{0}")]
    Missing(String),
}

impl Premises {
    pub(super) fn new(config: LeanConfig) -> Self {
        Self { config, toolchain: OnceCell::new(), walls: OnceCell::new() }
    }

    pub(super) fn config(&self) -> &LeanConfig {
        &self.config
    }

    /// The Lean of this configuration. The first call looks for it.
    pub(super) async fn toolchain(&self) -> Result<&Toolchain, EnvError> {
        let find = async || match &self.config.toolchain {
            Some(toolchain) => Ok(toolchain.clone()),
            None => Toolchain::find(self.config.project.as_deref()).await,
        };
        self.toolchain.get_or_try_init(find).await
    }

    /// The sandbox, or why there is none. The first call looks for it.
    pub(super) async fn walls(&self) -> Result<&Walls, &NoWalls> {
        let build = async || match (self.config.sandbox, self.toolchain().await) {
            (false, _) => Err(NoWalls::SwitchedOff),
            (true, Err(error)) => Err(NoWalls::Missing(error.to_string())),
            (true, Ok(toolchain)) => Walls::build(toolchain).await.map_err(NoWalls::Missing),
        };
        self.walls.get_or_init(build).await.as_ref()
    }

    /// Starts a child with a writable working directory.
    pub(super) async fn spawn(&self, spec: ChildSpec) -> Result<Spawned, EnvError> {
        match self.used().await {
            Some(walls) => walls.sandbox.spawn(&spec, &walls.confinement(&spec.directory)),
            None => ChildProcess::spawn(&unconfined(spec)),
        }
    }

    /// Runs such a child to its end, like [`run_to_end`].
    pub(super) async fn run_to_end(
        &self,
        spec: ChildSpec,
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<ExitedProcess, EnvError> {
        match self.used().await {
            Some(walls) => {
                let confinement = walls.confinement(&spec.directory);
                walls.sandbox.run_to_end(&spec, &confinement, doing, limit, max_output).await
            }
            None => run_to_end(&unconfined(spec), doing, limit, max_output).await,
        }
    }

    /// The sandbox for a child about to be started. If it is unexpectedly unavailable, this is logged once.
    async fn used(&self) -> Option<&Walls> {
        static WARNED: Once = Once::new();
        match self.walls().await {
            Ok(walls) => Some(walls),
            Err(NoWalls::SwitchedOff) => None,
            Err(NoWalls::Missing(why)) => {
                WARNED.call_once(|| {
                    tracing::warn!("Lean runs without a sandbox, in searches and in checks: {why}");
                });
                None
            }
        }
    }
}

/// The same child without a sandbox. Its temporary files too must be removed with its folder.
fn unconfined(mut spec: ChildSpec) -> ChildSpec {
    spec.env.push(("TMPDIR".to_owned(), spec.directory.to_string_lossy().into_owned()));
    spec
}

impl Walls {
    /// Builds and tests a sandbox in which Lean can run; or returns why there is none.
    async fn build(toolchain: &Toolchain) -> Result<Self, String> {
        let walls = Self { sandbox: Sandbox::probe().await?, readable: toolchain.folders() };
        // Whether the folders suffice for Lean can only be tested.
        let failed = |why: String| format!("Lean does not run within the sandbox: {}", why.trim());
        let folder = Scratch::new().map_err(|error| failed(error.to_string()))?;
        std::fs::write(folder.path().join("empty.lean"), "").map_err(|error| failed(error.to_string()))?;
        let spec = ChildSpec {
            program: toolchain.lean.to_string_lossy().into_owned(),
            args: vec!["empty.lean".to_owned()],
            env: toolchain.environment(),
            directory: folder.path().to_owned(),
            limits: Default::default(),
        };
        let confinement = walls.confinement(folder.path());
        let ran = walls.sandbox.run_to_end(&spec, &confinement, "trying it out", TRIAL, 1 << 16).await;
        match ran {
            Ok(ExitedProcess { exit, .. }) if exit.code == Some(0) => Ok(walls),
            Ok(ExitedProcess { exit, stdout }) => {
                Err(failed(format!("{}: {}{}", exit.status, stdout.trim(), exit.stderr.trim())))
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    fn confinement<'a>(&'a self, folder: &'a Path) -> Confinement<'a> {
        Confinement { readable: &self.readable, writable: folder }
    }
}
