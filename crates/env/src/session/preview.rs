//! Previews: tactics tried without commitment.

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::signature::{Commutative, Signatures, signatures};

use super::checkpoints::{CheckpointId, Obligation};
use super::pool::Held;
use crate::screen::Refusal;
use crate::worker::ProofState;
use andor_process::limits::TimeLimit;

/// An obligation that a tactic leaves.
#[derive(Clone, Debug)]
pub struct ChildObligation {
    /// Its goals, in order.
    pub goals: Arc<[Goal]>,
    /// Its signatures.
    pub signatures: Signatures,
}

impl ChildObligation {
    pub(super) fn new(goals: Vec<Goal>, commutative: &Commutative) -> Self {
        Self { signatures: signatures(&goals, commutative), goals: goals.into() }
    }
}

/// The result of a tactic, cached by obligation and tactic.
#[derive(Clone, Debug)]
pub enum Attempted {
    /// It succeeded.
    Applied {
        /// The result.
        proof_state: Arc<ProofState>,
        /// The remaining obligations, one per group; empty if the tactic closed the obligation.
        children: Vec<ChildObligation>,
        /// The text of the tactic in a finished script.
        script: String,
        /// The tactics that it suggested instead of itself, best first.
        suggestions: Vec<String>,
    },
    /// The screen rejected it; the assistant never saw it.
    Screened {
        /// The reason.
        refusal: Refusal,
    },
    /// The assistant rejected it.
    Rejected {
        /// The message.
        message: String,
        /// The tactics that it suggested instead of itself, best first.
        suggestions: Vec<String>,
    },
    /// It exceeded a limit.
    OverTime {
        /// The limit.
        limit: TimeLimit,
    },
    /// It killed two workers; it is not tried again at equal goals.
    Crashed {
        /// How the second worker ended.
        message: String,
    },
}

impl Attempted {
    /// Whether the assistant ran the tactic and rejected it, or it timed out. Only such tactics are negative examples
    /// in training data: a screened tactic was never run, and a crash says nothing about the goal.
    pub fn has_failed(&self) -> bool {
        matches!(self, Self::Rejected { .. } | Self::OverTime { .. })
    }

    /// The tactics that it suggested instead of itself, best first.
    pub fn suggestions(&self) -> &[String] {
        match self {
            Self::Applied { suggestions, .. } | Self::Rejected { suggestions, .. } => suggestions,
            Self::Screened { .. } | Self::OverTime { .. } | Self::Crashed { .. } => &[],
        }
    }
}

/// A committed preview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The new checkpoint.
    pub checkpoint: CheckpointId,
    /// Its open obligations, one per group; empty if the tactic closed the obligation.
    pub obligations: Vec<Obligation>,
}

/// A tactic tried at an obligation. Dropping it releases the worker's state.
#[derive(Debug)]
pub struct Preview {
    /// The obligation.
    pub obligation: Obligation,
    /// The tactic.
    pub tactic: Arc<str>,
    /// The result.
    pub attempted: Arc<Attempted>,
    /// Duration in the worker; zero if the result came from the cache.
    pub took: Duration,
    pub(super) held: Option<Held>,
}
