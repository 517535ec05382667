//! The events of an attempt, as a closed enum. Traces, progress and records are derived from them.

use std::time::Duration;

use andor_artifact::graft::GraftRecord;
use andor_artifact::latency::MeasuredLatency;
use andor_artifact::plan::{FocusRecord, ReplanRecord};
use andor_artifact::result::AttemptResult;
use andor_artifact::trace::{Abort, GraftStep, Iteration, Proved, Rejection, Start};

use andor_env::in_place::WrittenProof;

/// An event.
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
    /// A script's step was added.
    GraftStep(Box<GraftStep>),
    /// A script was applied as far as it holds.
    Graft(GraftRecord),
    /// The search turned to a statement of its plan, or to the whole tree.
    Focus(FocusRecord),
    /// A planner was asked to mend the plan.
    Replan(Box<ReplanRecord>),
    /// A measured latency of a provider or a tactic.
    Latency(MeasuredLatency),
    /// The search over an agent's states made a step.
    AgentStep(AgentStep),
    /// The checker is verifying a claimed proof.
    Checking,
    /// The checker rejected a claimed proof.
    Rejection(Rejection),
    /// The search ended without a proof.
    Abort(Abort),
    /// The search ended with an accepted proof.
    Proved(Proved),
    /// The accepted proof, as text for the file that states the theorem.
    Written(Box<WrittenProof>),
    /// The attempt ended, and its result was stored.
    AttemptFinished(Box<AttemptResult>),
    /// A running attempt was cancelled because an earlier one at the same theorem was accepted. It has no result.
    AttemptDropped,
}

/// How far the search over an agent's states is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentStep {
    /// Nodes of its tree.
    pub nodes: u64,
    /// Tokens sent to and received from the model.
    pub tokens: u64,
    /// The best score.
    pub best: Option<f64>,
}

/// Receives events. The events of one attempt arrive in order; those of several attempts may be interleaved.
pub trait Sink: Send {
    /// Receives an event of an attempt. The name `attempt` is the theorem's id, followed by the attempt's number if
    /// the run makes several attempts at each theorem.
    fn event(&mut self, attempt: &str, event: &Event);

    /// Receives the progress of the run: before its first attempt, and whenever attempts begin or are no longer
    /// needed.
    fn outlook(&mut self, _outlook: Outlook) {}
}

/// The progress of a run, beyond the attempts whose events are received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outlook {
    /// The maximum number of concurrent attempts.
    pub jobs: usize,
    /// Attempts that were finished before the run was resumed.
    pub finished_earlier: usize,
    /// How many of them found an accepted proof.
    pub accepted_earlier: usize,
    /// Attempts that are still to be started.
    pub waiting: usize,
    /// The time limit of each attempt.
    pub limit: Option<Duration>,
}

impl<F: FnMut(&str, &Event) + Send> Sink for F {
    fn event(&mut self, attempt: &str, event: &Event) {
        self(attempt, event);
    }
}
