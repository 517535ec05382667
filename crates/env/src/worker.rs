//! The contract of a worker: one proof-assistant process, or an in-process prover.
//!
//! A worker is small, so that adapters stay small: it opens a theorem, applies a tactic to one obligation
//! of a state it holds, and releases states. It may be slow, crash, or be killed at any time; the
//! [`crate::session::Session`] around it knows how to rebuild every state elsewhere.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::theorem::{ExtraImport, Theorem};
use async_trait::async_trait;

use crate::error::EnvError;

/// A state that a worker holds. Meaningful only to the worker that gave it out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u64);

/// Which goals of a proof state make one obligation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Those that share metavariables; the others are proved apart (AND/OR search).
    #[default]
    Coupled,
    /// All of them: a node per proof state.
    Whole,
}

/// The open goals of a proof state and which of them belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofState {
    /// The goals in the system's order. None: nothing is left to prove.
    pub goals: Vec<Goal>,
    /// A partition of the positions in `goals`: goals in one group share metavariables, or the worker was asked for
    /// [`Grouping::Whole`], and are solved together, in order. Each group is ascending; groups are ordered by their first goal.
    pub groups: Vec<Vec<usize>>,
}

impl ProofState {
    /// The goals of one group, in order.
    pub fn group(&self, index: usize) -> Vec<Goal> {
        self.groups[index].iter().map(|&g| self.goals[g].clone()).collect()
    }

    /// The same goals, all in one group if they are to be.
    #[must_use]
    pub fn grouped(mut self, grouping: Grouping) -> Self {
        if grouping == Grouping::Whole && self.groups.len() > 1 {
            self.groups = vec![(0..self.goals.len()).collect()];
        }
        self
    }
}

/// A theorem opened on a worker.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The initial state.
    pub state: StateId,
    /// Its goals.
    pub proof_state: ProofState,
    /// Those of the theorem's extra imports that are in effect.
    pub imports: Vec<ExtraImport>,
    /// The assistant's name and version.
    pub assistant: String,
    /// How long the header took to read, but for what the worker had read of it before.
    pub importing: Duration,
}

/// What came of applying a tactic. Anything here is ordinary news; a broken worker is an [`EnvError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TacticOutcome {
    /// It succeeded.
    Applied {
        /// The new state, held by the worker until released.
        state: StateId,
        /// What is left of the obligation.
        proof_state: Arc<ProofState>,
        /// The text that stands for the tactic in a finished script.
        script: String,
    },
    /// The assistant refused it.
    Rejected {
        /// Its message.
        message: String,
    },
    /// It ran over a limit and was stopped; the worker still answers.
    OverTime {
        /// The limit.
        limit: TimeLimit,
    },
}

/// What a tactic may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TacticLimits {
    /// Wall time.
    pub wall: Duration,
    /// Processor time. An in-process prover has none: it counts steps, or needs no limit.
    pub cpu: Option<CpuLimit>,
}

impl TacticLimits {
    /// A limit on wall time alone.
    pub fn wall(limit: Duration) -> Self {
        Self { wall: limit, cpu: None }
    }
}

/// A limit on the processor time of the worker's whole process tree, descendants that ended included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuLimit {
    /// The limit.
    pub limit: Duration,
    /// The time between two looks at the process tree.
    pub poll: Duration,
}

/// The limit that a tactic ran over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Of processor time.
    Cpu(Duration),
    /// Of wall time; in `mini`, the steps that stand for it.
    Wall(Duration),
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu(limit) => write!(f, "{} s of processor time", limit.as_secs_f64()),
            Self::Wall(limit) => write!(f, "{} s", limit.as_secs_f64()),
        }
    }
}

/// How a worker is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Resident memory of its process tree, or what the states of an in-process prover hold; `None` when it cannot be
    /// told.
    pub memory_bytes: Option<u64>,
    /// States held.
    pub n_states: usize,
}

/// One proof-assistant process, or an in-process prover.
///
/// After an error that loses the worker ([`EnvError::loses_worker`]) every further call fails; drop it.
/// Dropping a worker ends its process and everything that it started. So does dropping a call's future
/// half-way: such a worker is lost too.
#[async_trait]
pub trait Worker: Send {
    /// Opens a theorem. May take as long as the header's imports. A worker serves one theorem, and one more each time
    /// that [`Worker::forget_theorem`] says yes: one with whose header it [shares](Worker::shares) something, which is
    /// not read again.
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError>;

    /// Applies `tactic` to one group of goals of a held state, in isolation from the other groups: to its
    /// first goal. `Applied` holds what is left of that group alone.
    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError>;

    /// Forgets a state.
    fn release(&mut self, state: StateId);

    /// Forgets all states. Says whether the worker may open another theorem and will show it as a fresh worker would.
    fn forget_theorem(&mut self) -> bool {
        false
    }

    /// How much of a header the worker has read already and need not read again, by a measure of its own that grows with
    /// it. `None`: a theorem under this header needs another worker.
    fn shares(&self, _header: &str) -> Option<usize> {
        None
    }

    /// Makes sure, within seconds, that the worker still answers if it was idle for long. An error loses it.
    async fn wake(&mut self) -> Result<(), EnvError> {
        Ok(())
    }

    /// How the worker is doing.
    fn health(&self) -> Health;

    /// The operating system's id of the process behind the worker, where there is one.
    fn process_id(&self) -> Option<u32>;
}
