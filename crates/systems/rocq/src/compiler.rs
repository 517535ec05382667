//! Runs the compiler, or the kernel alone, on a module in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::premises::Premises;
use super::{RocqConfig, dialect, find};
use andor_env::error::EnvError;
use andor_process::{ChildSpec, ExitedProcess, ResourceLimits, ask};

/// Output limit of a program, in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// The result of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compiled {
    /// It was accepted; this is its output.
    Done(String),
    /// It was rejected with this message.
    Refused(String),
}

/// File-size limit of a program.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// How many times the time limit of a proof all libraries together may take.
const LIBRARIES_FACTOR: u32 = 5;

/// Runs Rocq's programs.
#[derive(Clone)]
pub(super) struct Compiler {
    config: RocqConfig,
    premises: Arc<Premises>,
}

impl Compiler {
    pub(super) fn new(config: RocqConfig, premises: Arc<Premises>) -> Self {
        Self { config, premises }
    }

    /// Writes a module to a folder and compiles it there in a new process, which sees the modules of the folder and
    /// of the configuration.
    pub(super) async fn compile(
        &self,
        folder: &Path,
        module: &str,
        text: &str,
        doing: &str,
    ) -> Result<Compiled, EnvError> {
        let name = format!("{module}.v");
        let path = folder.join(&name);
        std::fs::write(&path, text).map_err(|source| file_error("cannot write", &path, source))?;
        let program = program(dialect::COMPILERS)?;
        let args = dialect::compile_args(&program.to_string_lossy(), &name);
        let finished = self.run(&program, args, folder, self.config.check_limit, doing).await?;
        match finished.exit.code {
            Some(0) => Ok(Compiled::Done(finished.stdout)),
            // A file that exceeds the memory or stack is rejected like any other: the compiler fails in the same way,
            // and any file can imitate its message.
            // The file has another name for its author.
            Some(_) => {
                let message = finished.exit.stderr.trim();
                Ok(Compiled::Refused(message.replace(&format!("File \"./{module}.v\", "), "")))
            }
            None if finished.exit.over_memory => Ok(Compiled::Refused(finished.exit.status)),
            None => Err(finished.exit.error(doing, self.config.check_limit).into()),
        }
    }

    /// Runs the kernel on compiled modules of a folder.
    pub(super) async fn recheck(
        &self,
        folder: &Path,
        modules: &[impl AsRef<str>],
        run: KernelRun,
        doing: &str,
    ) -> Result<Compiled, EnvError> {
        let kernel = program(dialect::KERNELS)?;
        // The summary goes to standard error, of which only the end would be kept.
        let to_output = ["-c", "exec \"$0\" \"$@\" 2>&1", &*kernel.to_string_lossy(), "-o"];
        let mut args: Vec<String> = to_output.map(str::to_owned).to_vec();
        if run != KernelRun::AllShown {
            args.push("-silent".to_owned());
        }
        let dependencies = run != KernelRun::Alone;
        for module in modules {
            if !dependencies {
                args.push("-norec".to_owned());
            }
            args.push(module.as_ref().to_owned());
        }
        let limit = self.config.check_limit * if dependencies { LIBRARIES_FACTOR } else { 1 };
        let finished = self.run(Path::new("sh"), args, folder, limit, doing).await?;
        match finished.exit.code {
            Some(0) => Ok(Compiled::Done(finished.stdout)),
            Some(_) => Ok(Compiled::Refused(finished.stdout.trim().to_owned())),
            None if finished.exit.over_memory => Ok(Compiled::Refused(finished.exit.status)),
            None => Err(finished.exit.error(doing, limit).into()),
        }
    }

    async fn run(
        &self,
        program: &Path,
        mut args: Vec<String>,
        folder: &Path,
        limit: Duration,
        doing: &str,
    ) -> Result<ExitedProcess, EnvError> {
        args.extend(["-Q", ".", ""].map(str::to_owned));
        args.extend(self.config.load_path_args());
        let spec = ChildSpec {
            program: program.to_string_lossy().into_owned(),
            args,
            env: dialect::environment(),
            directory: folder.to_owned(),
            // The wall-time limit ends a waiting program; this ends whatever it left behind.
            limits: ResourceLimits {
                cpu: Some(limit),
                file_size: Some(MAX_FILE_BYTES),
                ..self.config.limits()
            },
        };
        Ok(self.premises.used().await.run_to_end(spec, doing, limit, MAX_OUTPUT_BYTES).await?)
    }
}

/// What a run of the kernel covers, and what it prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KernelRun {
    /// The modules alone: a summary.
    Alone,
    /// The modules and their dependencies: a summary.
    All,
    /// The same, with the name of everything before it is checked.
    AllShown,
}

/// The first of some programs found on `PATH`.
pub(super) fn program(names: &[&str]) -> Result<PathBuf, EnvError> {
    find(names).ok_or_else(|| EnvError::Missing {
        program: names.join("` or `"),
        hint: super::INSTALL_HINT.to_owned(),
    })
}

/// Where the compiler has its own libraries.
pub(super) async fn library_folder(compiler: &Path) -> Result<PathBuf, EnvError> {
    Ok(PathBuf::from(
        ask(compiler, dialect::where_args(&compiler.to_string_lossy()), dialect::environment()).await?,
    ))
}

/// Copies a compiled module from one folder to another.
pub(super) fn take(module: &str, from: &Path, to: &Path) -> Result<(), EnvError> {
    let name = format!("{module}.vo");
    let path = from.join(&name);
    // Untrusted code may have put a link there, or a pipe that never ends.
    let is_file = std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_file());
    if !is_file {
        let source = std::io::Error::other("it is not a regular file");
        return Err(file_error("cannot copy", &path, source));
    }
    std::fs::copy(&path, to.join(&name)).map_err(|source| file_error("cannot copy", &path, source))?;
    Ok(())
}

pub(super) fn file_error(action: &'static str, path: &Path, source: std::io::Error) -> EnvError {
    EnvError::File { action, path: path.display().to_string(), source }
}

/// The error for an unexpected answer, of which it shows the beginning.
pub(super) fn garbled(doing: &str, answer: &str) -> EnvError {
    EnvError::Garbled { doing: doing.to_owned(), got: answer.chars().take(2000).collect() }
}
