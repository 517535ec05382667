//! What happens in an attempt, as one closed list. Traces, progress and records are made from these events.

use andor_artifact::latency::MeasuredLatency;
use andor_artifact::result::AttemptResult;
use andor_artifact::trace::{Abort, Iteration, Proved, Rejection, Start};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// An attempt began.
    AttemptStarted {
        /// Its number, from 1.
        attempt: u32,
    },
    /// The theorem was opened.
    Opened {
        /// The assistant's name and version.
        assistant: String,
    },
    /// The search begins.
    Started(Box<Start>),
    /// The search finished an iteration.
    Iteration(Box<Iteration>),
    /// A provider or a tactic took so long.
    Latency(MeasuredLatency),
    /// The checker is looking at a claimed proof.
    Checking,
    /// The checker rejected a claimed proof.
    Rejection(Rejection),
    /// The search ended without a proof.
    Abort(Abort),
    /// The search ended with an accepted proof.
    Proved(Proved),
    /// An attempt ended, and its result is kept.
    AttemptFinished(Box<AttemptResult>),
    /// An attempt that had begun was ended because an earlier one at its theorem was accepted. It leaves no result.
    AttemptDropped,
}

/// Receives events. Those of one attempt come in order; several attempts may be interleaved.
pub trait Sink: Send {
    /// Takes an event of the attempt with this name: the theorem's id, followed by the attempt's number in a run that
    /// makes several attempts at each theorem.
    fn event(&mut self, attempt: &str, event: &Event);

    /// Takes in how far the run is, before its first attempt and whenever attempts begin or are no longer needed.
    fn outlook(&mut self, _outlook: Outlook) {}
}

/// How far a run is, beside the attempts whose events come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outlook {
    /// How many attempts are made at once, at most.
    pub jobs: usize,
    /// Attempts that were finished before this part of the run began.
    pub finished_earlier: usize,
    /// How many of them found a proof that was accepted.
    pub accepted_earlier: usize,
    /// Attempts that have not begun and are still to be made.
    pub waiting: usize,
}

impl<F: FnMut(&str, &Event) + Send> Sink for F {
    fn event(&mut self, attempt: &str, event: &Event) {
        self(attempt, event);
    }
}
