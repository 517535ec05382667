//! Starting, interrupting and ending a child.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use rustix::process::{Signal, kill_process, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::stderr::Ring;
use super::tree::{descendants, family, pid, program_within};
use super::unix;
use crate::error::EnvError;

/// Variables of our environment that children inherit; everything else is withheld, so that a run does not
/// depend on it and secrets do not leak.
pub(super) const INHERITED: &[&str] =
    &["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "OCAMLPATH", "ROCQPATH", "COQPATH", "COQLIB", "ROCQLIB"];

/// What to start.
#[derive(Clone, Debug)]
pub struct ChildSpec {
    /// The program, looked up on `PATH` when it has no slash.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables set for it, beside those it inherits.
    pub env: Vec<(String, String)>,
    /// Its working directory.
    pub directory: PathBuf,
    /// What it may use up.
    pub limits: ResourceLimits,
}

/// Limits on what one process may use up. They hold for each of its descendants too, one by one. No core dump is
/// ever written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Address space, in bytes. Beyond it allocations fail.
    pub address_space: Option<u64>,
    /// Processor time, rounded up to whole seconds. Beyond it the process is killed by SIGXCPU, or by SIGKILL a second
    /// later if it ignores that.
    pub cpu: Option<Duration>,
    /// The size that a file may grow to, in bytes. Beyond it the process is killed by SIGXFSZ, or its writes fail if it
    /// ignores that.
    pub file_size: Option<u64>,
}

impl ResourceLimits {
    /// The limit on processor time in seconds, at least one.
    pub(super) fn cpu_seconds(self) -> Option<u64> {
        self.cpu.map(|time| (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1))
    }
}

/// Where the program of a child is among the processes that were started for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It is the process that was started.
    Free,
    /// Bubblewrap was started, a shell by that within the walls, and the program by the shell.
    Walled,
}

/// A running child. Dropping it kills the child and everything it started, and waits for the child's end.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    standing: Standing,
    stderr: Ring,
    /// Fills the ring; ends when nobody holds the child's standard error any more.
    draining: JoinHandle<()>,
    exit: Option<ExitStatus>,
    /// Whether the family was killed.
    buried: bool,
}

/// How a child ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// In words, for example `exit status: 1` or `signal: 9 (SIGKILL)`.
    pub status: String,
    /// Its exit code, when it was not killed by a signal.
    pub code: Option<i32>,
    /// The signal that killed it; 24 (SIGXCPU) and 25 (SIGXFSZ) tell that it ran into its [`ResourceLimits`].
    pub signal: Option<i32>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl Exit {
    /// The same of the program that a shell ran. The shell ends with 128 and the number of the signal that killed it. No
    /// signal is read into 129: nothing within the walls hangs up, and Rocq ends so on an anomaly.
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
    pub child: Child,
    /// Its standard input.
    pub stdin: ChildStdin,
    /// Its standard output.
    pub stdout: ChildStdout,
}

impl Child {
    /// Starts a child without walls. Must be called within a Tokio runtime.
    pub fn spawn(spec: &ChildSpec) -> Result<Spawned, EnvError> {
        Self::start(spec, Standing::Free)
    }

    pub(super) fn start(spec: &ChildSpec, standing: Standing) -> Result<Spawned, EnvError> {
        let mut command = command(spec);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawn_error = |source| EnvError::Spawn { program: spec.program.clone(), source };
        let mut process = on_lasting_thread(move || command.spawn()).map_err(spawn_error)?;
        let stdin = process.stdin.take().expect("stdin was piped");
        let stdout = process.stdout.take().expect("stdout was piped");
        let stderr = process.stderr.take().expect("stderr was piped");
        let pipes = (|| {
            Ok((ChildStdin::from_std(stdin)?, ChildStdout::from_std(stdout)?, ChildStderr::from_std(stderr)?))
        })();
        let ring = Ring::default();
        // From here on dropping `child` cleans up.
        let mut child = Self {
            process,
            standing,
            stderr: ring.clone(),
            draining: tokio::spawn(async {}),
            exit: None,
            buried: false,
        };
        let (stdin, stdout, stderr) = pipes.map_err(spawn_error)?;
        child.draining = ring.drain(stderr);
        Ok(Spawned { child, stdin, stdout })
    }

    /// The id of the process that was started, which leads a session and a process group: the child's own or, within walls,
    /// that of bubblewrap, from which the child descends.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends the child's program SIGINT, and nobody else. Nothing happens when it has ended.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// The end of what the child wrote to standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Ends a child whose input was closed: waits for up to `grace`; asks politely, waits again; then kills
    /// it and all its family.
    pub async fn stop(mut self, grace: Duration) -> Exit {
        if !self.ended_within(grace).await {
            self.signal(Signal::TERM);
            self.ended_within(grace).await;
        }
        self.kill_now().await
    }

    /// Kills the child and all its family at once, and says how the child ended: by this, or before.
    pub async fn kill_now(mut self) -> Exit {
        self.kill();
        // Nobody is left to write, so the rest of standard error is read at once; unless something escaped.
        let _ = tokio::time::timeout(Duration::from_millis(200), &mut self.draining).await;
        let exit = Exit {
            status: self.exit.map_or_else(|| "unknown status".to_owned(), |s| s.to_string()),
            code: self.exit.and_then(|s| s.code()),
            signal: self.exit.and_then(|s| s.signal()),
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
            if self.exit.is_none() {
                self.exit = self.process.try_wait().ok().flatten();
            }
            if self.exit.is_some() || Instant::now() >= deadline {
                return self.exit.is_some();
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    fn signal(&self, signal: Signal) {
        let program = match self.standing {
            Standing::Free => Some(self.id()),
            // Bubblewrap would end, and take the program along.
            Standing::Walled => program_within(self.id()),
        };
        // Until the child is waited for, its id cannot be reused.
        if let (None, Some(pid)) = (self.exit, program.and_then(pid)) {
            let _ = kill_process(pid, signal);
        }
    }

    fn kill(&mut self) {
        let leader = self.id();
        if let (None, Some(pid)) = (self.exit, pid(leader)) {
            // Who is stopped starts nothing more, and those in other sessions are found as its descendants while it
            // is there. They end first; the first process of a PID namespace takes all within along.
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

/// Kills processes, those that they start meanwhile too, and waits for their end, within bounds.
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

impl Drop for Child {
    fn drop(&mut self) {
        if !self.buried {
            self.kill();
        }
    }
}

/// A child that ran to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended; holds the end of its standard error.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: String,
}

/// Runs a child without input to its end. It is killed when it takes longer than `limit`
/// ([`EnvError::Overdue`]) or writes more than `max_output` bytes ([`EnvError::TooLarge`]).
pub async fn run_to_end(
    spec: &ChildSpec,
    doing: &str,
    limit: Duration,
    max_output: usize,
) -> Result<Finished, EnvError> {
    to_end(Child::spawn(spec)?, doing, limit, max_output).await
}

/// The same of a child that was started already.
pub(super) async fn to_end(
    spawned: Spawned,
    doing: &str,
    limit: Duration,
    max_output: usize,
) -> Result<Finished, EnvError> {
    let Spawned { mut child, stdin, stdout } = spawned;
    drop(stdin);
    let mut output = Vec::new();
    let mut bounded = stdout.take(max_output as u64 + 1);
    let read = bounded.read_to_end(&mut output);
    match tokio::time::timeout(limit, read).await {
        Err(_) => return Err(EnvError::Overdue { doing: doing.to_owned(), after: limit }),
        Ok(Err(source)) => return Err(EnvError::Io { doing: doing.to_owned(), source }),
        Ok(Ok(n)) if n > max_output => {
            return Err(EnvError::TooLarge { doing: doing.to_owned(), limit: max_output });
        }
        Ok(Ok(_)) => {}
    }
    // The output is closed; the child is about to end.
    if !child.ended_within(limit).await {
        return Err(EnvError::Overdue { doing: doing.to_owned(), after: limit });
    }
    let exit = child.kill_now().await;
    Ok(Finished { exit, stdout: String::from_utf8_lossy(&output).into_owned() })
}

/// What a program says of itself when it is started with some options: its version, say.
pub async fn ask(program: &Path, options: &[&str]) -> Result<String, EnvError> {
    let spec = ChildSpec {
        program: program.to_string_lossy().into_owned(),
        args: options.iter().map(|&option| option.to_owned()).collect(),
        env: Vec::new(),
        directory: PathBuf::from("/"),
        limits: ResourceLimits::default(),
    };
    let doing = format!("asking `{}` for `{}`", program.display(), options.join(" "));
    let finished = run_to_end(&spec, &doing, Duration::from_secs(10), 1 << 16).await?;
    Ok(finished.stdout.trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that spawns")]
fn command(spec: &ChildSpec) -> Command {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).current_dir(&spec.directory).env_clear();
    command.envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.envs(spec.env.iter().map(|(name, value)| (name, value)));
    unix::prepare(&mut command, spec.limits);
    command
}

type Task = Box<dyn FnOnce() + Send>;

/// Runs `task` on a thread that lives as long as the program, because a child is killed when the thread
/// that spawned it ends.
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
        let exit =
            |code| Exit { status: String::new(), code: Some(code), signal: None, stderr: String::new() };
        let told = |code| exit(code).told_by_shell();
        assert_eq!((told(152).code, told(152).signal), (None, Some(24)));
        assert_eq!(told(137).signal, Some(9));
        for code in [0, 1, 2, 128, 129, 255] {
            assert_eq!(told(code), exit(code));
        }
    }
}
