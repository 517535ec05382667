//! The process behind the provider.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use andor_core::theorem::System;
use andor_process::error::ProcessError;
use andor_process::lines::{Line, Lines};
use andor_process::{ChildProcess, ChildSpec, Exit, ResourceLimits, Spawned};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::desk::{Desk, Missed, Outcome};
use super::protocol::{self, Ask, Greeting, Question};

/// Time limit for the first line of a program, which may have to load a model.
const START: Duration = Duration::from_secs(300);

/// How long a program may go on after the end of its input, and its output after its end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long the end of a program may take in all: two times its last words, and some time to be scheduled.
const LONGEST_END: Duration = Duration::from_secs(4);

/// Length limit of a line, in bytes.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// How much of the end of its standard error is told, in bytes.
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
        let Spawned { child, mut stdin, stdout } =
            spawn(words).map_err(|error| NotStarted::Unusable(format!("it cannot be started: {error}")))?;
        let mut lines = Lines::new(BufReader::new(stdout), MAX_LINE_BYTES);
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
            Ok(Ok(None) | Err(_)) => return Err(NotStarted::Ended(end(child).await)),
            Err(_) => {
                let why = format!("it wrote nothing within {} s of its start", START.as_secs());
                return Err(NotStarted::Ended(why));
            }
        };
        let desk = Arc::new(Desk::default());
        let (requests, queue) = mpsc::channel(QUEUE);
        tokio::spawn(keep(child, stdin, lines, queue, Arc::clone(&desk)));
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
    child: ChildProcess,
    stdin: ChildStdin,
    mut lines: Lines<BufReader<ChildStdout>>,
    mut queue: mpsc::Receiver<String>,
    desk: Arc<Desk>,
) {
    let _kept = Kept::new();
    // Dropped, and so killed, before it counts as ended.
    let mut child = child;
    let desk = CloseOnDrop(desk);
    let ending = {
        let writing = write(stdin, &mut queue);
        let reading = read(&mut lines, &desk.0);
        tokio::pin!(reading, writing);
        tokio::select! {
            () = &mut reading => End::Closed,
            () = &mut writing => End::NotNeeded,
            () = desk.0.given_up.notified() => End::GivenUp,
            () = child.ended() => End::Itself,
        }
    };
    let how = match ending {
        End::NotNeeded => {
            let _ = timeout(LAST_WORDS, child.ended()).await;
            end(child).await
        }
        End::Closed => end(child).await,
        End::Itself => {
            let how = end(child).await;
            // What it wrote before its end counts.
            let _ = timeout(LAST_WORDS, read(&mut lines, &desk.0)).await;
            how
        }
        End::GivenUp => {
            end(child).await;
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
/// killed. A program of ours that ends without it kills them, and may leave running what they started.
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
    /// It has ended; something that it started may still hold its output.
    Itself,
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

/// Starts a program in our folder and environment.
fn spawn(words: &[String]) -> Result<Spawned, String> {
    let not_found = io::Error::from(io::ErrorKind::NotFound);
    let [program, args @ ..] = words else { return Err(not_found.to_string()) };
    let spec = ChildSpec {
        program: program.clone(),
        args: args.to_vec(),
        env: Vec::new(),
        directory: PathBuf::from("."),
        limits: ResourceLimits::default(),
    };
    ChildProcess::spawn_own(&spec).map_err(|error| match error {
        ProcessError::Spawn { source, .. } => source.to_string(),
        error => error.to_string(),
    })
}

/// Ends the process and says how it ended, with the end of its standard error.
async fn end(child: ChildProcess) -> String {
    // The status of a process that is already exiting stays what it is.
    let Exit { status, stderr, .. } = child.kill_now().await;
    match stderr.trim() {
        "" => format!("it ended ({status})"),
        text => {
            let last = String::from_utf8_lossy(&text.as_bytes()[text.len().saturating_sub(KEPT)..]);
            format!("it ended ({status}); its standard error ends with: {}", last.trim())
        }
    }
}
