//! A connection to one `lean --worker`: messages, answers, deadlines.

use std::collections::BTreeMap;
use std::time::Duration;

use andor_process::error::ProcessError;
use serde_json::Value;

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::time::Instant;

use super::wire::{Diagnostic, Failure, Incoming, Messages, Outgoing};
use crate::shorten;
use andor_env::error::EnvError;
use andor_env::worker::TacticLimits;
use andor_process::limits::{CpuLimit, TimeLimit};
use andor_process::{ChildProcess, CpuAccount, FrameError, Spawned};

/// Time limits of an exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// The wall-time limit.
    pub(super) wall: Duration,
    /// The processor-time limit.
    pub(super) cpu: Option<CpuLimit>,
}

impl Patience {
    /// For what runs no tactic.
    pub(super) const QUICK: Self = Self { wall: Duration::from_secs(20), cpu: None };

    /// For a process that was idle for long and may have been stopped.
    pub(super) const WAKE: Self = Self { wall: Duration::from_secs(2), cpu: None };

    /// For a header, which may import large libraries or contain long proofs.
    pub(super) const HEADER: Self = Self { wall: Duration::from_secs(300), cpu: None };

    /// For a tactic that was cancelled: Lean looks now and then whether it was.
    pub(super) const CANCELLED: Self = Self { wall: Duration::from_secs(1), cpu: None };

    pub(super) fn for_tactic(TacticLimits { wall, cpu }: TacticLimits) -> Self {
        Self { wall, cpu }
    }

    /// Waits until a limit is exceeded, and returns it.
    async fn passed(self, account: &mut CpuAccount) -> TimeLimit {
        let now = Instant::now();
        let end = now + self.wall;
        if let Some(CpuLimit { limit, poll }) = self.cpu {
            let before = account.estimate();
            let mut next = now + poll;
            while next < end {
                tokio::time::sleep_until(next).await;
                if account.total() - before > limit {
                    return TimeLimit::Cpu(limit);
                }
                next = Instant::now() + poll;
            }
        }
        tokio::time::sleep_until(end).await;
        TimeLimit::Wall(self.wall)
    }
}

/// What came of an exchange.
#[derive(Debug)]
pub(super) enum Exchanged {
    /// The answers to all requests, in order.
    Answers(Vec<Result<Value, Failure>>),
    /// A limit was exceeded. Answers that come later are ignored.
    Late(TimeLimit),
}

/// A running process with its pipes.
#[derive(Debug)]
pub(super) struct Connection {
    child: Option<ChildProcess>,
    stdin: ChildStdin,
    messages: Messages,
    /// The processor time of the process and its descendants.
    account: CpuAccount,
    next_id: u64,
    /// The last diagnostics, and the version of the document that they are of.
    diagnostics: (i64, Vec<Diagnostic>),
    /// Whether an exchange is in progress. If it is still set when the next one begins, the last one was abandoned,
    /// possibly in the middle of a message.
    busy: bool,
    /// When the last exchange ended.
    last_heard: Instant,
}

impl Connection {
    pub(super) fn new(Spawned { child, stdin, stdout }: Spawned) -> Self {
        let account = CpuAccount::new(child.id());
        Self {
            child: Some(child),
            stdin,
            messages: Messages::new(stdout),
            account,
            next_id: 1,
            diagnostics: (0, Vec::new()),
            busy: false,
            last_heard: Instant::now(),
        }
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.child.as_ref().map(ChildProcess::id)
    }

    /// How long the process has been idle.
    pub(super) fn idle_for(&self) -> Duration {
        self.last_heard.elapsed()
    }

    /// The last diagnostics of a version of the document, if there were any reports of it.
    pub(super) fn diagnostics(&self, version: i64) -> Option<&[Diagnostic]> {
        let (of, all) = &self.diagnostics;
        (*of == version).then_some(&all[..])
    }

    /// Sends messages, and waits for the answers to the requests among them. After an error the connection is lost.
    pub(super) async fn exchange(
        &mut self,
        messages: &[Outgoing],
        doing: &str,
        patience: Patience,
    ) -> Result<Exchanged, EnvError> {
        if self.child.is_none() || std::mem::replace(&mut self.busy, true) {
            return Err(EnvError::Lost);
        }
        let mut waiting = BTreeMap::new();
        let mut bytes = Vec::new();
        for message in messages {
            bytes.extend(message.encode(self.next_id));
            if matches!(message, Outgoing::Request(..)) {
                waiting.insert(self.next_id, None);
                self.next_id += 1;
            }
        }
        let (stdin, incoming) = (&mut self.stdin, &mut self.messages);
        let diagnostics = &mut self.diagnostics;
        let (mut written, mut garbled) = (false, None);
        let result = {
            // Reading and writing are concurrent, so that neither side blocks the other.
            let write = async {
                stdin.write_all(&bytes).await.map_err(FrameError::Io)?;
                written = true;
                Ok(())
            };
            let read = async {
                while waiting.values().any(Option::is_none) && garbled.is_none() {
                    match incoming.next().await? {
                        Ok(Incoming::Reply(id, reply)) => {
                            waiting.entry(id).and_modify(|answer| *answer = Some(reply));
                        }
                        Ok(Incoming::Diagnostics { version, all }) => {
                            // A report of an earlier version may come late.
                            if version >= diagnostics.0 {
                                *diagnostics = (version, all);
                            }
                        }
                        Ok(Incoming::Other) => {}
                        Err(text) => garbled = Some(text),
                    }
                }
                Ok(())
            };
            let talk = async { tokio::try_join!(write, read) };
            tokio::select! {
                biased;
                result = talk => Ok(result),
                limit = patience.passed(&mut self.account) => Err(limit),
            }
        };
        match result {
            Ok(Err(error)) => return Err(self.lost(doing, error).await),
            Ok(Ok(_)) => {}
            Err(limit) if written => {
                self.busy = false;
                return Ok(Exchanged::Late(limit));
            }
            Err(_) => return Err(self.overdue(doing, patience.wall)),
        }
        if let Some(got) = garbled {
            self.child = None;
            return Err(EnvError::Garbled { doing: doing.to_owned(), got: shorten(&got) });
        }
        self.busy = false;
        self.last_heard = Instant::now();
        Ok(Exchanged::Answers(waiting.into_values().flatten().collect()))
    }

    /// The same for what may not be late: then the process is killed.
    pub(super) async fn demand(
        &mut self,
        messages: &[Outgoing],
        doing: &str,
        patience: Patience,
    ) -> Result<Vec<Result<Value, Failure>>, EnvError> {
        match self.exchange(messages, doing, patience).await? {
            Exchanged::Answers(answers) => Ok(answers),
            Exchanged::Late(TimeLimit::Wall(wall)) => Err(self.overdue(doing, wall)),
            Exchanged::Late(TimeLimit::Cpu(limit)) => Err(self.over_cpu(doing, limit)),
        }
    }

    /// Kills the process, which did not answer in time.
    pub(super) fn overdue(&mut self, doing: &str, after: Duration) -> EnvError {
        self.child = None;
        EnvError::Process(ProcessError::Overdue { doing: doing.to_owned(), after })
    }

    /// Kills the process, which used too much processor time.
    pub(super) fn over_cpu(&mut self, doing: &str, limit: Duration) -> EnvError {
        self.child = None;
        EnvError::Process(ProcessError::OverCpu { doing: doing.to_owned(), limit })
    }

    /// Ends the process and reports how the connection broke.
    async fn lost(&mut self, doing: &str, error: FrameError) -> EnvError {
        let exit = match self.child.take() {
            Some(child) => Some(child.kill_now().await),
            None => None,
        };
        let doing = doing.to_owned();
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
