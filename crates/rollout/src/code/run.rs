//! Programs in the sandbox, within limits.

use std::time::Duration;

use andor_process::sandbox::{Confinement, CountedSandbox};
use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, Exit, ResourceLimits, Spawned, nameless_bytes, resident_bytes};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::files::{self, Files};
use super::task::Limits;
use crate::environment::EnvironmentError;

/// How often memory and files are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a program may go on after it has closed its output.
const GRACE: Duration = Duration::from_secs(1);

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Exited(Exit),
    /// It took too long.
    Overdue,
    /// Its processes used too much memory.
    Memory,
    /// It wrote too much to its folder.
    Disk,
    /// It wrote too much to its standard output.
    Output,
    /// It does not exist, or cannot be run.
    NotRun,
}

/// What came of a program.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) end: End,
    pub(super) stdout: String,
    /// The folder as it left it, or which limit that exceeds.
    pub(super) files: Result<Files, String>,
}

/// Runs a program on a copy of the files. When this returns, none of its processes is left.
pub(super) async fn run(
    sandbox: &CountedSandbox,
    files: &Files,
    command: &[String],
    input: &str,
    limits: &Limits,
    time: Duration,
) -> Result<Ran, EnvironmentError> {
    let folder = Scratch::new().map_err(EnvironmentError::new)?;
    files::write(files, folder.path()).map_err(EnvironmentError::new)?;
    sandbox.give(&folder).map_err(EnvironmentError::new)?;
    let (program, args) = command.split_first().expect("a command is not empty");
    let spec = ChildSpec {
        program: program.clone(),
        args: args.to_vec(),
        // Python would otherwise leave compiled files that the agent did not write.
        env: vec![("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())],
        directory: folder.path().to_owned(),
        limits: ResourceLimits {
            memory: None,
            address_space: Some(limits.memory()),
            cpu: Some(time),
            file_size: Some(limits.disk()),
        },
    };
    let confinement = Confinement { readable: &[], writable: folder.path() };
    let spawned = sandbox.spawn(&spec, &confinement, limits.processes);
    let Spawned { child, mut stdin, stdout } = spawned.map_err(EnvironmentError::new)?;
    let most = limits.output_kib << 10;
    let mut output = Vec::new();
    let id = child.id();
    let watch = async {
        loop {
            tokio::time::sleep(LOOK).await;
            if resident_bytes(id).is_some_and(|bytes| bytes > limits.memory()) {
                return End::Memory;
            }
            if files::exceeds(folder.path(), limits) || nameless_bytes(id) > limits.disk() {
                return End::Disk;
            }
        }
    };
    let finish = async {
        let mut bounded = stdout.take(most + 1);
        let read = bounded.read_to_end(&mut output);
        let feed = async move {
            // A program need not read its input.
            let _ = stdin.write_all(input.as_bytes()).await;
        };
        let (read, ()) = tokio::join!(read, feed);
        read.map_err(EnvironmentError::new)?;
        if output.len() as u64 > most {
            return Ok(End::Output);
        }
        exited(child.stop(GRACE).await)
    };
    // Whatever is not finished is dropped, and the child is killed with all its descendants.
    let end = tokio::select! {
        end = finish => end?,
        end = watch => end,
        () = tokio::time::sleep(time) => End::Overdue,
    };
    let files = files::read(folder.path(), limits).unwrap_or_else(|error| Err(error.to_string()));
    Ok(Ran { end, stdout: String::from_utf8_lossy(&output).into_owned(), files })
}

/// What an exit of bubblewrap means: 1 is its own, and 125 that of a program that exits with 1.
fn exited(exit: Exit) -> Result<End, EnvironmentError> {
    Ok(match exit.code {
        Some(1) => {
            return Err(EnvironmentError::new(format!("the sandbox cannot be built: {}", exit.stderr)));
        }
        Some(126 | 127) => End::NotRun,
        Some(125) => End::Exited(Exit { code: Some(1), status: "exit status: 1".to_owned(), ..exit }),
        _ => End::Exited(exit),
    })
}

impl End {
    /// In words.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Exited(exit) if exit.code == Some(0) => "it ended".to_owned(),
            Self::Exited(exit) => exit.status.clone(),
            Self::Overdue => "it took too long".to_owned(),
            Self::Memory => "it used too much memory".to_owned(),
            Self::Disk => "it wrote too much to its folder".to_owned(),
            Self::Output => "it wrote too much output".to_owned(),
            Self::NotRun => "the program does not exist or cannot be run".to_owned(),
        }
    }
}
