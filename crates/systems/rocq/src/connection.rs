//! A connection to a `coqidetop` process: calls, replies, deadlines, interrupts.

use std::time::Duration;

use andor_process::error::ProcessError;

use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;

use super::wire::{Call, Reply, shorten};
use andor_env::error::EnvError;
use andor_env::worker::TacticLimits;
use andor_process::limits::{CpuLimit, TimeLimit};
use andor_process::{ChildProcess, CpuAccount, FrameError, FrameReader, Spawned, limit_passed};

/// Size limit of a reply.
const MAX_REPLY_BYTES: usize = 64 << 20;

/// The end of every reply; text cannot contain `<`.
const END_OF_REPLY: &[u8] = b"</value>";

/// Time limits for the replies of an exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// The wall-time limit.
    pub(super) wall: Duration,
    /// The grace period after `wall` before an interrupt is sent, because the process enforces that limit itself.
    pub(super) slack: Duration,
    /// How long after the interrupt the process is given up.
    pub(super) then_kill_after: Duration,
    /// The processor-time limit, checked until `wall` is over.
    pub(super) cpu: Option<CpuLimit>,
}

impl Patience {
    /// For calls that run no tactic.
    pub(super) const QUICK: Self = Self {
        wall: Duration::from_secs(20),
        slack: Duration::ZERO,
        then_kill_after: Duration::from_secs(5),
        cpu: None,
    };

    /// For a process that was idle for long and may have been stopped: a short limit.
    pub(super) const WAKE: Self =
        Self { wall: Duration::from_secs(2), then_kill_after: Duration::from_secs(1), ..Self::QUICK };
}

/// The replies of an exchange.
#[derive(Debug)]
pub(super) struct Exchanged {
    pub(super) replies: Vec<Reply>,
    /// The limit that was exceeded, so that the process was interrupted.
    pub(super) interrupted: Option<TimeLimit>,
}

/// A running process with its pipes.
#[derive(Debug)]
pub(super) struct Connection {
    child: Option<ChildProcess>,
    stdin: ChildStdin,
    reader: FrameReader<ChildStdout>,
    /// The processor time of the process and its descendants.
    account: CpuAccount,
    /// Whether an exchange is in progress. If it is still set when the next one begins, the last exchange was
    /// abandoned, and the next reply would belong to the wrong call.
    busy: bool,
    /// When the last exchange ended.
    last_heard: Instant,
}

impl Connection {
    pub(super) fn new(Spawned { child, stdin, stdout }: Spawned) -> Self {
        let reader = FrameReader::new(stdout, END_OF_REPLY, MAX_REPLY_BYTES);
        let account = CpuAccount::new(child.id());
        Self { child: Some(child), stdin, reader, account, busy: false, last_heard: Instant::now() }
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.child.as_ref().map(ChildProcess::id)
    }

    /// How long the process has been idle.
    pub(super) fn idle_for(&self) -> Duration {
        self.last_heard.elapsed()
    }

    /// Sends several calls at once and reads their replies. After an error the connection is lost.
    pub(super) async fn exchange(
        &mut self,
        calls: &[Call<'_>],
        patience: Patience,
    ) -> Result<Exchanged, EnvError> {
        if std::mem::replace(&mut self.busy, true) {
            return Err(EnvError::Lost);
        }
        let Some(child) = &self.child else { return Err(EnvError::Lost) };
        let text: String = calls.iter().map(Call::encode).collect();
        let mut replies = Vec::with_capacity(calls.len());
        let (stdin, reader) = (&mut self.stdin, &mut self.reader);
        let limits = TacticLimits { wall: patience.wall, cpu: patience.cpu };
        let mut interrupted = None;
        let result = {
            // Reading and writing are concurrent, so that neither side blocks the other.
            let write = async { stdin.write_all(text.as_bytes()).await.map_err(FrameError::Io) };
            let read = async {
                for _ in calls {
                    replies.push(Reply::parse(reader.next().await?));
                }
                Ok(())
            };
            let mut talk = std::pin::pin!(async { tokio::try_join!(write, read) });
            tokio::select! {
                biased;
                result = &mut talk => Some(result),
                limit = limit_passed(&mut self.account, limits.wall, limits.cpu, patience.slack) => {
                    interrupted = Some(limit);
                    child.interrupt();
                    tokio::time::timeout(patience.then_kill_after, &mut talk).await.ok()
                }
            }
        };
        let doing = || calls.get(replies.len()).or(calls.last()).map_or_else(String::new, Call::describe);
        match result {
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                let doing = doing();
                return Err(self.lost(doing, error).await);
            }
            None => {
                let doing = doing();
                drop(self.child.take());
                return Err(match interrupted {
                    Some(TimeLimit::Cpu(limit)) => EnvError::Process(ProcessError::OverCpu { doing, limit }),
                    _ => {
                        let after = patience.wall + patience.slack + patience.then_kill_after;
                        EnvError::Process(ProcessError::Overdue { doing, after })
                    }
                });
            }
        }
        self.busy = false;
        self.last_heard = Instant::now();
        let replies = replies.into_iter().zip(calls).map(|(reply, call)| {
            reply.map_err(|got| EnvError::Garbled { doing: call.describe(), got: shorten(&got) })
        });
        Ok(Exchanged { replies: replies.collect::<Result<_, _>>()?, interrupted })
    }

    /// Ends the process and reports how the connection broke.
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
