//! The pool: workers in slots, leased one at a time.

mod lease;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::Session;
use super::checkpoints::CheckpointId;
use crate::error::EnvError;
use crate::worker::{Opened, StateId, Worker};

pub use lease::Lease;

/// A place for a worker, and what the worker holds.
#[derive(Default)]
pub(super) struct Slot {
    worker: Option<Box<dyn Worker>>,
    /// Counts the workers that were here. A state belongs to one generation.
    generation: u64,
    states: HashMap<CheckpointId, StateId>,
    shared: Arc<Mutex<SlotShared>>,
    losses_in_a_row: u32,
    previews_since_memory_check: u32,
}

/// What others may do to a slot while it is leased: give states back, or name them.
#[derive(Default)]
struct SlotShared {
    generation: u64,
    to_release: Vec<StateId>,
    to_keep: Vec<(CheckpointId, StateId)>,
}

impl Slot {
    pub(super) fn holds(&self, id: CheckpointId) -> bool {
        self.states.contains_key(&id)
    }

    /// Puts a fresh worker, which has opened the theorem, into the slot.
    fn install(&mut self, worker: Box<dyn Worker>, root: StateId) {
        self.clear();
        self.worker = Some(worker);
        self.states.insert(CheckpointId::ROOT, root);
    }

    /// Drops the worker and everything it held.
    fn clear(&mut self) {
        self.worker = None;
        self.states.clear();
        self.generation += 1;
        *self.shared() = SlotShared { generation: self.generation, ..SlotShared::default() };
    }

    fn shared(&self) -> MutexGuard<'_, SlotShared> {
        self.shared.lock().expect("nothing panics while holding a slot's share")
    }

    /// Does what others asked for since the last lease.
    fn catch_up(&mut self) {
        let shared = std::mem::take(&mut *self.shared());
        self.shared().generation = self.generation;
        self.states.extend(shared.to_keep);
        if let Some(worker) = &mut self.worker {
            shared.to_release.into_iter().for_each(|state| worker.release(state));
        }
    }
}

/// A state that a worker holds for a preview. Void when the worker was replaced meanwhile.
pub(super) struct Held {
    state: Option<StateId>,
    generation: u64,
    slot: Arc<Mutex<SlotShared>>,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Held({:?})", self.state)
    }
}

impl Held {
    fn with_slot(&mut self, act: impl FnOnce(&mut SlotShared, StateId)) {
        let mut slot = self.slot.lock().expect("nothing panics while holding a slot's share");
        if let (Some(state), true) = (self.state.take(), slot.generation == self.generation) {
            act(&mut slot, state);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.with_slot(|slot, state| slot.to_release.push(state));
    }
}

/// The slots that are free, and the right to wait for one.
pub(super) struct Pool {
    free: Mutex<Vec<Slot>>,
    permits: Semaphore,
}

impl Pool {
    /// A pool of `size` slots without workers.
    pub(super) fn new(size: usize) -> Self {
        assert!(size >= 1, "a session needs at least one worker");
        Self { free: Mutex::new((0..size).map(|_| Slot::default()).collect()), permits: Semaphore::new(size) }
    }

    /// Fills one of the empty slots.
    pub(super) fn put_first(&self, (worker, root): (Box<dyn Worker>, StateId)) {
        self.free()[0].install(worker, root);
    }

    /// Notes that a worker holds the state of a checkpoint.
    pub(super) fn keep(&self, id: CheckpointId, mut held: Held) {
        held.with_slot(|slot, state| slot.to_keep.push((id, state)));
    }

    /// Waits for a free slot and takes the one with the least cost.
    pub(super) async fn take(&self, cost: impl Fn(&Slot) -> usize) -> Slot {
        self.permits.acquire().await.expect("the pool is never closed").forget();
        let mut free = self.free();
        free.iter_mut().for_each(Slot::catch_up);
        let best = (0..free.len()).min_by_key(|&i| cost(&free[i])).expect("a permit means a free slot");
        free.remove(best)
    }

    /// Takes the workers out of all free slots.
    pub(super) fn take_workers(&self) -> Vec<Box<dyn Worker>> {
        let mut free = self.free();
        let take = |slot: &mut Slot| {
            let worker = slot.worker.take();
            slot.clear();
            worker
        };
        free.iter_mut().filter_map(take).collect()
    }

    fn give_back(&self, slot: Slot) {
        self.free().push(slot);
        self.permits.add_permits(1);
    }

    pub(super) fn process_ids(&self) -> Vec<u32> {
        self.free().iter().filter_map(|slot| slot.worker.as_ref()?.process_id()).collect()
    }

    fn free(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.free.lock().expect("nothing panics while holding the free slots")
    }
}

impl Session {
    /// Starts the first worker; one that dies meanwhile is replaced until the bound on restarts is reached.
    pub(super) async fn open_first_worker(&self) -> Result<(Opened, (Box<dyn Worker>, StateId)), EnvError> {
        let mut losses = 0;
        loop {
            match self.open_worker().await {
                Err(error) if error.is_retryable() => {
                    tracing::warn!("worker lost: {error}");
                    self.count(|c| c.workers_lost += 1);
                    if losses == self.limits.max_restarts {
                        let last = error.to_string();
                        return Err(EnvError::RestartsExhausted { restarts: losses, last });
                    }
                    losses += 1;
                }
                opened_or_hopeless => return opened_or_hopeless,
            }
        }
    }

    /// Opens the theorem on a warm worker, or starts one for it.
    pub(super) async fn open_worker(&self) -> Result<(Opened, (Box<dyn Worker>, StateId)), EnvError> {
        let started = Instant::now();
        let warm = self.open_warm_worker().await;
        let reused = warm.is_some();
        let (opened, worker) = match warm {
            Some(warm) => warm,
            None => {
                let mut worker = self.workers.new_worker();
                (worker.open(&self.theorem).await?, worker)
            }
        };
        self.count(|c| {
            c.workers_started += u64::from(!reused);
            c.workers_reused += u64::from(reused);
            c.opening += started.elapsed();
            c.importing += opened.importing;
        });
        let state = opened.state;
        Ok((opened, (worker, state)))
    }

    /// Opens the theorem on a warm worker, if there is one. Whatever goes wrong there, a fresh worker has the last word.
    async fn open_warm_worker(&self) -> Option<(Opened, Box<dyn Worker>)> {
        let mut worker = self.workers.take_warm(&self.theorem.header)?;
        match worker.open(&self.theorem).await {
            Ok(opened) => Some((opened, worker)),
            Err(error) => {
                if error.loses_worker() {
                    tracing::warn!("a warm worker is lost: {error}");
                    self.count(|c| c.workers_lost += 1);
                } else {
                    self.workers.give_back(worker, self.limits.max_memory_bytes);
                }
                None
            }
        }
    }
}
