//! The process behind the provider.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use andor_core::theorem::System;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::desk::{Desk, Missed, Outcome};
use super::lines::{Line, Lines, MAX_LINE_BYTES};
use super::protocol::{self, Ask, Greeting, Question};

/// Time limit for the first line of a program, which may have to load a model.
const START: Duration = Duration::from_secs(300);

/// How long a program may go on after the end of its input, and its output after its end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long the end of a program may take in all: two times its last words, and some time to be scheduled.
const LONGEST_END: Duration = Duration::from_secs(4);

/// How much of the end of its standard error is kept, in bytes.
const KEPT: usize = 2048;

/// Requests that wait to be written.
const QUEUE: usize = 16;

/// A program that has said hello. Dropping it ends the process.
pub(super) struct Running {
    /// The name that candidates carry.
    pub(super) name: Arc<str>,
    /// What it answers.
    pub(super) answers: Vec<Ask>,
    pub(super) desk: Arc<Desk>,
    requests: mpsc::Sender<String>,
}

/// One who answers in this process, in the lines of the protocol.
pub trait Callee: Send + Sync {
    /// Answers the first line.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    fn greet(&self, hello: &str) -> Result<String, String>;

    /// Takes a request. The answer may come from any thread, at any time.
    fn submit(&self, request: String, reply: Reply);
}

/// Where the answer to a request goes.
pub struct Reply(Arc<Desk>);

impl Reply {
    /// Answers.
    pub fn send(self, line: String) {
        let is_long = line.len() > MAX_LINE_BYTES;
        self.0.take(if is_long { Line::TooLong } else { Line::Whole(line.into_bytes()) });
    }
}

/// Why a program did not start.
#[derive(Debug)]
pub(super) enum NotStarted {
    /// It cannot be started, or does not speak the protocol.
    Unusable(String),
    /// It ended, or said nothing.
    Ended(String),
}

impl Running {
    /// Starts a program and exchanges the first lines.
    pub(super) async fn start(words: &[String], system: System) -> Result<Self, NotStarted> {
        let (mut process, mut stdin, stdout) = Process::spawn(words)
            .map_err(|error| NotStarted::Unusable(format!("it cannot be started: {error}")))?;
        let mut lines = Lines::new(BufReader::new(stdout));
        let greeting = async {
            // A program that has ended already says why elsewhere.
            let _ = stdin.write_all(protocol::hello(system).as_bytes()).await;
            lines.next().await
        };
        let Greeting { name, answers } = match timeout(START, greeting).await {
            Ok(Ok(Some(Line::Whole(line)))) => protocol::greeting(&line).map_err(NotStarted::Unusable)?,
            Ok(Ok(Some(Line::TooLong))) => {
                return Err(NotStarted::Unusable("its first line is too long".to_owned()));
            }
            Ok(Ok(None) | Err(_)) => return Err(NotStarted::Ended(process.end().await)),
            Err(_) => {
                let why = format!("it wrote nothing within {} s of its start", START.as_secs());
                return Err(NotStarted::Ended(why));
            }
        };
        let desk = Arc::new(Desk::default());
        let (requests, queue) = mpsc::channel(QUEUE);
        tokio::spawn(keep(process, stdin, lines, queue, Arc::clone(&desk)));
        Ok(Self { name: format!("exec:{name}").into(), answers, desk, requests })
    }

    /// Exchanges the first lines with one who answers in this process.
    pub(super) fn within(callee: Arc<dyn Callee>, system: System) -> Result<Self, NotStarted> {
        let greeting = callee.greet(&protocol::hello(system)).map_err(NotStarted::Unusable)?;
        let Greeting { name, answers } =
            protocol::greeting(greeting.as_bytes()).map_err(NotStarted::Unusable)?;
        let desk = Arc::new(Desk::default());
        let (requests, mut queue) = mpsc::channel(QUEUE);
        let kept = CloseOnDrop(Arc::clone(&desk));
        tokio::spawn(async move {
            let passing = async {
                while let Some(line) = queue.recv().await {
                    callee.submit(line, Reply(Arc::clone(&kept.0)));
                }
            };
            tokio::select! {
                () = passing => {}
                () = kept.0.given_up.notified() => {
                    kept.0.close("it answered nothing within the time limit".to_owned());
                }
            }
        });
        Ok(Self { name: format!("exec:{name}").into(), answers, desk, requests })
    }

    /// Makes a request, and waits for its answer up to a limit.
    pub(super) async fn ask(&self, request: &Question<'_>, limit: Duration) -> Outcome {
        let Some(mut ticket) = self.desk.expect() else { return Err(Missed::Ended) };
        let line = protocol::request(ticket.id, request);
        let exchange = async {
            self.requests.send(line).await.map_err(|_| Missed::Ended)?;
            // The task is gone if its runtime is.
            (&mut ticket.outcome).await.unwrap_or(Err(Missed::Ended))
        };
        match timeout(limit, exchange).await {
            Ok(outcome) => outcome,
            Err(_) => {
                self.desk.overdue(&ticket);
                Err(Missed::Overdue)
            }
        }
    }
}

/// Writes the requests and reads the answers until the process ends, is given up, or is no longer needed.
async fn keep(
    process: Process,
    stdin: ChildStdin,
    mut lines: Lines<BufReader<ChildStdout>>,
    mut queue: mpsc::Receiver<String>,
    desk: Arc<Desk>,
) {
    let _kept = Kept::new();
    // Dropped, and so killed, before it counts as ended.
    let mut process = process;
    let desk = CloseOnDrop(desk);
    let end = {
        let writing = write(stdin, &mut queue);
        let reading = read(&mut lines, &desk.0);
        tokio::pin!(reading, writing);
        tokio::select! {
            () = &mut reading => End::Closed,
            () = &mut writing => End::NotNeeded,
            () = desk.0.given_up.notified() => End::GivenUp,
            _ = process.child.wait() => {
                process.kill_all();
                // What it wrote before its end counts.
                let _ = timeout(LAST_WORDS, reading).await;
                End::Closed
            }
        }
    };
    let how = match end {
        End::NotNeeded => {
            let _ = timeout(LAST_WORDS, process.child.wait()).await;
            process.end().await
        }
        End::Closed => process.end().await,
        End::GivenUp => {
            process.end().await;
            "it answered nothing within the time limit and was ended".to_owned()
        }
    };
    desk.0.close(how);
}

/// The number of programs that have not ended yet.
static RUNNING: LazyLock<watch::Sender<usize>> = LazyLock::new(watch::Sender::default);

/// Counts a program until its process has ended.
struct Kept;

impl Kept {
    fn new() -> Self {
        RUNNING.send_modify(|running| *running += 1);
        Self
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        RUNNING.send_modify(|running| *running -= 1);
    }
}

/// Waits until the programs of all providers that are no longer needed have ended, by themselves or because they were
/// killed. A program of ours that ends without it may leave them running.
pub async fn all_ended() {
    // A program may be kept by a provider that is still needed.
    let _ = timeout(LONGEST_END, RUNNING.subscribe().wait_for(|running| *running == 0)).await;
}

/// Closes a desk at the latest when the task behind it is dropped with its runtime.
struct CloseOnDrop(Arc<Desk>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close("it was ended with the runtime that started it".to_owned());
    }
}

/// Why a process is ended.
enum End {
    /// Its output has ended.
    Closed,
    /// Nobody will make a request.
    NotNeeded,
    /// It has been silent for too long.
    GivenUp,
}

/// Writes requests until nobody can make one.
async fn write(mut stdin: ChildStdin, queue: &mut mpsc::Receiver<String>) {
    while let Some(line) = queue.recv().await {
        if stdin.write_all(line.as_bytes()).await.is_err() {
            // It reads no more, but may still answer what it has read.
            std::future::pending::<()>().await;
        }
    }
}

/// Reads answers until the end of the output.
async fn read(lines: &mut Lines<BufReader<ChildStdout>>, desk: &Desk) {
    while let Ok(Some(line)) = lines.next().await {
        desk.take(line);
    }
}

/// A child in a process group of its own, which is killed as a whole when dropped.
struct Process {
    child: Child,
    group: Option<Pid>,
    stderr: Tail,
    draining: JoinHandle<()>,
}

impl Process {
    #[expect(
        clippy::disallowed_methods,
        reason = "a program of the user's is not confined, so this is a place of its own"
    )]
    fn spawn(words: &[String]) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let [program, arguments @ ..] = words else { return Err(io::ErrorKind::NotFound.into()) };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let stderr = Tail::default();
        let draining = tokio::spawn(stderr.clone().drain(child.stderr.take().expect("it is piped")));
        Ok((Self { child, group, stderr, draining }, stdin, stdout))
    }

    /// Kills the group, once: its number may be given away later.
    fn kill_all(&mut self) {
        if let Some(group) = self.group.take() {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Ends the process and says how it ended, with the end of its standard error.
    async fn end(&mut self) -> String {
        // The status of a process that is already exiting stays what it is.
        self.kill_all();
        let status =
            self.child.wait().await.map_or_else(|error| error.to_string(), |s: ExitStatus| s.to_string());
        let _ = timeout(LAST_WORDS, &mut self.draining).await;
        match self.stderr.text() {
            text if text.is_empty() => format!("it ended ({status})"),
            text => format!("it ended ({status}); its standard error ends with: {text}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_all();
        self.draining.abort();
    }
}

/// The end of a child's standard error.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    async fn drain(self, mut source: ChildStderr) {
        let mut chunk = [0; 1024];
        while let Ok(read @ 1..) = source.read(&mut chunk).await {
            let mut kept = self.0.lock().expect("nothing panics while holding the text");
            kept.extend_from_slice(&chunk[..read]);
            let excess = kept.len().saturating_sub(KEPT);
            kept.drain(..excess);
        }
    }

    fn text(&self) -> String {
        let kept = self.0.lock().expect("nothing panics while holding the text");
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}
