//! The interface of workers: a proof-assistant process, or an in-process prover.
//!
//! The interface is small, so that adapters stay small: a worker opens a theorem, applies a tactic to one obligation
//! of a state it holds, and releases states. It may be slow, crash, or be killed at any time; the
//! [`crate::session::Session`] around it can rebuild every state elsewhere.

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::lemma::Lemma;
use andor_core::theorem::{ExtraImport, Theorem};
use andor_process::limits::{CpuLimit, TimeLimit};
use async_trait::async_trait;

use crate::error::EnvError;

/// A state held by a worker, meaningful only to that worker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u64);

andor_core::choice!(
    /// Which goals of a proof state form an obligation.
    #[derive(Default)]
    Grouping {
        /// Those that share metavariables; the others are proved separately (AND/OR search).
        #[default]
        Coupled = "goal",
        /// All of them: one node per proof state.
        Whole = "state",
    }
);

/// The open goals of a proof state, and their grouping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofState {
    /// The goals in the system's order; empty if nothing is left to prove.
    pub goals: Vec<Goal>,
    /// A partition of the indices of `goals`. The goals of a group share metavariables, or the worker was asked for
    /// [`Grouping::Whole`], and are solved together, in order. Each group is ascending; groups are ordered by their
    /// first goal.
    pub groups: Vec<Vec<usize>>,
}

impl ProofState {
    /// The goals of one group, in order.
    pub fn group(&self, index: usize) -> Vec<Goal> {
        self.groups[index].iter().map(|&g| self.goals[g].clone()).collect()
    }

    /// The same goals with the requested grouping.
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
    /// The extra imports of the theorem that are in effect.
    pub imports: Vec<ExtraImport>,
    /// The assistant's name and version.
    pub assistant: String,
    /// Time spent reading the header, apart from what the worker had read before.
    pub importing: Duration,
}

/// The result of applying a tactic. Failures of the worker are reported as [`EnvError`] instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TacticOutcome {
    /// It succeeded.
    Applied {
        /// The new state, held by the worker until released.
        state: StateId,
        /// The remaining goals of the obligation.
        proof_state: Arc<ProofState>,
        /// The text of the tactic in a finished script.
        script: String,
        /// The tactics that it suggested instead of itself, best first; empty in most systems.
        suggestions: Vec<String>,
    },
    /// The assistant rejected it.
    Rejected {
        /// Its message.
        message: String,
        /// The tactics that it suggested instead of itself, best first.
        suggestions: Vec<String>,
    },
    /// It exceeded a limit and was stopped; the worker is still usable.
    OverTime {
        /// The limit.
        limit: TimeLimit,
    },
}

impl TacticOutcome {
    /// A rejection with nothing suggested.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self::Rejected { message: message.into(), suggestions: Vec::new() }
    }
}

/// The limits of a tactic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TacticLimits {
    /// Wall time.
    pub wall: Duration,
    /// Processor time. In-process provers have no such limit: they count steps, or need none.
    pub cpu: Option<CpuLimit>,
}

impl TacticLimits {
    /// A limit on wall time only.
    pub fn wall(limit: Duration) -> Self {
        Self { wall: limit, cpu: None }
    }
}

/// The health of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Resident memory of its process tree, or the size of an in-process prover's states; `None` if unknown.
    pub memory_bytes: Option<u64>,
    /// Number of states held.
    pub n_states: usize,
}

/// A proof-assistant process, or an in-process prover.
///
/// After an error that loses the worker ([`EnvError::loses_worker`]) every further call fails; drop it. Dropping a
/// worker ends its process and all descendants. Dropping the future of an unfinished call also loses the worker.
#[async_trait]
pub trait Worker: Send {
    /// Opens a theorem, which may take as long as the imports of the header. A worker serves one theorem, and one
    /// more after each successful [`Worker::forget_theorem`]: one whose header [shares](Worker::shares) a prefix with
    /// the current one, which is not read again.
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError>;

    /// Applies `tactic` to the first goal of a group of a held state, in isolation from the other groups. `Applied`
    /// holds the remaining goals of that group only.
    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError>;

    /// Lemmas whose statements mention some of these symbols, best first ([`best`](andor_core::lemma::best)), at most
    /// `most`: those of the header and of the libraries that it loads, but neither the theorem itself nor a hypothesis. The
    /// answer depends on the opened theorem and on the symbols only, and no state changes. Unknown symbols are ignored.
    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        let _ = (symbols, most);
        Ok(Vec::new())
    }

    /// Releases a state.
    fn release(&mut self, state: StateId);

    /// Releases all states. Returns whether the worker may open another theorem and will behave as a fresh worker
    /// would.
    fn forget_theorem(&mut self) -> bool {
        false
    }

    /// How much of a header the worker has already read, in a monotone measure of its own. `None` means that a
    /// theorem under this header needs another worker.
    fn shares(&self, _header: &str) -> Option<usize> {
        None
    }

    /// Checks, within seconds, that a worker that was idle for long still answers. An error loses it.
    async fn wake(&mut self) -> Result<(), EnvError> {
        Ok(())
    }

    /// The health of the worker.
    fn health(&self) -> Health;

    /// The process id of the worker, if it has a process.
    fn process_id(&self) -> Option<u32>;
}
