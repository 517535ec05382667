//! How the REPL and Pantograph are found and started.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::premises::Premises;
use andor_env::error::EnvError;
use andor_process::{ChildProcess, ChildSpec, ResourceLimits, Spawned, run_to_end};

/// Limits for what a program tells about itself.
const FOR_AN_ANSWER: Duration = Duration::from_secs(20);
const MAX_ANSWER_BYTES: usize = 1 << 16;

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

    /// What to do where it is missing.
    fn hint(self) -> &'static str {
        match self {
            Self::Repl => {
                "build https://github.com/leanprover-community/repl with the project's Lean, as a package of the project or as `lean-repl` on PATH"
            }
            Self::Pantograph => {
                "build https://github.com/leanprover/Pantograph with the project's Lean, as a package of the project or as `pantograph` on PATH"
            }
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
pub struct Launch(Kind);

#[derive(Clone)]
enum Kind {
    /// A program with the arguments that come before those that a theorem needs.
    Given(PathBuf, Vec<String>),
    /// What is found for an installed Lean.
    Found(Program, Arc<Premises>),
}

impl Launch {
    /// A program that needs no Lean, and is not confined.
    pub fn new(program: PathBuf, args: Vec<String>) -> Self {
        Self(Kind::Given(program, args))
    }

    /// A program that works with an installed Lean, in the sandbox if there is one. It is looked for when it is started.
    pub(super) fn beside(premises: Arc<Premises>, program: Program) -> Self {
        Self(Kind::Found(program, premises))
    }

    /// The program, as errors show it.
    pub(super) fn shown(&self) -> String {
        match &self.0 {
            Kind::Given(program, _) => program.display().to_string(),
            Kind::Found(program, _) => program.names()[0].to_owned(),
        }
    }

    /// Starts the server in a folder of its own: what it finds there must not differ between runs.
    pub(super) async fn spawn(&self, args: &[String], directory: &Path) -> Result<Spawned, EnvError> {
        let spec = self.spec(args, directory).await?;
        let Kind::Found(_, premises) = &self.0 else { return Ok(ChildProcess::spawn(&spec)?) };
        let beside = Path::new(&spec.program).parent().map(Path::to_owned).into_iter().collect();
        Ok(premises.used().await.spawn_reading(spec, beside)?)
    }

    /// What it prints for some arguments.
    pub(super) async fn ask(&self, args: &[&str], directory: &Path) -> Result<String, EnvError> {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        let doing = format!("asking `{} {}`", self.shown(), args.join(" "));
        let spec = self.spec(&args, directory).await?;
        Ok(run_to_end(&spec, &doing, FOR_AN_ANSWER, MAX_ANSWER_BYTES).await?.stdout)
    }

    async fn spec(&self, args: &[String], directory: &Path) -> Result<ChildSpec, EnvError> {
        let (program, before, env) = match &self.0 {
            Kind::Given(program, before) => (program.clone(), &before[..], Vec::new()),
            Kind::Found(program, premises) => {
                let missing = || EnvError::Missing { program: self.shown(), hint: program.hint().to_owned() };
                let found = program.find(premises.config().project.as_deref()).ok_or_else(missing)?;
                // The sandbox has the folder of the program itself, not that of a link to it.
                let found = std::fs::canonicalize(&found).unwrap_or(found);
                // For the project's modules; and without `LEAN_SYSROOT`, the REPL runs `lean` at every command.
                (found, &[][..], premises.toolchain().await?.environment())
            }
        };
        Ok(ChildSpec {
            program: program.to_string_lossy().into_owned(),
            args: before.iter().chain(args).cloned().collect(),
            env,
            directory: directory.to_owned(),
            // Lean maps its modules into memory; the session limits what it uses.
            limits: ResourceLimits::default(),
        })
    }
}
