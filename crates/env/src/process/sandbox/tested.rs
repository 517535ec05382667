//! The sandbox of a proof assistant: tested with its programs, and used for all of them where there is one.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use super::{Confinement, Sandbox};
use crate::environment::Finding;
use crate::error::EnvError;
use crate::process::scratch::Scratch;
use crate::process::{ChildProcess, ChildSpec, ExitedProcess, Spawned, run_to_end};

/// Time limit for trying out an assistant in the sandbox.
const TRIAL: Duration = Duration::from_secs(60);

/// A sandbox, and the paths that an assistant needs in it.
#[derive(Debug)]
pub(crate) struct TestedSandbox {
    pub(crate) sandbox: Sandbox,
    readable: Vec<PathBuf>,
}

/// Why there is no sandbox.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum NoSandbox {
    /// It is disabled.
    #[error("the sandbox is switched off")]
    SwitchedOff,
    /// It is unavailable on this machine.
    #[error("{0}")]
    Missing(String),
}

impl TestedSandbox {
    /// The sandbox of this machine, or why there is none.
    pub(crate) async fn new(readable: Vec<PathBuf>) -> Result<Self, String> {
        Ok(Self { sandbox: Sandbox::probe().await?, readable })
    }

    /// Runs the assistant on an empty file of this name, since only that shows whether the paths suffice. `program`
    /// fills in all but the folder.
    pub(crate) async fn try_out(
        &self,
        assistant: &str,
        file: &str,
        program: ChildSpec,
    ) -> Result<(), String> {
        let failed = |why: String| format!("{assistant} does not run within the sandbox: {}", why.trim());
        let folder = Scratch::new().map_err(|error| failed(error.to_string()))?;
        std::fs::write(folder.path().join(file), "").map_err(|error| failed(error.to_string()))?;
        let spec = ChildSpec { directory: folder.path().to_owned(), ..program };
        let confinement = self.confinement(folder.path());
        match self.sandbox.run_to_end(&spec, &confinement, "trying it out", TRIAL, 1 << 16).await {
            Ok(ExitedProcess { exit, .. }) if exit.code == Some(0) => Ok(()),
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

/// What an assistant's children run in: the sandbox or, without one, only their folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used<'a>(Option<&'a TestedSandbox>);

impl<'a> Used<'a> {
    /// Decides it. A sandbox that is unexpectedly unavailable is logged, once for each `warned`.
    pub(crate) fn of(
        found: Result<&'a TestedSandbox, &NoSandbox>,
        assistant: &str,
        warned: &'static Once,
    ) -> Self {
        if let Err(NoSandbox::Missing(why)) = found {
            warned.call_once(|| {
                tracing::warn!("{assistant} runs without a sandbox, in searches and in checks: {why}");
            });
        }
        Self(found.ok())
    }

    /// Starts a child with a writable working directory.
    pub(crate) fn spawn(self, spec: ChildSpec) -> Result<Spawned, EnvError> {
        match self.0 {
            Some(tested) => tested.sandbox.spawn(&spec, &tested.confinement(&spec.directory)),
            None => ChildProcess::spawn(&unconfined(spec)),
        }
    }

    /// Starts a child that may also read these paths.
    pub(crate) fn spawn_reading(self, spec: ChildSpec, more: Vec<PathBuf>) -> Result<Spawned, EnvError> {
        let Some(tested) = self.0 else { return self.spawn(spec) };
        let readable = [&tested.readable[..], &more].concat();
        let confinement = Confinement { readable: &readable, writable: &spec.directory };
        tested.sandbox.spawn(&spec, &confinement)
    }

    /// Runs such a child to its end, like [`run_to_end`].
    pub(crate) async fn run_to_end(
        self,
        spec: ChildSpec,
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<ExitedProcess, EnvError> {
        match self.0 {
            Some(tested) => {
                let confinement = tested.confinement(&spec.directory);
                tested.sandbox.run_to_end(&spec, &confinement, doing, limit, max_output).await
            }
            None => run_to_end(&unconfined(spec), doing, limit, max_output).await,
        }
    }
}

/// What `doctor` says of it.
pub(crate) fn finding(found: Result<&TestedSandbox, &NoSandbox>) -> Finding {
    let found = match found {
        Ok(tested) => Ok(format!("{}, tested", tested.sandbox.version())),
        Err(why @ NoSandbox::SwitchedOff) => Err(why.to_string()),
        Err(NoSandbox::Missing(why)) => Err(format!("searches and checks run without a sandbox: {why}")),
    };
    Finding { what: "sandbox".to_owned(), found, remedy: None, needed: false }
}

/// The same child without a sandbox. Its temporary files too must be removed with its folder.
fn unconfined(mut spec: ChildSpec) -> ChildSpec {
    spec.env.push(("TMPDIR".to_owned(), spec.directory.to_string_lossy().into_owned()));
    spec
}
