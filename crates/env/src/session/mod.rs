//! The session: the logical proof of one theorem, implemented once for all systems (ADR 2).
//!
//! It owns the checkpoint tree. Every checkpoint records its parent and the tactic that created it, so it can be
//! rebuilt on any worker by replay. This enables rollback, crash recovery, a pool of parallel workers, and the
//! replacement of workers whose memory has grown.
//!
//! A tactic is tried in two phases. [`Lease::preview`] runs it without changing the session; [`Session::commit`]
//! keeps a preview, and only then names its checkpoint and goals.

mod checkpoints;
mod lookup;
mod pool;
mod preview;
mod quarantine;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::signature::Signatures;
use andor_core::theorem::{ExtraImport, Theorem};
use tokio::sync::OnceCell;

use crate::checker::Claim;
use crate::environment::Script;
use crate::error::EnvError;
use crate::outline::Outline;
use crate::worker::TacticLimits;
use crate::workers::Workers;
use andor_process::limits::CpuLimit;

pub use checkpoints::{CheckpointId, Obligation, ScopedGoalName};
pub use pool::Lease;
pub use preview::{Attempted, ChildObligation, Committed, Preview};

use checkpoints::{Checkpoint, Checkpoints};
use lookup::Library;
use pool::Pool;
use quarantine::Quarantine;

/// The limits of a session's workers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Number of concurrent workers; at least 1.
    pub workers: usize,
    /// Wall-time limit of a tactic.
    pub tactic: Duration,
    /// Processor-time limit of a tactic, over the worker's process tree ([`CpuAccount`](andor_process::CpuAccount)).
    /// Ignored if the worker is not a process: `mini` counts steps, and the synthetic environment answers at once.
    pub tactic_cpu: Option<Duration>,
    /// The sampling interval of the processor time.
    pub poll: Duration,
    /// Wall-time limit of a tactic in a replay, which is known to succeed.
    pub replay: Duration,
    /// Consecutive losses of a worker, without a successful tactic in between, before the session gives up.
    pub max_restarts: u32,
    /// Memory limit of a worker; above it, the worker is replaced between tactics.
    pub max_memory_bytes: Option<u64>,
}

impl Limits {
    fn of_a_tactic(&self) -> TacticLimits {
        let cpu = self.tactic_cpu.map(|limit| CpuLimit { limit, poll: self.poll });
        TacticLimits { wall: self.tactic, cpu }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            workers: 1,
            tactic: Duration::from_secs(5),
            tactic_cpu: None,
            poll: Duration::from_millis(50),
            replay: Duration::from_secs(60),
            max_restarts: 3,
            max_memory_bytes: Some(2 << 30),
        }
    }
}

/// Counters of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Tactics run for previews.
    pub previews: u64,
    /// Previews answered from the cache.
    pub memo_hits: u64,
    /// Previews that exceeded a limit.
    pub over_time: u64,
    /// The previews among them that exceeded the processor-time limit.
    pub over_cpu: u64,
    /// Tactics run to rebuild checkpoints.
    pub replayed_tactics: u64,
    /// Workers started, including the first ones.
    pub workers_started: u64,
    /// Warm workers taken over from an earlier theorem.
    pub workers_reused: u64,
    /// Workers lost by crash or kill.
    pub workers_lost: u64,
    /// Workers replaced because of their memory.
    pub workers_recycled: u64,
    /// Time spent waiting for workers to start and open the theorem.
    pub opening: Duration,
    /// The part of this spent on headers.
    pub importing: Duration,
    /// Time spent waiting for the tactics of previews.
    pub previewing: Duration,
    /// Time spent rebuilding checkpoints.
    pub replaying: Duration,
}

type MemoKey = (Obligation, Arc<str>);

/// The logical proof of one theorem.
pub struct Session {
    workers: Arc<Workers>,
    theorem: Theorem,
    limits: Limits,
    checkpoints: Mutex<Checkpoints>,
    memo: Mutex<HashMap<MemoKey, Arc<OnceCell<Arc<Attempted>>>>>,
    quarantine: Quarantine,
    counters: Mutex<Counters>,
    pool: Pool,
    library: Library,
    imports: Vec<ExtraImport>,
    assistant: String,
}

impl Session {
    /// Opens a theorem on a first worker. Further workers are started on demand.
    pub async fn open(
        workers: Arc<Workers>,
        theorem: Theorem,
        limits: Limits,
    ) -> Result<Arc<Self>, EnvError> {
        let mut session = Self {
            pool: Pool::new(limits.workers),
            workers,
            theorem,
            limits,
            checkpoints: Mutex::default(),
            memo: Mutex::default(),
            quarantine: Quarantine::default(),
            counters: Mutex::default(),
            library: Library::default(),
            imports: Vec::new(),
            assistant: String::new(),
        };
        session.workers.environment().admit(&session.theorem)?;
        let (opened, slot) = session.open_first_worker().await?;
        session.imports = opened.imports;
        session.assistant = opened.assistant;
        let children = session.children_of(&opened.proof_state);
        session.checkpoints().add(Checkpoint {
            parent: None,
            tactic: Arc::from(""),
            script: String::new(),
            proof_state: Arc::new(opened.proof_state),
            children,
        });
        session.pool.put_first(slot);
        Ok(Arc::new(session))
    }

    /// The root obligation.
    pub fn root(&self) -> Obligation {
        Obligation { checkpoint: CheckpointId::ROOT, group: 0 }
    }

    /// The theorem.
    pub fn theorem(&self) -> &Theorem {
        &self.theorem
    }

    /// The assistant's name and version.
    pub fn assistant(&self) -> &str {
        &self.assistant
    }

    /// The goals of an obligation, in order.
    pub fn goals(&self, obligation: Obligation) -> Arc<[Goal]> {
        Arc::clone(&self.checkpoints().child(obligation).goals)
    }

    /// The signatures of an obligation.
    pub fn signatures(&self, obligation: Obligation) -> Signatures {
        self.checkpoints().child(obligation).signatures
    }

    /// The name of an obligation: that of its first goal, unique within the session.
    pub fn scoped_name(&self, obligation: Obligation) -> ScopedGoalName {
        let checkpoints = self.checkpoints();
        let goal = checkpoints.child(obligation).goals.first().map_or("", |g| g.name.as_str());
        ScopedGoalName::new(obligation.checkpoint, goal)
    }

    /// The counters of the session.
    pub fn counters(&self) -> Counters {
        *self.counters.lock().expect("nothing panics while holding the counters")
    }

    /// A lease: the right to run tactics at an obligation. It takes a worker with the first tactic that passes the
    /// screen.
    pub fn lease(self: &Arc<Self>, obligation: Obligation) -> Lease {
        Lease::new(Arc::clone(self), obligation)
    }

    /// Keeps a successful preview, and names its checkpoint and its obligations, one per group.
    ///
    /// # Panics
    ///
    /// If the preview did not succeed.
    pub fn commit(&self, preview: &mut Preview) -> Committed {
        let Attempted::Applied { proof_state, children, script, .. } = &*preview.attempted else {
            panic!("only a successful preview can be committed");
        };
        let id = self.checkpoints().add(Checkpoint {
            parent: Some(preview.obligation),
            tactic: Arc::clone(&preview.tactic),
            script: script.clone(),
            proof_state: Arc::clone(proof_state),
            children: children.clone(),
        });
        if let Some(held) = preview.held.take() {
            self.pool.keep(id, held);
        }
        let obligations = (0..children.len()).map(|group| Obligation { checkpoint: id, group }).collect();
        Committed { checkpoint: id, obligations }
    }

    /// The groups of goals at a checkpoint, and the text of the tactic that created it, for a finished script.
    pub fn script_of(&self, checkpoint: CheckpointId) -> (String, Vec<Vec<usize>>) {
        let checkpoints = self.checkpoints();
        let checkpoint = checkpoints.get(checkpoint);
        (checkpoint.script.clone(), checkpoint.proof_state.groups.clone())
    }

    /// The tactic that created a checkpoint; empty for the root.
    pub fn tactic_of(&self, checkpoint: CheckpointId) -> Arc<str> {
        Arc::clone(&self.checkpoints().get(checkpoint).tactic)
    }

    /// The goals at a checkpoint in the assistant's order, each with the obligation that it belongs to.
    pub fn goals_left(&self, checkpoint: CheckpointId) -> Vec<(Obligation, Goal)> {
        let checkpoints = self.checkpoints();
        let state = &checkpoints.get(checkpoint).proof_state;
        let group_of = |goal| state.groups.iter().position(|group| group.contains(&goal));
        let goals = state.goals.iter().enumerate();
        let owned = goals.filter_map(|(index, goal)| {
            Some((Obligation { checkpoint, group: group_of(index)? }, goal.clone()))
        });
        owned.collect()
    }

    /// Reads a proof script.
    pub fn outline(&self, script: &str) -> Outline {
        self.workers.environment().outline(script)
    }

    /// The tactics of a script as a text that [`Self::outline`] reads.
    pub fn proof_text(&self, script: &Script) -> String {
        self.workers.environment().proof_text(script)
    }

    /// A step of a script with names for the hypotheses that it adds (see [`crate::environment::Environment::with_names`]).
    pub fn with_names(&self, step: &str, names: &[&str]) -> Option<String> {
        self.workers.environment().with_names(step, names)
    }

    /// The extra imports that a script needs.
    pub fn imports_of(&self, script: &str) -> Vec<ExtraImport> {
        self.imports.iter().filter(|i| i.is_used_in(script)).cloned().collect()
    }

    /// The claim that a finished script proves the theorem.
    pub fn assemble(&self, script: &Script) -> Claim {
        self.workers.environment().assemble(&self.theorem, &self.imports, script)
    }

    /// Returns the session's idle workers for use by other theorems. Leased workers end with the session.
    pub fn close(&self) {
        for worker in self.pool.take_workers().into_iter().chain(self.library.take_worker()) {
            self.workers.give_back(worker, self.limits.max_memory_bytes);
        }
    }

    /// The process ids of the session's idle workers.
    pub fn process_ids(&self) -> Vec<u32> {
        self.pool.process_ids().into_iter().chain(self.library.process_id()).collect()
    }

    fn checkpoints(&self) -> MutexGuard<'_, Checkpoints> {
        self.checkpoints.lock().expect("nothing panics while holding the checkpoints")
    }

    fn count(&self, change: impl FnOnce(&mut Counters)) {
        change(&mut self.counters.lock().expect("nothing panics while holding the counters"));
    }

    fn children_of(&self, state: &crate::worker::ProofState) -> Vec<ChildObligation> {
        let commutative = self.workers.environment().commutative();
        (0..state.groups.len()).map(|group| ChildObligation::new(state.group(group), commutative)).collect()
    }

    /// The cell for a preview's result; the first user fills it, others wait.
    fn memo(&self, obligation: Obligation, tactic: &Arc<str>) -> Arc<OnceCell<Arc<Attempted>>> {
        let mut memo = self.memo.lock().expect("nothing panics while holding the memo");
        Arc::clone(memo.entry((obligation, Arc::clone(tactic))).or_default())
    }
}
