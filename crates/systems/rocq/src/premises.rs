//! Where Rocq's programs run: in a sandbox if one is available, since all of them read untrusted input.

use std::path::{Path, PathBuf};
use std::sync::Once;

use tokio::sync::OnceCell;

use super::compiler::{library_folder, program};
use super::{RocqConfig, dialect, find};
use andor_env::error::EnvError;
use andor_process::ChildSpec;
use andor_process::sandbox::tested::{TestedSandbox, Used, remembered};
use andor_process::sandbox::{self, NoSandbox};

/// Environment variables with library folders.
const LIBRARY_VARIABLES: &[&str] = &["OCAMLPATH", "ROCQPATH", "COQPATH", "COQLIB", "ROCQLIB"];

/// Starts Rocq's programs, each in a writable folder of its own, in the sandbox if there is one.
pub(super) struct Premises {
    config: RocqConfig,
    sandbox: OnceCell<Result<TestedSandbox, NoSandbox>>,
}

impl Premises {
    pub(super) fn new(config: RocqConfig) -> Self {
        Self { config, sandbox: OnceCell::new() }
    }

    /// The sandbox, or why there is none. The first call looks for it.
    pub(super) async fn sandbox(&self) -> Result<&TestedSandbox, NoSandbox> {
        let build = async || match self.config.sandbox {
            true => tested(&self.config).await,
            false => Err(NoSandbox::SwitchedOff),
        };
        remembered(&self.sandbox, build).await
    }

    /// What Rocq's programs run in.
    pub(super) async fn used(&self) -> Used<'_> {
        static WARNED: Once = Once::new();
        Used::of(self.sandbox().await, "Rocq", &WARNED)
    }
}

/// A sandbox in which Rocq can run; or why there is none.
async fn tested(config: &RocqConfig) -> Result<TestedSandbox, NoSandbox> {
    let failed = |error: EnvError| NoSandbox::Failed(error.to_string());
    let compiler = program(dialect::COMPILERS).map_err(failed)?;
    let library = library_folder(&compiler).await.map_err(failed)?;
    let readable = readable(config, &library);
    let hidden = sandbox::hidden();
    let is_hidden = readable.iter().any(|path| hidden.iter().any(|hidden| path.starts_with(hidden)));
    let sandbox = TestedSandbox::new(readable).await?;
    if is_hidden {
        let compiler = compiler.to_string_lossy().into_owned();
        // An empty file loads the prelude and its plugins.
        let program = ChildSpec {
            args: dialect::compile_args(&compiler, "empty.v"),
            program: compiler,
            env: dialect::environment(),
            directory: PathBuf::new(),
            limits: config.limits(),
        };
        sandbox.try_out("Rocq", "empty.v", program).await?;
    }
    Ok(sandbox)
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
