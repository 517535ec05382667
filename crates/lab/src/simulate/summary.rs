//! Summaries of the searches of a cell.

use andor_artifact::basin::{Estimate, Quartiles};
use andor_run::estimate;

use super::sweep::{Cell, FinishedSearch};

impl FinishedSearch {
    /// The duration of the search on the virtual clock, in milliseconds.
    pub fn virtual_ms(&self) -> f64 {
        self.measured.time as f64 / 1e3
    }

    /// The time to a valid proof, in milliseconds.
    pub fn proof_ms(&self) -> Option<f64> {
        self.solved.then(|| self.virtual_ms())
    }

    /// The share of redundant iterations: those that were skipped, and those at a goal that was expanded before at
    /// another node.
    pub fn duplicate_share(&self) -> Option<f64> {
        ratio((self.measured.skips + self.measured.repeats) as f64, self.spent.iterations as f64)
    }

    /// The share of iterations that ended at an obstacle.
    pub fn pass_share(&self) -> Option<f64> {
        ratio(self.measured.passes as f64, self.spent.iterations as f64)
    }

    /// The share of iterations at nodes that other agents had reserved.
    pub fn collision_share(&self) -> Option<f64> {
        ratio(self.measured.collisions as f64, self.spent.iterations as f64)
    }

    /// Tactic applications per virtual second.
    pub fn attempts_per_s(&self) -> Option<f64> {
        ratio(self.spent.candidates as f64, self.measured.time as f64 / 1e6)
    }

    /// The share of time that workers are in use.
    pub fn worker_utilisation(&self, workers: u32) -> Option<f64> {
        ratio(self.measured.workers_busy as f64, f64::from(workers) * self.measured.time as f64)
    }

    /// The share of time during which there is work for all workers.
    pub fn work_share(&self) -> Option<f64> {
        ratio(self.measured.with_work as f64, self.measured.time as f64)
    }

    /// The share of time that workers are in use while there is work for all of them.
    pub fn worker_utilisation_with_work(&self, workers: u32) -> Option<f64> {
        let m = &self.measured;
        ratio(m.workers_busy_with_work as f64, f64::from(workers) * m.with_work as f64)
    }

    /// The mean time that an expansion waits for a worker, in milliseconds.
    pub fn worker_wait_ms(&self) -> Option<f64> {
        ratio(self.measured.worker_wait as f64 / 1e3, self.measured.worker_entries as f64)
    }

    /// The mean number of concurrent calls to the model.
    pub fn model_calls(&self) -> Option<f64> {
        ratio(self.measured.model_busy as f64, self.measured.time as f64)
    }

    /// The share of the model's slots in use.
    pub fn model_utilisation(&self, slots: Option<u32>) -> Option<f64> {
        Some(self.model_calls()? / f64::from(slots?))
    }
}

/// `None` for 0 of 0.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// The summary of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellSummary {
    /// Number of searches.
    pub searches: u32,
    /// Number of searches with a valid proof.
    pub solved: u32,
    /// Their share.
    pub solve_rate: Option<Estimate>,
    /// Time to the proof of the solved searches, in milliseconds.
    pub proof_ms: Option<Quartiles>,
    /// Duration of all searches, in milliseconds.
    pub virtual_ms: Option<Estimate>,
    /// Iterations.
    pub iterations: Option<Estimate>,
    /// Tactic applications.
    pub attempts: Option<Estimate>,
    /// Tactic applications per virtual second.
    pub attempts_per_s: Option<Estimate>,
    /// See [`FinishedSearch::pass_share`].
    pub pass_share: Option<Estimate>,
    /// See [`FinishedSearch::collision_share`].
    pub collision_share: Option<Estimate>,
    /// See [`FinishedSearch::duplicate_share`].
    pub duplicate_share: Option<Estimate>,
    /// See [`FinishedSearch::worker_utilisation`].
    pub worker_utilisation: Option<Estimate>,
    /// See [`FinishedSearch::worker_utilisation_with_work`].
    pub worker_utilisation_with_work: Option<Estimate>,
    /// See [`FinishedSearch::worker_wait_ms`].
    pub worker_wait_ms: Option<Estimate>,
    /// See [`FinishedSearch::model_calls`].
    pub model_calls: Option<Estimate>,
    /// See [`FinishedSearch::model_utilisation`].
    pub model_utilisation: Option<Estimate>,
}

impl CellSummary {
    /// Summarises the searches of a cell.
    pub fn of(cell: &Cell, model_slots: Option<u32>, searches: &[FinishedSearch]) -> Self {
        let count = |n: usize| u32::try_from(n).expect("a cell has fewer than 2^32 searches");
        let n_searches = count(searches.len());
        let solved = count(searches.iter().filter(|f| f.solved).count());
        let mean =
            |of: &dyn Fn(&FinishedSearch) -> Option<f64>| estimate::mean(searches.iter().filter_map(of));
        Self {
            searches: n_searches,
            solved,
            solve_rate: estimate::share(solved, n_searches),
            proof_ms: estimate::quartiles(searches.iter().filter_map(FinishedSearch::proof_ms)),
            virtual_ms: mean(&|f| Some(f.virtual_ms())),
            iterations: mean(&|f| Some(f.spent.iterations as f64)),
            attempts: mean(&|f| Some(f.spent.candidates as f64)),
            attempts_per_s: mean(&FinishedSearch::attempts_per_s),
            pass_share: mean(&FinishedSearch::pass_share),
            collision_share: mean(&FinishedSearch::collision_share),
            duplicate_share: mean(&FinishedSearch::duplicate_share),
            worker_utilisation: mean(&|f| f.worker_utilisation(cell.workers)),
            worker_utilisation_with_work: mean(&|f| f.worker_utilisation_with_work(cell.workers)),
            worker_wait_ms: mean(&FinishedSearch::worker_wait_ms),
            model_calls: mean(&FinishedSearch::model_calls),
            model_utilisation: mean(&|f| f.model_utilisation(model_slots)),
        }
    }
}
