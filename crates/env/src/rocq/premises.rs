//! Where Rocq's programs run: in a sandbox if one is available, since all of them read untrusted input.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::compiler::{library_folder, program};
use super::{RocqConfig, dialect, find};
use crate::error::EnvError;
use crate::process::sandbox::{self, Confinement, Sandbox};
use crate::process::scratch::Scratch;
use crate::process::{ChildProcess, ChildSpec, ExitedProcess, Spawned, run_to_end};

/// Environment variables with library folders.
const LIBRARY_VARIABLES: &[&str] = &["OCAMLPATH", "ROCQPATH", "COQPATH", "COQLIB", "ROCQLIB"];

/// Time limit for testing Rocq in the sandbox.
const TRIAL: Duration = Duration::from_secs(60);

/// Starts Rocq's programs, each in a writable folder of its own, in the sandbox if there is one.
pub(super) struct Premises {
    config: RocqConfig,
    walls: OnceCell<Result<Walls, NoWalls>>,
}

/// A sandbox, and the paths that Rocq needs in it.
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
    pub(super) fn new(config: RocqConfig) -> Self {
        Self { config, walls: OnceCell::new() }
    }

    /// The sandbox, or why there is none. The first call looks for it.
    pub(super) async fn walls(&self) -> Result<&Walls, &NoWalls> {
        let build = async || match self.config.sandbox {
            true => Walls::build(&self.config).await.map_err(NoWalls::Missing),
            false => Err(NoWalls::SwitchedOff),
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
                    tracing::warn!("Rocq runs without a sandbox, in searches and in checks: {why}");
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
    /// Builds and tests a sandbox in which Rocq can run; or returns why there is none.
    async fn build(config: &RocqConfig) -> Result<Self, String> {
        let compiler = program(dialect::COMPILERS).map_err(|e| e.to_string())?;
        let library = library_folder(&compiler).await.map_err(|e| e.to_string())?;
        let walls = Self { sandbox: Sandbox::probe().await?, readable: readable(config, &library) };
        let hidden = sandbox::hidden();
        if walls.readable.iter().any(|path| hidden.iter().any(|hidden| path.starts_with(hidden))) {
            // Whether the listed paths suffice for Rocq can only be tested.
            walls.try_out(&compiler).await?;
        }
        Ok(walls)
    }

    /// Runs Rocq on an empty file, which loads its prelude and plugins.
    async fn try_out(&self, compiler: &Path) -> Result<(), String> {
        let failed = |why: String| format!("Rocq does not run within the sandbox: {}", why.trim());
        let folder = Scratch::new().map_err(|error| failed(error.to_string()))?;
        std::fs::write(folder.path().join("empty.v"), "").map_err(|error| failed(error.to_string()))?;
        let compiler = compiler.to_string_lossy().into_owned();
        let spec = ChildSpec {
            args: dialect::compile_args(&compiler, "empty.v"),
            program: compiler,
            env: Vec::new(),
            directory: folder.path().to_owned(),
            limits: Default::default(),
        };
        let confinement = self.confinement(folder.path());
        let ran = self.sandbox.run_to_end(&spec, &confinement, "trying it out", TRIAL, 1 << 16).await;
        match ran {
            Ok(ExitedProcess { exit, .. }) if exit.code == Some(0) => Ok(()),
            Ok(ExitedProcess { exit, .. }) => Err(failed(format!("{}: {}", exit.status, exit.stderr.trim()))),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    fn confinement<'a>(&'a self, folder: &'a Path) -> Confinement<'a> {
        Confinement { readable: &self.readable, writable: folder }
    }
}

/// The paths that Rocq needs although they may be in hidden folders, such as an opam switch in the user's home: its
/// programs, its libraries and what accompanies them (plugins, OCaml libraries), and the libraries of this
/// configuration.
fn readable(config: &RocqConfig, library: &Path) -> Vec<PathBuf> {
    let real = |path: PathBuf| std::fs::canonicalize(&path).ok();
    let programs = [dialect::COMPILERS, dialect::SERVERS, dialect::KERNELS].into_iter().filter_map(find);
    // A program may be a link to its real location.
    let programs = programs.flat_map(|program| [real(program.clone()), Some(program)]).flatten();
    let folders = programs.filter_map(|program| program.parent().map(Path::to_owned));
    let library = real(library.to_owned()).into_iter();
    let libraries =
        library.flat_map(|library| [library.parent().map(Path::to_owned), Some(library)]).flatten();
    let variables = LIBRARY_VARIABLES.iter().filter_map(std::env::var_os);
    let named = variables.flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>());
    let hidden = sandbox::hidden();
    // This does not justify exposing the whole home folder.
    let found = folders.chain(libraries).chain(named).filter_map(real).filter(|path| !hidden.contains(path));
    let mut readable: Vec<PathBuf> =
        found.chain(config.load_path.iter().map(|bound| bound.folder.clone())).collect();
    readable.sort();
    readable.dedup();
    readable
}
