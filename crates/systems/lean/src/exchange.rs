//! A child that answers requests in JSON, one after the other: the exchange that the REPL and Pantograph have in common.

use std::time::Duration;

use andor_process::error::ProcessError;
use serde_json::Value;

use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;

use andor_env::error::EnvError;
use andor_env::worker::TacticLimits;
use andor_process::limits::TimeLimit;
use andor_process::{ChildProcess, CpuAccount, FrameError, FrameReader, Spawned, limit_passed};

/// Size limit of a reply. Goals with their expressions take hundreds of kilobytes under Mathlib.
const MAX_REPLY_BYTES: usize = 64 << 20;

/// The longest part of an unreadable reply that an error shows, in characters.
const MAX_SHOWN: usize = 200;

/// How requests and replies are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// Both end with an empty line.
    EmptyLine,
    /// Both are one line.
    Line,
}

impl Framing {
    fn end(self) -> &'static [u8] {
        match self {
            Self::EmptyLine => b"\n\n",
            Self::Line => b"\n",
        }
    }

    /// The bytes of a request. JSON without line breaks is one line, and the end follows exactly once: the REPL takes a
    /// second empty line, and Pantograph any, for a request of its own, and ends.
    fn request(self, request: &Value) -> Vec<u8> {
        let mut bytes = request.to_string().into_bytes();
        bytes.extend_from_slice(self.end());
        bytes
    }
}

/// A running child with its pipes.
#[derive(Debug)]
pub struct Exchange {
    framing: Framing,
    child: Option<ChildProcess>,
    stdin: ChildStdin,
    reader: FrameReader<ChildStdout>,
    /// The processor time of the child and its descendants.
    account: CpuAccount,
    /// Whether a request is unanswered. If it still is when the next one comes, its asker went away, and the next reply
    /// would be taken for the wrong one.
    busy: bool,
    /// When the last reply came.
    last_heard: Instant,
}

impl Exchange {
    /// The exchange with a child that was started.
    pub fn new(Spawned { child, stdin, stdout }: Spawned, framing: Framing) -> Self {
        let reader = FrameReader::new(stdout, framing.end(), MAX_REPLY_BYTES);
        let account = CpuAccount::new(child.id());
        Self { framing, child: Some(child), stdin, reader, account, busy: false, last_heard: Instant::now() }
    }

    /// The id of the child's process; `None` after it was lost.
    pub fn process_id(&self) -> Option<u32> {
        self.child.as_ref().map(ChildProcess::id)
    }

    /// How long the child has been idle.
    pub fn idle_for(&self) -> Duration {
        self.last_heard.elapsed()
    }

    /// Sends a request and reads the reply. The limits are enforced by killing the child, `slack` later than they say if it
    /// enforces them itself. After an error the child is lost.
    pub async fn ask(
        &mut self,
        request: &Value,
        doing: &str,
        limits: TacticLimits,
        slack: Duration,
    ) -> Result<Value, EnvError> {
        let bytes = self.framing.request(request);
        let frame = self.frame(&bytes, doing, limits, slack).await?;
        let text = frame.trim_ascii();
        match serde_json::from_slice(text) {
            Ok(reply @ (Value::Object(_) | Value::String(_))) => Ok(reply),
            _ => Err(self.garbled(doing, &String::from_utf8_lossy(text))),
        }
    }

    /// Reads what the child says unasked when it starts.
    pub async fn greeting(&mut self, doing: &str, limits: TacticLimits) -> Result<String, EnvError> {
        let frame = self.frame(b"", doing, limits, Duration::ZERO).await?;
        Ok(String::from_utf8_lossy(&frame).trim().to_owned())
    }

    /// Gives the child up because of what it said.
    pub fn garbled(&mut self, doing: &str, got: &str) -> EnvError {
        self.child = None;
        EnvError::Garbled { doing: doing.to_owned(), got: got.chars().take(MAX_SHOWN).collect() }
    }

    async fn frame(
        &mut self,
        request: &[u8],
        doing: &str,
        limits: TacticLimits,
        slack: Duration,
    ) -> Result<Vec<u8>, EnvError> {
        let unasked = String::from_utf8_lossy(self.reader.pending()).trim().to_owned();
        if !unasked.is_empty() {
            return Err(self.garbled(doing, &unasked));
        }
        if self.child.is_none() || std::mem::replace(&mut self.busy, true) {
            return Err(EnvError::Lost);
        }
        let (stdin, reader) = (&mut self.stdin, &mut self.reader);
        // Reading and writing are concurrent, so that neither side blocks the other.
        let write = async { stdin.write_all(request).await.map_err(FrameError::Io) };
        let read = async { reader.next().await.map(<[u8]>::to_vec) };
        let talk = async { tokio::try_join!(write, read).map(|((), frame)| frame) };
        let read = tokio::select! {
            biased;
            read = talk => read,
            limit = limit_passed(&mut self.account, limits.wall, limits.cpu, slack) => {
                drop(self.child.take());
                let doing = doing.to_owned();
                return Err(match limit {
                    TimeLimit::Cpu(limit) => EnvError::Process(ProcessError::OverCpu { doing, limit }),
                    TimeLimit::Wall(_) => EnvError::Process(ProcessError::Overdue { doing, after: limits.wall + slack }),
                });
            }
        };
        match read {
            Ok(frame) => {
                self.busy = false;
                self.last_heard = Instant::now();
                Ok(frame)
            }
            Err(error) => Err(self.lost(doing.to_owned(), error).await),
        }
    }

    /// Ends the child and reports how the exchange broke.
    async fn lost(&mut self, doing: String, error: FrameError) -> EnvError {
        let exit = match self.child.take() {
            Some(child) => Some(child.kill_now().await),
            None => None,
        };
        match (error, exit) {
            (FrameError::TooLarge(limit), _) => EnvError::Process(ProcessError::TooLarge { doing, limit }),
            (FrameError::End | FrameError::Io(_), Some(exit)) => {
                EnvError::Process(ProcessError::Died { doing, status: exit.status, stderr: exit.stderr })
            }
            (FrameError::Io(source), None) => EnvError::Process(ProcessError::Io { doing, source }),
            (FrameError::End, None) => EnvError::Lost,
        }
    }
}
