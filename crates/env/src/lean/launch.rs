//! How the REPL and Pantograph are started.

use std::path::{Path, PathBuf};

use crate::error::EnvError;
use crate::process::{ChildProcess, ChildSpec, ResourceLimits, Spawned};

/// A server that is a program of its own, built for the version of Lean that the project has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Arguments before those that a theorem needs.
    pub args: Vec<String>,
    /// Environment variables: `LEAN_PATH`, for the project's modules, and `LEAN_SYSROOT`, without which the REPL runs `lean` at
    /// every command.
    pub environment: Vec<(String, String)>,
    /// The limits of the process.
    pub limits: ResourceLimits,
}

impl Launch {
    /// The name shown in errors.
    pub(super) fn shown(&self) -> String {
        self.program.display().to_string()
    }

    pub(super) fn spec(&self, args: &[String], directory: &Path) -> ChildSpec {
        ChildSpec {
            program: self.program.to_string_lossy().into_owned(),
            args: self.args.iter().chain(args).cloned().collect(),
            env: self.environment.clone(),
            directory: directory.to_owned(),
            limits: self.limits,
        }
    }

    /// Starts the server in a folder of its own: what it finds there must not differ between runs.
    pub(super) fn spawn(&self, args: &[String], directory: &Path) -> Result<Spawned, EnvError> {
        ChildProcess::spawn(&self.spec(args, directory))
    }
}
