//! Runs Lean on a whole file, in a new process, and reads its messages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_process::error::ProcessError;
use serde_json::Value;

use tokio::time::Instant;

use super::LeanConfig;
use super::premises::Premises;
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_process::{ChildSpec, ExitedProcess, ResourceLimits};

/// The module name of every file that is judged, so that the names that Lean derives from it (those of private
/// declarations) are the same in all.
pub(super) const MODULE: &str = "andor_judged";

/// Output limit of a program, in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;
/// What must still fit on the disk after Lean rejected a file.
const SPACE_BYTES: usize = 64 << 10;
/// File-size limit of a program.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// Address space beyond the memory limit: Lean maps the modules that it imports.
const MAPPED_BYTES: u64 = 64 << 30;

/// The signals of a program that crashes by itself: SIGILL, SIGABRT (out of stack or memory), SIGBUS, SIGSEGV.
const CRASHES: &[i32] = &[4, 6, 7, 11];

/// Runs Lean's programs.
#[derive(Clone)]
pub(super) struct Compiler {
    config: LeanConfig,
    premises: Arc<Premises>,
}

/// The result of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compiled {
    /// It was accepted, with these messages.
    Done(Vec<Message>),
    /// It was rejected with this message, which is about a place in the file.
    Refused(String, Option<Place>),
}

/// A message of Lean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    is_error: bool,
    /// The line in the file, from 1.
    pub(super) line: u64,
    /// The column in characters, from 0.
    column: u64,
    pub(super) text: String,
}

impl Message {
    /// Its place in a text. What Lean misses behind the text is missing at the end of its code.
    fn place(&self, text: &str) -> Option<Place> {
        let (line, column) = (usize::try_from(self.line).ok()?, usize::try_from(self.column).ok()?);
        Some(Place { line, column: column + 1 }.min(Place::of(text, text.trim_end().len())))
    }
}

impl Compiler {
    pub(super) fn new(config: LeanConfig, premises: Arc<Premises>) -> Self {
        Self { config, premises }
    }

    /// Writes a file to a folder and compiles it there.
    pub(super) async fn compile(
        &self,
        deadline: Instant,
        folder: &Path,
        text: &str,
        doing: &str,
    ) -> Result<Compiled, EnvError> {
        let path = folder.join(MODULE).with_extension("lean");
        std::fs::write(&path, text).map_err(|source| file_error("cannot write", &path, source))?;
        let toolchain = self.premises.toolchain().await?;
        let mut args = vec!["--json".to_owned(), "-DmaxErrors=0".to_owned()];
        args.extend(self.config.max_memory.map(|bytes| format!("-M{}", bytes >> 20)));
        args.extend(["-o".to_owned(), format!("{MODULE}.olean"), format!("{MODULE}.lean")]);
        let finished = self.run(deadline, &toolchain.lean, args, Vec::new(), folder, doing).await;
        let finished = match finished {
            Err(EnvError::Process(ProcessError::TooLarge { limit, .. })) => {
                let message =
                    format!("it prints more than {} MiB while it is compiled, the maximum", limit >> 20);
                return Ok(Compiled::Refused(message, None));
            }
            finished => finished?,
        };
        if finished.exit.code != Some(0) {
            // On a full disk Lean fails, too, which says nothing about the file.
            let path = folder.join("space");
            std::fs::write(&path, [0; SPACE_BYTES])
                .map_err(|source| file_error("cannot write", &path, source))?;
        }
        let messages = read_messages(&finished.stdout);
        let errors: Vec<&Message> = messages.iter().filter(|message| message.is_error).collect();
        match (finished.exit.code, errors.as_slice()) {
            (Some(0), []) => match compiled(folder) {
                Ok(_) => Ok(Compiled::Done(messages)),
                Err(error) => Err(error),
            },
            (Some(_), []) => {
                let said = [finished.stdout.trim(), finished.exit.stderr.trim()].join("\n");
                Ok(Compiled::Refused(said.trim().to_owned(), None))
            }
            (Some(_), [first, others @ ..]) => {
                let more = match others.len() {
                    0 => String::new(),
                    more => format!(" (and {more} more errors)"),
                };
                Ok(Compiled::Refused(format!("{}{more}", first.text), first.place(text)))
            }
            (None, _) if crashes(&finished) => {
                let message =
                    format!("Lean crashes on it ({}): {}", finished.exit.status, finished.exit.stderr.trim());
                Ok(Compiled::Refused(message, None))
            }
            (None, _) => Err(finished.exit.error(doing, self.config.check_limit).into()),
        }
    }

    /// Has a separate run of the kernel check the compiled file in a folder.
    pub(super) async fn recheck(
        &self,
        deadline: Instant,
        folder: &Path,
        doing: &str,
    ) -> Result<Compiled, EnvError> {
        let checker = self.rechecker().await?;
        let toolchain = self.premises.toolchain().await?;
        // The module is found like an imported one.
        let path = std::iter::once(folder.to_owned()).chain(toolchain.search_path.iter().cloned());
        let path = std::env::join_paths(path).map_err(|source| {
            file_error("cannot search for modules in", folder, std::io::Error::other(source))
        })?;
        let own = ("LEAN_PATH".to_owned(), path.to_string_lossy().into_owned());
        let finished =
            self.run(deadline, &checker, vec![MODULE.to_owned()], vec![own], folder, doing).await?;
        match finished.exit.code {
            Some(0) => Ok(Compiled::Done(Vec::new())),
            Some(_) => Ok(Compiled::Refused(
                [finished.stdout.trim(), finished.exit.stderr.trim()].join("\n").trim().to_owned(),
                None,
            )),
            None if crashes(&finished) => {
                Ok(Compiled::Refused(format!("it crashes on it ({})", finished.exit.status), None))
            }
            None => Err(finished.exit.error(doing, self.config.check_limit).into()),
        }
    }

    /// The program that checks compiled files again. It comes with Lean since 4.28.
    pub(super) async fn rechecker(&self) -> Result<PathBuf, EnvError> {
        let toolchain = self.premises.toolchain().await?;
        let own = toolchain.sysroot.join("bin/leanchecker");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut others = std::env::split_paths(&path).map(|folder| folder.join("lean4checker"));
        let found = Some(own).filter(|own| own.is_file()).or_else(|| others.find(|other| other.is_file()));
        found.ok_or_else(|| EnvError::Missing {
            program: "leanchecker` or `lean4checker".to_owned(),
            hint: "toolchains of Lean 4.28 and later have `leanchecker`".to_owned(),
        })
    }

    /// What a check has left of its time when a program starts is that program's limit.
    pub(super) async fn run(
        &self,
        deadline: Instant,
        program: &Path,
        args: Vec<String>,
        further: Vec<(String, String)>,
        folder: &Path,
        doing: &str,
    ) -> Result<ExitedProcess, EnvError> {
        let mut env = self.premises.toolchain().await?.environment();
        env.retain(|(name, _)| further.iter().all(|(other, _)| other != name));
        env.extend(further);
        let limit = deadline.saturating_duration_since(Instant::now());
        let spec = ChildSpec {
            program: program.to_string_lossy().into_owned(),
            args,
            env,
            directory: folder.to_owned(),
            limits: ResourceLimits {
                memory: None,
                address_space: self.config.max_memory.map(|bytes| bytes.saturating_add(MAPPED_BYTES)),
                // The wall-time limit ends a waiting program; this ends whatever it left behind.
                cpu: Some(limit),
                file_size: Some(MAX_FILE_BYTES),
            },
        };
        // It may have come from elsewhere than the toolchain.
        let own = [program.to_owned()];
        let used = self.premises.used().await;
        let finished = used.run_to_end_reading(spec, &own, doing, limit, MAX_OUTPUT_BYTES).await;
        finished.map_err(|error| match error {
            ProcessError::Overdue { doing, .. } => {
                EnvError::Process(ProcessError::Overdue { doing, after: self.config.check_limit })
            }
            error => EnvError::Process(error),
        })
    }
}

/// The compiled file in a folder.
pub(super) fn compiled(folder: &Path) -> Result<PathBuf, EnvError> {
    let path = folder.join(MODULE).with_extension("olean");
    // Untrusted code may have put a link there, or a pipe that never ends.
    match std::fs::symlink_metadata(&path).is_ok_and(|data| data.is_file()) {
        true => Ok(path),
        false => Err(file_error("cannot read", &path, std::io::Error::other("it is not a regular file"))),
    }
}

fn file_error(action: &'static str, path: &Path, source: std::io::Error) -> EnvError {
    EnvError::File { action, path: path.display().to_string(), source }
}

/// Whether a program ended by itself, as it does when its stack or memory is used up.
fn crashes(finished: &ExitedProcess) -> bool {
    finished.exit.signal.is_some_and(|signal| CRASHES.contains(&signal))
}

/// The messages in an output with one object of JSON per line. Other lines are left out.
fn read_messages(stdout: &str) -> Vec<Message> {
    let read = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let place = message.get("pos")?;
        Some(Message {
            is_error: message.get("severity")?.as_str()? == "error",
            line: place.get("line")?.as_u64()?,
            column: place.get("column")?.as_u64()?,
            text: message.get("data")?.as_str()?.to_owned(),
        })
    };
    stdout.lines().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let stdout = "noise\n{\"data\":\"x\\ny\",\"pos\":{\"column\":8,\"line\":3},\"severity\":\"error\"}\n{\"data\":1}\n";
        let expected = Message { is_error: true, line: 3, column: 8, text: "x\ny".to_owned() };
        assert_eq!(read_messages(stdout), [expected]);
    }

    #[test]
    fn what_is_missing_at_the_end_is_missing_behind_the_code() {
        let place = |line, column| {
            let message = Message { is_error: true, line, column, text: String::new() };
            message.place("αβ γ\n  (δ\n  \n").map(|place| (place.line, place.column))
        };
        assert_eq!([place(1, 3), place(2, 2)], [Some((1, 4)), Some((2, 3))]);
        assert_eq!([place(3, 2), place(4, 0)], [Some((2, 5)); 2]);
    }
}
