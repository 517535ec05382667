//! Leases: run tactics on one worker, which is first brought to their checkpoint and replaced if it crashes.

use std::sync::Arc;
use std::time::Duration;

use andor_process::error::ProcessError;

use tokio::time::Instant;

use super::{Held, Slot};
use crate::error::EnvError;
use crate::session::checkpoints::{CheckpointId, Obligation};
use crate::session::preview::{Attempted, Preview};
use crate::session::{ChildObligation, Session};
use crate::worker::{ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::limits::TimeLimit;

/// Number of previews between two checks of a worker's memory.
const MEMORY_CHECK_INTERVAL: u32 = 64;

/// The right to run tactics at one obligation, all on one worker unless parked in between. Returned on drop.
pub struct Lease {
    session: Arc<Session>,
    /// The worker's slot, from the first tactic on that passes the screen.
    slot: Option<Slot>,
    obligation: Obligation,
    /// Whether a call to the worker is unfinished. Stays true if the future is dropped or panics.
    at_work: bool,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.park();
    }
}

impl Lease {
    pub(in crate::session) fn new(session: Arc<Session>, obligation: Obligation) -> Self {
        Self { session, slot: None, obligation, at_work: false }
    }

    /// Gives the worker to others meanwhile. The next tactic waits for one again.
    pub fn park(&mut self) {
        if let Some(mut slot) = self.slot.take() {
            if self.at_work {
                // The state of the worker is unknown.
                slot.clear();
                self.at_work = false;
            }
            self.session.pool.give_back(slot);
        }
    }

    /// Tries a tactic at the lease's obligation, without changing the session.
    ///
    /// A text rejected by the screen gives [`Attempted::Screened`], without a worker. Otherwise the first call waits
    /// for a free worker, and takes the one with the least to replay.
    ///
    /// Cached results are returned at once, and a result that another task is computing is awaited. If the tactic
    /// crashes the worker, it is tried once more on a fresh one; a second crash gives [`Attempted::Crashed`], here
    /// and at equal goals. After an error the session cannot continue, except for [`EnvError::ReplayDiverged`], which
    /// affects only this obligation.
    pub async fn preview(&mut self, tactic: &str) -> Result<Preview, EnvError> {
        let session = Arc::clone(&self.session);
        let obligation = self.obligation;
        let tactic: Arc<str> = normalised(tactic).into();
        if let Err(refusal) = session.workers.environment().screen(&tactic) {
            let attempted = Arc::new(Attempted::Screened { refusal });
            return Ok(Preview { obligation, tactic, attempted, took: Duration::ZERO, held: None });
        }
        if self.slot.is_none() {
            let cost = |slot: &Slot| session.checkpoints().replay_length(obligation.checkpoint, slot);
            self.slot = Some(session.pool.take(cost).await);
        }
        let cell = session.memo(obligation, &tactic);
        let mut fresh = None;
        let attempted = cell
            .get_or_try_init(|| async {
                let started = Instant::now();
                let (attempted, held) = self.attempt(&tactic).await?;
                fresh = Some((held, started.elapsed()));
                Ok::<_, EnvError>(Arc::new(attempted))
            })
            .await?
            .clone();
        let over = match *attempted {
            Attempted::OverTime { limit } => Some(limit),
            _ => None,
        };
        let (held, took) = fresh.unwrap_or_default();
        session.count(|c| match took.is_zero() {
            true => c.memo_hits += 1,
            false => {
                c.previews += 1;
                c.over_time += u64::from(over.is_some());
                c.over_cpu += u64::from(matches!(over, Some(TimeLimit::Cpu(_))));
                c.previewing += took;
            }
        });
        Ok(Preview { obligation, tactic, attempted, took, held })
    }

    /// The same, but a tactic that suggests others in its place gives way to the first of them that `allows` admits and that
    /// succeeds: what a script keeps should not search again whenever it is checked.
    pub async fn preview_as_suggested(
        &mut self,
        tactic: &str,
        allows: impl Fn(&str) -> bool,
    ) -> Result<Preview, EnvError> {
        let preview = self.preview(tactic).await?;
        if !matches!(*preview.attempted, Attempted::Applied { .. }) {
            return Ok(preview);
        }
        for text in preview.attempted.suggestions().iter().filter(|text| allows(text)) {
            let suggested = self.preview(text).await?;
            if matches!(*suggested.attempted, Attempted::Applied { .. }) {
                return Ok(suggested);
            }
        }
        Ok(preview)
    }

    async fn attempt(&mut self, tactic: &Arc<str>) -> Result<(Attempted, Option<Held>), EnvError> {
        let session = Arc::clone(&self.session);
        let obligation = self.obligation;
        let key = session.signatures(obligation).key;
        loop {
            if let Some(attempted) = session.quarantine.verdict(key, tactic) {
                return Ok((attempted, None));
            }
            self.recycle_if_large();
            let state = self.state_of(obligation.checkpoint).await?;
            let limits = session.limits.of_a_tactic();
            let outcome = match self.apply(state, obligation.group, tactic, limits).await {
                Ok(outcome) => outcome,
                Err(error) => {
                    // If the worker had to be killed because of the limit, the tactic is not repeated.
                    let over = match error {
                        EnvError::Process(ProcessError::Overdue { .. }) => Some(TimeLimit::Wall(limits.wall)),
                        EnvError::Process(ProcessError::OverCpu { limit, .. }) => Some(TimeLimit::Cpu(limit)),
                        _ if error.is_retryable() => None,
                        _ => return Err(error),
                    };
                    let last = match over {
                        Some(limit) => Attempted::OverTime { limit },
                        None => Attempted::Crashed { message: error.to_string() },
                    };
                    session.quarantine.note(key, tactic, last.clone());
                    self.lose_worker(&error)?;
                    if over.is_some() {
                        return Ok((last, None));
                    }
                    continue;
                }
            };
            session.quarantine.acquit(key, tactic);
            return Ok(match outcome {
                TacticOutcome::Applied { state, proof_state, script, suggestions } => {
                    self.slot().losses_in_a_row = 0;
                    let held = Held {
                        state: Some(state),
                        generation: self.slot().generation,
                        slot: Arc::clone(&self.slot().shared),
                    };
                    let children = session.children_of(&proof_state);
                    (Attempted::Applied { proof_state, children, script, suggestions }, Some(held))
                }
                TacticOutcome::Rejected { message, suggestions } => {
                    (Attempted::Rejected { message, suggestions }, None)
                }
                TacticOutcome::OverTime { limit } => (Attempted::OverTime { limit }, None),
            });
        }
    }

    /// The worker's state for a checkpoint, rebuilt by replay if necessary. Failures of the worker are retried up to
    /// the limit of restarts.
    async fn state_of(&mut self, id: CheckpointId) -> Result<StateId, EnvError> {
        loop {
            match self.rebuild(id).await {
                Ok(state) => return Ok(state),
                Err(error)
                    if error.is_retryable()
                        || matches!(error, EnvError::Process(ProcessError::Overdue { .. })) =>
                {
                    self.lose_worker(&error)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn rebuild(&mut self, id: CheckpointId) -> Result<StateId, EnvError> {
        if self.slot().worker.is_some() {
            self.wake().await?;
        } else {
            let (opened, (worker, root)) = self.session.open_worker().await?;
            self.slot().install(worker, root);
            self.compare(CheckpointId::ROOT, &opened.proof_state)?;
        }
        if let Some(&state) = self.slot().states.get(&id) {
            return Ok(state);
        }
        let started = Instant::now();
        let session = Arc::clone(&self.session);
        let missing = session.checkpoints().replay(id, self.slot());
        for &id in &missing {
            let (parent, tactic) = {
                let checkpoints = session.checkpoints();
                let checkpoint = checkpoints.get(id);
                let parent = checkpoint.parent.expect("a worker that has opened the theorem holds the root");
                (parent, Arc::clone(&checkpoint.tactic))
            };
            let from = self.slot().states[&parent.checkpoint];
            let limits = TacticLimits::wall(session.limits.replay);
            match self.apply(from, parent.group, &tactic, limits).await? {
                TacticOutcome::Applied { state, proof_state, .. } => {
                    self.slot().states.insert(id, state);
                    self.compare(id, &proof_state)?;
                }
                other => {
                    let detail = format!("`{tactic}` succeeded before and now gives {other:?}");
                    return Err(EnvError::ReplayDiverged { checkpoint: id.to_string(), detail });
                }
            }
        }
        self.session.count(|c| {
            c.replayed_tactics += missing.len() as u64;
            c.replaying += started.elapsed();
        });
        Ok(self.slot().states[&id])
    }

    /// Replayed goals must equal the recorded ones by strict signature.
    fn compare(&self, id: CheckpointId, replayed: &ProofState) -> Result<(), EnvError> {
        let now = self.session.children_of(replayed);
        let checkpoints = self.session.checkpoints();
        let before = &checkpoints.get(id).children;
        let strict = |c: &ChildObligation| c.signatures.strict;
        if now.iter().map(strict).eq(before.iter().map(strict)) {
            return Ok(());
        }
        let show = |children: &[ChildObligation]| {
            let goals = children.iter().flat_map(|c| c.goals.iter());
            goals.map(|g| g.target.text.clone()).collect::<Vec<_>>().join("; ")
        };
        let detail = format!("before: {}; now: {}", show(before), show(&now));
        Err(EnvError::ReplayDiverged { checkpoint: id.to_string(), detail })
    }

    /// Drops the worker after a failure, or gives up after too many in succession.
    fn lose_worker(&mut self, error: &EnvError) -> Result<(), EnvError> {
        tracing::warn!("worker lost: {error}");
        let slot = self.slot();
        slot.clear();
        slot.losses_in_a_row += 1;
        let losses = slot.losses_in_a_row;
        self.session.count(|c| c.workers_lost += 1);
        if losses > self.session.limits.max_restarts {
            let restarts = losses - 1;
            return Err(EnvError::RestartsExhausted { restarts, last: error.to_string() });
        }
        Ok(())
    }

    fn recycle_if_large(&mut self) {
        let max = self.session.limits.max_memory_bytes;
        let slot = self.slot();
        slot.previews_since_memory_check += 1;
        if slot.previews_since_memory_check < MEMORY_CHECK_INTERVAL {
            return;
        }
        slot.previews_since_memory_check = 0;
        let memory = slot.worker.as_ref().and_then(|w| w.health().memory_bytes);
        if let (Some(memory), Some(max)) = (memory, max)
            && memory > max
        {
            tracing::info!("replacing a worker that holds {memory} bytes");
            slot.clear();
            self.session.count(|c| c.workers_recycled += 1);
        }
    }

    /// Checks that the worker still answers, so that no tactic is blamed for an earlier hang.
    async fn wake(&mut self) -> Result<(), EnvError> {
        self.at_work = true;
        let awake = self.worker().wake().await;
        self.at_work = false;
        awake
    }

    /// Applies a tactic on the worker.
    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        self.at_work = true;
        let outcome = self.worker().apply(state, group, tactic, limits).await;
        self.at_work = false;
        outcome
    }

    fn slot(&mut self) -> &mut Slot {
        self.slot.as_mut().expect("a slot is taken before a tactic is tried")
    }

    fn worker(&mut self) -> &mut dyn Worker {
        self.slot().worker.as_deref_mut().expect("rebuilding a state needs a worker")
    }
}

/// Normalises tactics that differ only in surrounding white space.
fn normalised(tactic: &str) -> &str {
    tactic.trim()
}
