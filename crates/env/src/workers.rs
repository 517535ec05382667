//! The workers of one environment, across theorems.
//!
//! Reading a header, with all that it imports, takes far longer than reading a statement. So a worker that is done with a
//! theorem may be kept, *warm*, for a next one whose header begins alike: only what differs is read. It must show every
//! theorem as a fresh worker would; one of which that is not certain is not kept. Checkers never see a worker.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::environment::Environment;
use crate::worker::{Grouping, Worker};

/// Makes the workers of the sessions of one environment, and keeps idle ones.
pub struct Workers {
    environment: Arc<dyn Environment>,
    grouping: Grouping,
    max_idle: usize,
    /// The one that is idle for longest comes first.
    idle: Mutex<Vec<Box<dyn Worker>>>,
}

impl Workers {
    /// Workers of an environment that group goals like this, a new one each time.
    pub fn new(environment: Arc<dyn Environment>, grouping: Grouping) -> Arc<Self> {
        Self::reusing(environment, grouping, 0)
    }

    /// Workers that are kept for further theorems: of those that are idle, the `max_idle` used last.
    pub fn reusing(environment: Arc<dyn Environment>, grouping: Grouping, max_idle: usize) -> Arc<Self> {
        Arc::new(Self { environment, grouping, max_idle, idle: Mutex::default() })
    }

    /// The environment.
    pub fn environment(&self) -> &Arc<dyn Environment> {
        &self.environment
    }

    /// The processes behind the idle workers.
    pub fn process_ids(&self) -> Vec<u32> {
        self.idle().iter().filter_map(|worker| worker.process_id()).collect()
    }

    /// A worker without a theorem.
    pub(crate) fn new_worker(&self) -> Box<dyn Worker> {
        self.environment.new_worker(self.grouping)
    }

    /// The worker that has read most of a header; of equals, the one used last. It may have died since.
    pub(crate) fn take_warm(&self, header: &str) -> Option<Box<dyn Worker>> {
        let mut idle = self.idle();
        let shares = idle.iter().enumerate().filter_map(|(at, worker)| Some((worker.shares(header)?, at)));
        let (_, found) = shares.max()?;
        Some(idle.remove(found))
    }

    /// Takes back a worker that is not at work. It is kept if it can be, and if it holds no more memory than this.
    pub(crate) fn give_back(&self, mut worker: Box<dyn Worker>, max_memory_bytes: Option<u64>) {
        if self.max_idle == 0 || !worker.forget_theorem() {
            return;
        }
        if let (Some(memory), Some(max)) = (worker.health().memory_bytes, max_memory_bytes)
            && memory > max
        {
            return;
        }
        // Ending a process takes a moment, in which nobody else should have to wait.
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
