//! The workers of one environment, across theorems.
//!
//! Reading a header with all its imports takes far longer than reading a statement. A worker that has finished a
//! theorem may therefore be kept, *warm*, for one whose header has the same beginning, so that only the difference is
//! read. It must behave as a fresh worker would; otherwise it is not kept. Checkers never use workers.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::environment::Environment;
use crate::worker::{Grouping, Worker};

/// Creates the workers for sessions of one environment, and keeps idle ones.
pub struct Workers {
    environment: Arc<dyn Environment>,
    grouping: Grouping,
    max_idle: usize,
    /// Idle workers, the one idle for longest first.
    idle: Mutex<Vec<Box<dyn Worker>>>,
}

impl Workers {
    /// Workers with this grouping, always fresh.
    pub fn new(environment: Arc<dyn Environment>, grouping: Grouping) -> Arc<Self> {
        Self::reusing(environment, grouping, 0)
    }

    /// Workers that are kept for further theorems: the `max_idle` most recently used ones.
    pub fn reusing(environment: Arc<dyn Environment>, grouping: Grouping, max_idle: usize) -> Arc<Self> {
        Arc::new(Self { environment, grouping, max_idle, idle: Mutex::default() })
    }

    /// The environment.
    pub fn environment(&self) -> &Arc<dyn Environment> {
        &self.environment
    }

    /// The process ids of the idle workers.
    pub fn process_ids(&self) -> Vec<u32> {
        self.idle().iter().filter_map(|worker| worker.process_id()).collect()
    }

    /// A worker without a theorem.
    pub(crate) fn new_worker(&self) -> Box<dyn Worker> {
        self.environment.new_worker(self.grouping)
    }

    /// A worker for lookups, without a theorem; the second value is whether it may become an ordinary one.
    pub(crate) async fn library(&self, header: &str) -> (Box<dyn Worker>, bool) {
        match self.environment.new_library().await {
            Some(own) => (own, false),
            None => (self.take_warm(header).unwrap_or_else(|| self.new_worker()), true),
        }
    }

    /// The idle worker that has read most of a header; among equals, the most recently used. It may have died since.
    pub(crate) fn take_warm(&self, header: &str) -> Option<Box<dyn Worker>> {
        let mut idle = self.idle();
        let shares = idle.iter().enumerate().filter_map(|(at, worker)| Some((worker.shares(header)?, at)));
        let (_, found) = shares.max()?;
        Some(idle.remove(found))
    }

    /// Takes back an idle worker. It is kept if possible, unless its memory exceeds the limit.
    pub(crate) fn give_back(&self, mut worker: Box<dyn Worker>, max_memory_bytes: Option<u64>) {
        if self.max_idle == 0 || !worker.forget_theorem() {
            return;
        }
        if let (Some(memory), Some(max)) = (worker.health().memory_bytes, max_memory_bytes)
            && memory > max
        {
            return;
        }
        // Ending a process takes a while, so the lock is released first.
        let _surplus = {
            let mut idle = self.idle();
            idle.push(worker);
            (idle.len() > self.max_idle).then(|| idle.remove(0))
        };
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Worker>>> {
        self.idle.lock().expect("nothing panics while holding the idle workers")
    }
}
