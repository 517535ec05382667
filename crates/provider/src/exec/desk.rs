//! The requests that wait for a program's answers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use andor_process::lines::Line;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::program::MAX_LINE_BYTES;
use super::protocol::{self, Answer, Malformed};

/// How many requests in a row, one after the other, a program may leave without a sign of life.
const MAX_SILENCES: u32 = 3;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Missed {
    /// The program wrote something else than an answer.
    Malformed(String),
    /// The time limit passed.
    Overdue,
    /// The program has ended.
    Ended,
}

/// What becomes of a request.
pub(super) type Outcome = Result<Answer, Missed>;

/// The requests to one process, shared by those who ask and the task that reads.
#[derive(Default)]
pub(super) struct Desk {
    state: Mutex<State>,
    /// Told when the program has been silent for too long.
    pub(super) given_up: Notify,
}

#[derive(Default)]
struct State {
    waiting: HashMap<u64, oneshot::Sender<Outcome>>,
    /// Requests so far; they are numbered from 1.
    asked: u64,
    /// Answers so far.
    answers: u64,
    /// Requests in a row without a sign of life, of several at the same time only one.
    silences: u32,
    /// When the last of these was overdue.
    silent_until: Option<Instant>,
    /// How the process ended.
    ended: Option<String>,
}

/// A request that waits.
pub(super) struct Ticket {
    pub(super) id: u64,
    pub(super) outcome: oneshot::Receiver<Outcome>,
    since: Instant,
    answers: u64,
}

impl Desk {
    /// Registers a request; `None` if the process has ended.
    pub(super) fn expect(&self) -> Option<Ticket> {
        let mut state = self.state();
        if state.ended.is_some() {
            return None;
        }
        // Those who asked may have stopped waiting.
        state.waiting.retain(|_, waiting| !waiting.is_closed());
        state.asked += 1;
        let (tell, outcome) = oneshot::channel();
        let id = state.asked;
        state.waiting.insert(id, tell);
        Some(Ticket { id, outcome, since: Instant::now(), answers: state.answers })
    }

    /// Takes note that the time limit of a request has passed.
    pub(super) fn overdue(&self, ticket: &Ticket) {
        let mut state = self.state();
        state.waiting.remove(&ticket.id);
        let was_silent = state.answers == ticket.answers;
        if was_silent && state.silent_until.is_none_or(|until| until <= ticket.since) {
            state.silent_until = Some(Instant::now());
            state.silences += 1;
            if state.silences == MAX_SILENCES {
                self.given_up.notify_one();
            }
        }
    }

    /// Hands a line of the program to the request that it answers. An answer that comes too late is ignored. A line that
    /// says not what it answers fails all requests, since any of them may be meant.
    pub(super) fn take(&self, line: Line) {
        let mut state = self.state();
        let read = match line {
            Line::Whole(line) => protocol::answer(&line),
            Line::TooLong => {
                let what = format!("it wrote a line of more than {} MiB", MAX_LINE_BYTES >> 20);
                Err(Malformed { id: None, what })
            }
        };
        let malformed = match read {
            Ok((id, answer)) if (1..=state.asked).contains(&id) => {
                state.answers += 1;
                (state.silences, state.silent_until) = (0, None);
                if let Some(waiting) = state.waiting.remove(&id) {
                    let _ = waiting.send(Ok(answer));
                }
                return;
            }
            Ok((id, _)) => {
                Malformed { id: None, what: format!("it answered a request {id}, which was never made") }
            }
            Err(malformed) => malformed,
        };
        tracing::debug!("a program broke the protocol: {}", malformed.what);
        let meant = |id: &u64| malformed.id.is_none_or(|meant| meant == *id || meant > state.asked);
        let ids: Vec<u64> = state.waiting.keys().copied().filter(meant).collect();
        for id in ids {
            if let Some(waiting) = state.waiting.remove(&id) {
                let _ = waiting.send(Err(Missed::Malformed(malformed.what.clone())));
            }
        }
    }

    /// Takes note of the end of the process, if it is news, and tells all who wait.
    pub(super) fn close(&self, how: String) {
        let mut state = self.state();
        state.ended.get_or_insert(how);
        for (_, waiting) in state.waiting.drain() {
            let _ = waiting.send(Err(Missed::Ended));
        }
    }

    /// How the process ended, if it has.
    pub(super) fn ended(&self) -> Option<String> {
        self.state().ended.clone()
    }

    /// Whether the process has answered a request.
    pub(super) fn has_answered(&self) -> bool {
        self.state().answers > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while holding the requests")
    }
}
