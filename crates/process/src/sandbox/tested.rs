//! The sandbox of a proof assistant: tested with its programs, and used for all of them where there is one.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::{Confinement, NoSandbox, Sandbox};
use crate::error::ProcessError;
use crate::scratch::Scratch;
use crate::{ChildProcess, ChildSpec, ExitedProcess, Spawned, run_to_end};

/// Time limit for trying out an assistant in the sandbox.
const TRIAL: Duration = Duration::from_secs(60);

/// How often it is tried.
const TRIALS: usize = 2;

/// A sandbox, and the paths that an assistant needs in it.
#[derive(Debug)]
pub struct TestedSandbox {
    /// The sandbox itself.
    pub sandbox: Sandbox,
    readable: Vec<PathBuf>,
}

impl TestedSandbox {
    /// The sandbox of this machine, or why there is none.
    pub async fn new(readable: Vec<PathBuf>) -> Result<Self, NoSandbox> {
        Ok(Self { sandbox: Sandbox::probe().await?, readable })
    }

    /// Runs the assistant on an empty file of this name, since only that shows whether the paths suffice. `program`
    /// fills in all but the folder. The sandbox itself was tested before, so a failure is the assistant's.
    pub async fn try_out(&self, assistant: &str, file: &str, program: ChildSpec) -> Result<(), NoSandbox> {
        let mut why = String::new();
        // A program that was killed once may run the next time.
        for _ in 0..TRIALS {
            match self.try_once(file, &program).await {
                Ok(()) => return Ok(()),
                Err(again) => why = again,
            }
        }
        Err(NoSandbox::Failed(format!("{assistant} does not run within the sandbox: {}", why.trim())))
    }

    async fn try_once(&self, file: &str, program: &ChildSpec) -> Result<(), String> {
        let folder = Scratch::new().map_err(|error| error.to_string())?;
        std::fs::write(folder.path().join(file), "").map_err(|error| error.to_string())?;
        let spec = ChildSpec { directory: folder.path().to_owned(), ..program.clone() };
        let confinement = self.confinement(folder.path());
        match self.sandbox.run_to_end(&spec, &confinement, "trying it out", TRIAL, 1 << 16).await {
            Ok(ExitedProcess { exit, .. }) if exit.code == Some(0) => Ok(()),
            Ok(ExitedProcess { exit, stdout }) => {
                Err(format!("{}: {}{}", exit.status, stdout.trim(), exit.stderr.trim()))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn confinement<'a>(&'a self, folder: &'a Path) -> Confinement<'a> {
        Confinement { readable: &self.readable, writable: folder }
    }
}

/// What an assistant's children run in.
#[derive(Clone, Debug)]
pub enum Used<'a> {
    /// The sandbox.
    Sandbox(&'a TestedSandbox),
    /// Only their folder.
    Folder,
    /// They do not run, for this reason.
    Nothing(String),
}

impl<'a> Used<'a> {
    /// Decides it. A sandbox that is unexpectedly unavailable is logged, once for each `warned`.
    pub fn of(found: Result<&'a TestedSandbox, NoSandbox>, assistant: &str, warned: &'static Once) -> Self {
        match found {
            Ok(tested) => Self::Sandbox(tested),
            Err(NoSandbox::SwitchedOff) => Self::Folder,
            Err(NoSandbox::Missing(why)) => {
                warned.call_once(|| {
                    tracing::warn!("{assistant} runs without a sandbox, in searches and in checks: {why}");
                });
                Self::Folder
            }
            Err(NoSandbox::Failed(why)) => Self::Nothing(why),
        }
    }

    /// Starts a child with a writable working directory.
    pub fn spawn(self, spec: ChildSpec) -> Result<Spawned, ProcessError> {
        self.spawn_reading(spec, Vec::new())
    }

    /// Starts a child that may also read these paths.
    pub fn spawn_reading(self, spec: ChildSpec, more: Vec<PathBuf>) -> Result<Spawned, ProcessError> {
        match self {
            Self::Sandbox(tested) => {
                let readable = [&tested.readable[..], &more].concat();
                let confinement = Confinement { readable: &readable, writable: &spec.directory };
                tested.sandbox.spawn(&spec, &confinement)
            }
            Self::Folder => ChildProcess::spawn(&unconfined(spec)),
            Self::Nothing(message) => Err(ProcessError::Unconfined { message }),
        }
    }

    /// Runs such a child to its end, like [`run_to_end`].
    pub async fn run_to_end(
        self,
        spec: ChildSpec,
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<ExitedProcess, ProcessError> {
        self.run_to_end_reading(spec, &[], doing, limit, max_output).await
    }

    /// Runs one that may also read these paths.
    pub async fn run_to_end_reading(
        self,
        spec: ChildSpec,
        more: &[PathBuf],
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<ExitedProcess, ProcessError> {
        match self {
            Self::Sandbox(tested) => {
                let readable = [&tested.readable[..], more].concat();
                let confinement = Confinement { readable: &readable, writable: &spec.directory };
                tested.sandbox.run_to_end(&spec, &confinement, doing, limit, max_output).await
            }
            Self::Folder => run_to_end(&unconfined(spec), doing, limit, max_output).await,
            Self::Nothing(message) => Err(ProcessError::Unconfined { message }),
        }
    }
}

/// What was found out about the sandbox. A failure is not remembered: the next use tries again.
pub async fn remembered(
    cell: &OnceCell<Result<TestedSandbox, NoSandbox>>,
    find: impl AsyncFnOnce() -> Result<TestedSandbox, NoSandbox>,
) -> Result<&TestedSandbox, NoSandbox> {
    let found = cell.get_or_try_init(async || match find().await {
        Err(failed @ NoSandbox::Failed(_)) => Err(failed),
        found => Ok(found),
    });
    found.await?.as_ref().map_err(Clone::clone)
}

/// The same child without a sandbox. Its temporary files too must be removed with its folder.
fn unconfined(mut spec: ChildSpec) -> ChildSpec {
    spec.env.push(("TMPDIR".to_owned(), spec.directory.to_string_lossy().into_owned()));
    spec
}
