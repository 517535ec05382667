//! The pool: workers in slots, leased to one user at a time.

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

/// A slot for a worker, with the states that the worker holds.
#[derive(Default)]
pub(super) struct Slot {
    worker: Option<Box<dyn Worker>>,
    /// The number of workers that were in this slot. A state belongs to one generation.
    generation: u64,
    states: HashMap<CheckpointId, StateId>,
    shared: Arc<Mutex<SlotShared>>,
    losses_in_a_row: u32,
    previews_since_memory_check: u32,
}

/// Requests of others for a leased slot: release states, or name them.
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

    /// Puts a fresh worker with the opened theorem into the slot.
    fn install(&mut self, worker: Box<dyn Worker>, root: StateId) {
        self.clear();
        self.worker = Some(worker);
        self.states.insert(CheckpointId::ROOT, root);
    }

    /// Drops the worker and all its states.
    fn clear(&mut self) {
        self.worker = None;
        self.states.clear();
        self.generation += 1;
        *self.shared() = SlotShared { generation: self.generation, ..SlotShared::default() };
    }

    fn shared(&self) -> MutexGuard<'_, SlotShared> {
        self.shared.lock().expect("nothing panics while holding a slot's share")
    }

    /// Performs the requests since the last lease.
    fn catch_up(&mut self) {
        let shared = std::mem::take(&mut *self.shared());
        self.shared().generation = self.generation;
        self.states.extend(shared.to_keep);
        if let Some(worker) = &mut self.worker {
            shared.to_release.into_iter().for_each(|state| worker.release(state));
        }
    }
}

/// A worker's state for a preview. Void if the worker has been replaced.
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

/// The free slots, and a semaphore for waiting.
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

    /// Fills an empty slot.
    pub(super) fn put_first(&self, (worker, root): (Box<dyn Worker>, StateId)) {
        self.free()[0].install(worker, root);
    }

    /// Records that a worker holds the state of a checkpoint.
    pub(super) fn keep(&self, id: CheckpointId, mut held: Held) {
        held.with_slot(|slot, state| slot.to_keep.push((id, state)));
    }

    /// Waits for a free slot, and takes the cheapest one.
    pub(super) async fn take(&self, cost: impl Fn(&Slot) -> usize) -> Slot {
        self.permits.acquire().await.expect("the pool is never closed").forget();
        let mut free = self.free();
        free.iter_mut().for_each(Slot::catch_up);
        let best = (0..free.len()).min_by_key(|&i| cost(&free[i])).expect("a permit means a free slot");
        free.remove(best)
    }

    /// Removes the workers from all free slots.
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
    /// Starts the first worker, and replaces it if it dies, up to the limit of restarts.
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

    /// Opens the theorem on a warm worker, or starts a fresh one.
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

    /// Opens the theorem on a warm worker, if there is one. After any error there, a fresh worker is used.
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
