//! Starts, interrupts and stops children.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use rustix::process::{Signal, kill_process, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::stderr::Ring;
use super::tree::{descendants, family, pid, program_within, resident_below};
use super::unix;
use crate::error::ProcessError;

/// Environment variables that children inherit. All others are withheld, so that runs do not depend on them and
/// secrets do not leak.
pub(super) const INHERITED: &[&str] =
    &["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "OCAMLPATH", "ROCQPATH", "COQPATH", "COQLIB", "ROCQLIB"];

/// A command to start.
#[derive(Clone, Debug)]
pub struct ChildSpec {
    /// The program, looked up on `PATH` if it contains no slash.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// Its working directory.
    pub directory: PathBuf,
    /// Its resource limits.
    pub limits: ResourceLimits,
}

/// Resource limits of a process. All but `memory` also apply to each of its descendants separately. Core dumps are always
/// disabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Resident memory of the process and its descendants together, in bytes, looked at 20 times a second. Beyond it they
    /// are killed.
    pub memory: Option<u64>,
    /// Address space, in bytes. Allocations beyond it fail.
    pub address_space: Option<u64>,
    /// Processor time, rounded up to whole seconds. Beyond it the process is killed by SIGXCPU, or by SIGKILL a
    /// second later if it ignores that.
    pub cpu: Option<Duration>,
    /// Maximum file size, in bytes. Beyond it the process is killed by SIGXFSZ, or its writes fail if it ignores
    /// that.
    pub file_size: Option<u64>,
}

impl ResourceLimits {
    /// The limit on processor time in whole seconds, at least one.
    pub(super) fn cpu_seconds(self) -> Option<u64> {
        self.cpu.map(|time| (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1))
    }
}

/// How often the memory of a child with a limit is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How the child's program relates to the process that was started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It is that process.
    Free,
    /// In a sandbox: bubblewrap was started, which started a shell inside, which started the program.
    Walled,
}

/// A running child. Dropping it kills the child with all its descendants, and waits for its end.
#[derive(Debug)]
pub struct ChildProcess {
    process: std::process::Child,
    standing: Standing,
    stderr: Ring,
    /// Fills the buffer; ends when the child's standard error is closed.
    draining: JoinHandle<()>,
    /// Watches the memory; ends when the child is killed, with the limit that was exceeded.
    watching: Watch,
    exit: Option<ExitStatus>,
    /// Whether the whole family was killed.
    buried: bool,
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// A description, such as `exit status: 1` or `signal: 9 (SIGKILL)`.
    pub status: String,
    /// Its exit code, unless it was killed by a signal.
    pub code: Option<i32>,
    /// The signal that killed it; 24 (SIGXCPU) and 25 (SIGXFSZ) mean that it exceeded its [`ResourceLimits`].
    pub signal: Option<i32>,
    /// Whether it was killed because it exceeded [`ResourceLimits::memory`].
    pub over_memory: bool,
    /// The end of its standard error.
    pub stderr: String,
}

/// The signal by which the system ends a process that used up its processor time.
const SIGXCPU: i32 = 24;

impl Exit {
    /// The error of a process that ended without an answer, given its limit of processor time.
    pub fn error(self, doing: &str, limit: Duration) -> ProcessError {
        let doing = doing.to_owned();
        match self.signal {
            // Unlike another death, this one would come again.
            Some(SIGXCPU) => ProcessError::OverCpu { doing, limit },
            _ => ProcessError::Died { doing, status: self.status, stderr: self.stderr },
        }
    }

    /// The same for a program run by a shell, which exits with 128 plus the number of the signal that killed the
    /// program. 129 is not interpreted as a signal: nothing inside the sandbox sends SIGHUP, and Rocq exits with 129
    /// on an anomaly.
    fn told_by_shell(self) -> Self {
        match self.code {
            Some(code @ 130..=192) => {
                let signal = code - 128;
                Self { status: format!("signal: {signal}"), code: None, signal: Some(signal), ..self }
            }
            _ => self,
        }
    }
}

/// A child with its pipes.
#[derive(Debug)]
pub struct Spawned {
    /// The child.
    pub child: ChildProcess,
    /// Its standard input.
    pub stdin: ChildStdin,
    /// Its standard output.
    pub stdout: ChildStdout,
}

impl ChildProcess {
    /// Starts a child without a sandbox. Must be called within a Tokio runtime.
    pub fn spawn(spec: &ChildSpec) -> Result<Spawned, ProcessError> {
        Self::launch(command(spec, None), spec, Standing::Free)
    }

    /// Starts a program of the user's own without a sandbox: it inherits all our environment variables, which those of `spec`
    /// go before. Must be called within a Tokio runtime.
    pub fn spawn_own(spec: &ChildSpec) -> Result<Spawned, ProcessError> {
        let mut command = command(spec, None);
        command.envs(std::env::vars_os()).envs(spec.env.iter().map(|(name, value)| (name, value)));
        Self::launch(command, spec, Standing::Free)
    }

    /// Starts a child, as another user if one is given, which only root may do. The child inherits the file `given` under its
    /// number.
    pub(super) fn start(
        spec: &ChildSpec,
        standing: Standing,
        user: Option<u32>,
        given: Option<OwnedFd>,
    ) -> Result<Spawned, ProcessError> {
        let mut command = command(spec, given);
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        Self::launch(command, spec, standing)
    }

    fn launch(mut command: Command, spec: &ChildSpec, standing: Standing) -> Result<Spawned, ProcessError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawn_error = |source| ProcessError::Spawn { program: spec.program.clone(), source };
        let mut process = on_lasting_thread(move || command.spawn()).map_err(spawn_error)?;
        let stdin = process.stdin.take().expect("stdin was piped");
        let stdout = process.stdout.take().expect("stdout was piped");
        let stderr = process.stderr.take().expect("stderr was piped");
        let pipes = (|| {
            Ok((ChildStdin::from_std(stdin)?, ChildStdout::from_std(stdout)?, ChildStderr::from_std(stderr)?))
        })();
        let ring = Ring::default();
        // From here on, dropping `child` cleans up.
        let mut child = Self {
            process,
            standing,
            stderr: ring.clone(),
            draining: tokio::spawn(async {}),
            watching: Watch::default(),
            exit: None,
            buried: false,
        };
        let (stdin, stdout, stderr) = pipes.map_err(spawn_error)?;
        child.draining = ring.drain(stderr);
        if let Some(most) = spec.limits.memory {
            child.watching = Watch::start(child.id(), most);
        }
        Ok(Spawned { child, stdin, stdout })
    }

    /// The id of the started process, which leads a session and a process group: the child or, in a sandbox,
    /// bubblewrap, its ancestor.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends SIGINT to the child's program only. Does nothing if it has ended.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// The end of the child's standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Stops a child whose input was closed: waits for up to `grace`, interrupts it, waits again, then kills it with
    /// all its descendants.
    pub async fn stop(mut self, grace: Duration) -> Exit {
        if !self.ended_within(grace).await {
            self.signal(Signal::TERM);
            self.ended_within(grace).await;
        }
        self.kill_now().await
    }

    /// Waits for the end of the child itself, whatever its descendants do.
    pub async fn ended(&mut self) {
        // Listened for before the first look, so that no end is missed.
        let mut signals = signal(SignalKind::child()).ok();
        while !self.has_ended() {
            match &mut signals {
                Some(signals) => drop(signals.recv().await),
                None => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Kills the child with all its descendants at once, and returns how the child ended.
    pub async fn kill_now(mut self) -> Exit {
        self.kill();
        // All writers are dead, so the rest of standard error is read at once, unless a process escaped.
        let _ = tokio::time::timeout(Duration::from_millis(200), &mut self.draining).await;
        let over_memory = self.watching.exceeded.get();
        let status = self.exit.map_or_else(|| "unknown status".to_owned(), |s| s.to_string());
        let exit = Exit {
            status: over_memory
                .map_or(status, |most| format!("it used more than {} MiB of memory", most >> 20)),
            code: self.exit.and_then(|s| s.code()),
            signal: self.exit.and_then(|s| s.signal()),
            over_memory: over_memory.is_some(),
            stderr: self.stderr.text(),
        };
        match self.standing {
            Standing::Free => exit,
            Standing::Walled => exit.told_by_shell(),
        }
    }

    async fn ended_within(&mut self, grace: Duration) -> bool {
        let deadline = Instant::now() + grace;
        loop {
            if self.has_ended() || Instant::now() >= deadline {
                return self.exit.is_some();
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    fn has_ended(&mut self) -> bool {
        if self.exit.is_none() {
            self.exit = self.process.try_wait().ok().flatten();
        }
        self.exit.is_some()
    }

    fn signal(&self, signal: Signal) {
        let program = match self.standing {
            Standing::Free => Some(self.id()),
            // SIGINT would end bubblewrap, and the program with it.
            Standing::Walled => program_within(self.id()),
        };
        // The id cannot be reused before the child is waited for.
        if let (None, Some(pid)) = (self.exit, program.and_then(pid)) {
            let _ = kill_process(pid, signal);
        }
    }

    fn kill(&mut self) {
        self.watching.task.take().inspect(JoinHandle::abort);
        let leader = self.id();
        if let (None, Some(pid)) = (self.exit, pid(leader)) {
            // A stopped process starts no more children, and its descendants in other sessions can be found while it
            // exists. They are killed first; killing the first process of a PID namespace kills everything inside.
            let _ = kill_process(pid, Signal::STOP);
            kill_all(|| descendants(leader));
            let _ = kill_process_group(pid, Signal::KILL);
        }
        // Members of the session that left the process group, or whose leader is gone.
        kill_all(|| family(leader));
        if self.exit.is_none() {
            self.exit = self.process.wait().ok();
        }
        self.buried = true;
    }
}

/// The watch over a child's memory.
#[derive(Debug, Default)]
struct Watch {
    task: Option<JoinHandle<()>>,
    /// The limit, once it was exceeded.
    exceeded: Arc<OnceLock<u64>>,
}

impl Watch {
    /// Kills the descendants of `leader`, then `leader` itself, when together they have more than `most` bytes in memory.
    /// Whoever waits for the child buries it, with what it started meanwhile.
    fn start(leader: u32, most: u64) -> Self {
        let exceeded = Arc::new(OnceLock::new());
        let told = Arc::clone(&exceeded);
        let watch = async move {
            loop {
                tokio::time::sleep(LOOK).await;
                let (members, bytes) = resident_below(leader);
                if bytes > most {
                    let _ = told.set(most);
                    for member in members.into_iter().rev().filter_map(pid) {
                        let _ = kill_process(member, Signal::KILL);
                    }
                    return;
                }
            }
        };
        Self { task: Some(tokio::spawn(watch)), exceeded }
    }
}

/// Kills the processes that `find` returns, including ones started in the meantime, and waits for their end, within
/// limits.
pub(super) fn kill_all(find: impl Fn() -> Vec<u32>) {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        let members = find();
        if members.is_empty() || Instant::now() >= deadline {
            return;
        }
        for member in members.into_iter().filter_map(pid) {
            let _ = kill_process(member, Signal::KILL);
        }
        std::thread::yield_now();
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if !self.buried {
            self.kill();
        }
    }
}

/// The result of a child that ran to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitedProcess {
    /// How it ended, with the end of its standard error.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: String,
}

/// Runs a child without input to its end. It is killed if it takes longer than `limit` ([`ProcessError::Overdue`]) or
/// writes more than `max_output` bytes ([`ProcessError::TooLarge`]).
pub async fn run_to_end(
    spec: &ChildSpec,
    doing: &str,
    limit: Duration,
    max_output: usize,
) -> Result<ExitedProcess, ProcessError> {
    to_end(ChildProcess::spawn(spec)?, doing, limit, max_output).await
}

/// The same for a child that was already started.
pub(super) async fn to_end(
    spawned: Spawned,
    doing: &str,
    limit: Duration,
    max_output: usize,
) -> Result<ExitedProcess, ProcessError> {
    let Spawned { mut child, stdin, stdout } = spawned;
    drop(stdin);
    let mut output = Vec::new();
    let mut bounded = stdout.take(max_output as u64 + 1);
    let read = bounded.read_to_end(&mut output);
    match tokio::time::timeout(limit, read).await {
        Err(_) => return Err(ProcessError::Overdue { doing: doing.to_owned(), after: limit }),
        Ok(Err(source)) => return Err(ProcessError::Io { doing: doing.to_owned(), source }),
        Ok(Ok(n)) if n > max_output => {
            return Err(ProcessError::TooLarge { doing: doing.to_owned(), limit: max_output });
        }
        Ok(Ok(_)) => {}
    }
    // Its output is closed, so the child is about to end.
    if !child.ended_within(limit).await {
        return Err(ProcessError::Overdue { doing: doing.to_owned(), after: limit });
    }
    let exit = child.kill_now().await;
    Ok(ExitedProcess { exit, stdout: String::from_utf8_lossy(&output).into_owned() })
}

/// The output of a program for some options, such as its version. `env` are additional environment variables.
pub async fn ask(
    program: &Path,
    options: &[&str],
    env: Vec<(String, String)>,
) -> Result<String, ProcessError> {
    let spec = ChildSpec {
        program: program.to_string_lossy().into_owned(),
        args: options.iter().map(|&option| option.to_owned()).collect(),
        env,
        directory: PathBuf::from("/"),
        limits: ResourceLimits::default(),
    };
    let doing = format!("asking `{}` for `{}`", program.display(), options.join(" "));
    let finished = run_to_end(&spec, &doing, Duration::from_secs(10), 1 << 16).await?;
    Ok(finished.stdout.trim().to_owned())
}

/// Makes this process another program, which keeps its standard streams, its number and so its signals, and whose exit code is its.
/// Returns only if the program cannot be started.
#[expect(clippy::disallowed_methods, reason = "this is the one place that spawns")]
pub fn replace_with(program: &Path, args: &[OsString]) -> io::Error {
    CommandExt::exec(Command::new(program).args(args))
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that spawns")]
fn command(spec: &ChildSpec, given: Option<OwnedFd>) -> Command {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).current_dir(&spec.directory).env_clear();
    command.envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.envs(spec.env.iter().map(|(name, value)| (name, value)));
    unix::prepare(&mut command, spec.limits, given);
    command
}

type Task = Box<dyn FnOnce() + Send>;

/// Runs `task` on a thread that lives as long as the program, because a child is killed when the thread that started
/// it ends.
fn on_lasting_thread<T: Send + 'static>(
    task: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    static TASKS: OnceLock<mpsc::Sender<Task>> = OnceLock::new();
    let tasks = TASKS.get_or_init(|| {
        let (sender, receiver) = mpsc::channel::<Task>();
        let run = move || receiver.into_iter().for_each(|task| task());
        std::thread::Builder::new().name("spawner".into()).spawn(run).expect("a thread can be started");
        sender
    });
    let (sender, receiver) = mpsc::sync_channel(1);
    let task: Task = Box::new(move || {
        let _ = sender.send(task());
    });
    tasks.send(task).expect("the spawner thread never ends");
    receiver.recv().expect("the spawner thread answers every task")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_told_from_an_exit_code() {
        let exit = |code| Exit {
            status: String::new(),
            code: Some(code),
            signal: None,
            over_memory: false,
            stderr: String::new(),
        };
        let told = |code| exit(code).told_by_shell();
        assert_eq!((told(152).code, told(152).signal), (None, Some(24)));
        assert_eq!(told(137).signal, Some(9));
        let limit = Duration::from_secs(5);
        assert!(matches!(told(152).error("", limit), ProcessError::OverCpu { .. }));
        assert!(matches!(told(137).error("", limit), ProcessError::Died { .. }));
        for code in [0, 1, 2, 128, 129, 255] {
            assert_eq!(told(code), exit(code));
        }
    }
}
