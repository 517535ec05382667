//! Previews: tactics tried speculatively.

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::signature::{Commutative, Signatures, signatures};

use super::checkpoints::{CheckpointId, Obligation};
use super::pool::Held;
use crate::screen::Refusal;
use crate::worker::{ProofState, TimeLimit};

/// An obligation that a tactic would leave.
#[derive(Clone, Debug)]
pub struct Child {
    /// Its goals, in order.
    pub goals: Arc<[Goal]>,
    /// Its signatures.
    pub signatures: Signatures,
}

impl Child {
    pub(super) fn new(goals: Vec<Goal>, commutative: &Commutative) -> Self {
        Self { signatures: signatures(&goals, commutative), goals: goals.into() }
    }
}

/// What came of a tactic. Remembered by obligation and tactic.
#[derive(Clone, Debug)]
pub enum Attempted {
    /// It succeeded.
    Applied {
        /// What it leaves.
        proof_state: Arc<ProofState>,
        /// The obligations it leaves, one per group; none: it closed the obligation.
        children: Vec<Child>,
        /// The text that stands for it in a finished script.
        script: String,
    },
    /// The screen stopped it: the assistant never saw it.
    Screened {
        /// Why.
        refusal: Refusal,
    },
    /// The assistant refused it.
    Rejected {
        /// The message.
        message: String,
    },
    /// It ran over a limit.
    OverTime {
        /// The limit.
        limit: TimeLimit,
    },
    /// It killed a worker twice; it is not tried again, here or wherever the goals are the same.
    Crashed {
        /// How the second worker ended.
        message: String,
    },
}

impl Attempted {
    /// Whether the assistant had the tactic and refused it, or ran over its time with it. Only this makes a tactic a negative
    /// of training data: one that was screened was never tried, and one that lost its workers says nothing about the goal.
    pub fn has_failed(&self) -> bool {
        matches!(self, Self::Rejected { .. } | Self::OverTime { .. })
    }
}

/// A preview that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The new checkpoint.
    pub checkpoint: CheckpointId,
    /// What is open in it, one obligation per group; none: the tactic closed the obligation.
    pub obligations: Vec<Obligation>,
}

/// A tactic tried at an obligation. Dropping it forgets the state that the worker holds for it.
#[derive(Debug)]
pub struct Preview {
    /// Where it was tried.
    pub obligation: Obligation,
    /// The tactic.
    pub tactic: Arc<str>,
    /// What came of it.
    pub attempted: Arc<Attempted>,
    /// How long the worker took; zero when the result was remembered.
    pub took: Duration,
    pub(super) held: Option<Held>,
}
