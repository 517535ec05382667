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
    /// An attempt ended.
    AttemptFinished(Box<AttemptResult>),
}

/// Receives events. Those of one attempt come in order; several attempts may be interleaved.
pub trait Sink: Send {
    /// Takes an event of the attempt with this name: the theorem's id, followed by the attempt's number in a run that
    /// makes several attempts at each theorem.
    fn event(&mut self, attempt: &str, event: &Event);
}

impl<F: FnMut(&str, &Event) + Send> Sink for F {
    fn event(&mut self, attempt: &str, event: &Event) {
        self(attempt, event);
    }
}
