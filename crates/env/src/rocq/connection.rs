//! One conversation with a `coqidetop` process: calls out, replies in, deadlines, interrupts.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;

use super::wire::{Call, Reply, shorten};
use crate::error::EnvError;
use crate::process::{Child, CpuAccount, FrameError, FrameReader, Spawned};
use crate::worker::{CpuLimit, TimeLimit};

/// The largest reply accepted.
const MAX_REPLY_BYTES: usize = 64 << 20;

/// Every reply ends in this; text cannot contain `<`.
const END_OF_REPLY: &[u8] = b"</value>";

/// How long to wait for the replies of one exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// The limit on wall time.
    pub(super) wall: Duration,
    /// What is allowed beyond `wall` before an interrupt is sent, because the process watches that limit itself.
    pub(super) slack: Duration,
    /// After this, counted from the interrupt, the process is given up.
    pub(super) then_kill_after: Duration,
    /// Watched until `wall` is over.
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

    /// For a process that was idle for long: nobody should have to wait for one that was stopped meanwhile.
    pub(super) const WAKE: Self =
        Self { wall: Duration::from_secs(2), then_kill_after: Duration::from_secs(1), ..Self::QUICK };

    /// Waits until one of the limits is passed, and says which.
    async fn passed(self, account: &mut CpuAccount) -> TimeLimit {
        let now = Instant::now();
        let (wall, interrupt) = (now + self.wall, now + self.wall + self.slack);
        if let Some(CpuLimit { limit, poll }) = self.cpu {
            let before = account.estimate();
            let mut next = now + poll;
            while next < wall {
                tokio::time::sleep_until(next).await;
                if account.total() - before > limit {
                    return TimeLimit::Cpu(limit);
                }
                next = Instant::now() + poll;
            }
        }
        tokio::time::sleep_until(interrupt).await;
        TimeLimit::Wall(self.wall)
    }
}

/// The replies of an exchange.
#[derive(Debug)]
pub(super) struct Exchanged {
    pub(super) replies: Vec<Reply>,
    /// The limit that was passed, so that the process was interrupted.
    pub(super) interrupted: Option<TimeLimit>,
}

/// A running process and the way to it.
#[derive(Debug)]
pub(super) struct Connection {
    child: Option<Child>,
    stdin: ChildStdin,
    reader: FrameReader<ChildStdout>,
    /// What the process and its descendants used of the processor.
    account: CpuAccount,
    /// An exchange is under way. Found set at the start of another, it means that the last one was
    /// abandoned half-way, and that the next reply would answer the wrong call.
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
        self.child.as_ref().map(Child::id)
    }

    /// How long the process was asked for nothing.
    pub(super) fn idle_for(&self) -> Duration {
        self.last_heard.elapsed()
    }

    /// Sends calls in one go and reads their replies. After an error the connection is lost.
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
        let mut interrupted = None;
        let result = {
            // Reading goes on while we write, so that neither side waits for the other.
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
                limit = patience.passed(&mut self.account) => {
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
                    Some(TimeLimit::Cpu(limit)) => EnvError::OverCpu { doing, limit },
                    _ => {
                        let after = patience.wall + patience.slack + patience.then_kill_after;
                        EnvError::Overdue { doing, after }
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

    /// Ends the process and says how the conversation broke off.
    async fn lost(&mut self, doing: String, error: FrameError) -> EnvError {
        let exit = match self.child.take() {
            Some(child) => Some(child.kill_now().await),
            None => None,
        };
        match (error, exit) {
            (FrameError::TooLarge(limit), _) => EnvError::TooLarge { doing, limit },
            (FrameError::End | FrameError::Io(_), Some(exit)) => {
                EnvError::Died { doing, status: exit.status, stderr: exit.stderr }
            }
            (FrameError::Io(source), None) => EnvError::Io { doing, source },
            (FrameError::End, None) => EnvError::Lost,
        }
    }
}
