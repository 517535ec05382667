//! How the REPL and Pantograph are found and started.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::premises::Premises;
use crate::error::EnvError;
use crate::process::sandbox::Confinement;
use crate::process::{ChildProcess, ChildSpec, ResourceLimits, Spawned, run_to_end};

/// The servers beside Lean's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// The community's REPL.
    Repl,
    /// Pantograph.
    Pantograph,
}

impl Program {
    /// Its names on `PATH`.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Repl => &["lean-repl", "repl"],
            Self::Pantograph => &["pantograph-repl", "pantograph"],
        }
    }

    /// The folders of its package, where a project requires it.
    fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Repl => &["repl", "REPL"],
            Self::Pantograph => &["Pantograph", "pantograph"],
        }
    }

    /// The program that a project builds, else the one on `PATH`.
    pub(super) fn find(self, project: Option<&Path>) -> Option<PathBuf> {
        let built =
            |package: &&str| Some(project?.join(".lake/packages").join(package).join(".lake/build/bin/repl"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let on_path =
            self.names().iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        let mut candidates = self.packages().iter().filter_map(built).chain(on_path);
        candidates.find(|program| program.is_absolute() && program.is_file())
    }
}

/// A server that is a program of its own, built for the version of Lean that the project has.
#[derive(Clone)]
pub struct Launch {
    program: PathBuf,
    /// Arguments before those that a theorem needs.
    args: Vec<String>,
    /// The Lean it works with, and the sandbox.
    premises: Option<Arc<Premises>>,
}

impl Launch {
    /// A program that needs no Lean, and is not confined.
    pub fn new(program: PathBuf, args: Vec<String>) -> Self {
        Self { program, args, premises: None }
    }

    /// A program that works with an installed Lean, in the sandbox if there is one.
    pub(super) fn beside(premises: Arc<Premises>, program: PathBuf) -> Self {
        Self { program, args: Vec::new(), premises: Some(premises) }
    }

    /// The name shown in errors.
    pub(super) fn shown(&self) -> String {
        self.program.display().to_string()
    }

    /// Starts the server in a folder of its own: what it finds there must not differ between runs.
    pub(super) async fn spawn(&self, args: &[String], directory: &Path) -> Result<Spawned, EnvError> {
        let mut spec = self.spec(args, directory);
        let Some(premises) = &self.premises else { return ChildProcess::spawn(&spec) };
        let toolchain = premises.toolchain().await?;
        // For the project's modules; and without the second, the REPL runs `lean` at every command.
        spec.env = toolchain.environment();
        let Ok(walls) = premises.walls().await else { return ChildProcess::spawn(&spec) };
        let mut readable = toolchain.folders();
        let program = std::fs::canonicalize(&self.program).unwrap_or_else(|_| self.program.clone());
        readable.extend(program.parent().map(Path::to_owned));
        walls.sandbox.spawn(&spec, &Confinement { readable: &readable, writable: directory })
    }

    /// What it prints for some arguments.
    pub(super) async fn ask(&self, args: &[&str], directory: &Path) -> Result<String, EnvError> {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let doing = format!("asking `{} {}`", self.shown(), args.join(" "));
        let limit = std::time::Duration::from_secs(20);
        Ok(run_to_end(&self.spec(&args, directory), &doing, limit, 1 << 16).await?.stdout)
    }

    fn spec(&self, args: &[String], directory: &Path) -> ChildSpec {
        ChildSpec {
            program: self.program.to_string_lossy().into_owned(),
            args: self.args.iter().chain(args).cloned().collect(),
            env: Vec::new(),
            directory: directory.to_owned(),
            // Lean maps its modules into memory; the session limits what it uses.
            limits: ResourceLimits::default(),
        }
    }
}
