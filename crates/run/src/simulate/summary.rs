//! What the searches of one cell have in common.

use super::sweep::{Cell, Finished};

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The middle of some values, and the range of their middle half.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quartiles {
    /// The median.
    pub median: f64,
    /// The first quartile.
    pub first: f64,
    /// The third quartile.
    pub third: f64,
}

/// The 97.5th percentile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Estimate {
    /// A share, with Wilson's interval (Wilson 1927).
    pub fn share(hits: usize, of: usize) -> Option<Self> {
        if of == 0 {
            return None;
        }
        let n = of as f64;
        let share = hits as f64 / n;
        let centre = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        // Rounding must not push the ends beyond what they estimate.
        Some(Self {
            value: share,
            low: (centre - half).clamp(0.0, share),
            high: (centre + half).clamp(share, 1.0),
        })
    }

    /// A mean, with the interval of the normal approximation.
    pub fn mean(values: impl Iterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.collect();
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let half = Z * (variance / n).sqrt();
        Some(Self { value: mean, low: mean - half, high: mean + half })
    }
}

impl Quartiles {
    /// By linear interpolation between neighbours.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let below = place.floor() as usize;
            values[below] + (place - below as f64) * (values[(below + 1).min(last)] - values[below])
        };
        Some(Self { median: at(0.5), first: at(0.25), third: at(0.75) })
    }
}

impl Finished {
    /// Milliseconds to the end, on the virtual clock.
    pub fn virtual_ms(&self) -> f64 {
        self.measured.time as f64 / 1e3
    }

    /// Milliseconds to a proof that holds.
    pub fn proof_ms(&self) -> Option<f64> {
        self.solved.then(|| self.virtual_ms())
    }

    /// The share of iterations that did nothing new: those skipped, and those at a goal that was expanded before at
    /// another node.
    pub fn duplicate_share(&self) -> Option<f64> {
        ratio((self.measured.skips + self.measured.repeats) as f64, self.spent.iterations as f64)
    }

    /// The share of iterations that ended at an obstacle.
    pub fn pass_share(&self) -> Option<f64> {
        ratio(self.measured.passes as f64, self.spent.iterations as f64)
    }

    /// The share of iterations at nodes that others had reserved.
    pub fn collision_share(&self) -> Option<f64> {
        ratio(self.measured.collisions as f64, self.spent.iterations as f64)
    }

    /// Tactic applications per virtual second.
    pub fn attempts_per_s(&self) -> Option<f64> {
        ratio(self.spent.attempts as f64, self.measured.time as f64 / 1e6)
    }

    /// The share of their time that workers are in use.
    pub fn worker_utilisation(&self, workers: u32) -> Option<f64> {
        ratio(self.measured.workers_busy as f64, f64::from(workers) * self.measured.time as f64)
    }

    /// The share of the time during which there is work for all workers.
    pub fn work_share(&self) -> Option<f64> {
        ratio(self.measured.with_work as f64, self.measured.time as f64)
    }

    /// The share of their time that workers are in use while there is work for all of them.
    pub fn worker_utilisation_with_work(&self, workers: u32) -> Option<f64> {
        let m = &self.measured;
        ratio(m.workers_busy_with_work as f64, f64::from(workers) * m.with_work as f64)
    }

    /// Milliseconds that an expansion waits for a worker, on average.
    pub fn worker_wait_ms(&self) -> Option<f64> {
        ratio(self.measured.worker_wait as f64 / 1e3, self.measured.worker_entries as f64)
    }

    /// Calls at the model at once, on average.
    pub fn model_calls(&self) -> Option<f64> {
        ratio(self.measured.model_busy as f64, self.measured.time as f64)
    }

    /// The share of its places that the model has in use.
    pub fn model_utilisation(&self, slots: Option<u32>) -> Option<f64> {
        Some(self.model_calls()? / f64::from(slots?))
    }
}

/// `None` for nothing of nothing.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// What the searches of one cell have in common.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Searches.
    pub searches: usize,
    /// Those with a proof that holds.
    pub solved: usize,
    /// Their share.
    pub solve_rate: Option<Estimate>,
    /// Milliseconds to the proof, of those solved.
    pub proof_ms: Option<Quartiles>,
    /// Milliseconds to the end.
    pub virtual_ms: Option<Estimate>,
    /// Iterations.
    pub iterations: Option<Estimate>,
    /// Tactic applications.
    pub attempts: Option<Estimate>,
    /// Tactic applications per virtual second.
    pub attempts_per_s: Option<Estimate>,
    /// See [`Finished::pass_share`].
    pub pass_share: Option<Estimate>,
    /// See [`Finished::collision_share`].
    pub collision_share: Option<Estimate>,
    /// See [`Finished::duplicate_share`].
    pub duplicate_share: Option<Estimate>,
    /// See [`Finished::worker_utilisation`].
    pub worker_utilisation: Option<Estimate>,
    /// See [`Finished::worker_utilisation_with_work`].
    pub worker_utilisation_with_work: Option<Estimate>,
    /// See [`Finished::worker_wait_ms`].
    pub worker_wait_ms: Option<Estimate>,
    /// See [`Finished::model_calls`].
    pub model_calls: Option<Estimate>,
    /// See [`Finished::model_utilisation`].
    pub model_utilisation: Option<Estimate>,
}

impl Summary {
    /// Sums up the searches of a cell.
    pub fn of(cell: &Cell, model_slots: Option<u32>, searches: &[Finished]) -> Self {
        let solved = searches.iter().filter(|f| f.solved).count();
        let mean = |of: &dyn Fn(&Finished) -> Option<f64>| Estimate::mean(searches.iter().filter_map(of));
        Self {
            searches: searches.len(),
            solved,
            solve_rate: Estimate::share(solved, searches.len()),
            proof_ms: Quartiles::of(searches.iter().filter_map(Finished::proof_ms)),
            virtual_ms: mean(&|f| Some(f.virtual_ms())),
            iterations: mean(&|f| Some(f.spent.iterations as f64)),
            attempts: mean(&|f| Some(f.spent.attempts as f64)),
            attempts_per_s: mean(&Finished::attempts_per_s),
            pass_share: mean(&Finished::pass_share),
            collision_share: mean(&Finished::collision_share),
            duplicate_share: mean(&Finished::duplicate_share),
            worker_utilisation: mean(&|f| f.worker_utilisation(cell.workers)),
            worker_utilisation_with_work: mean(&|f| f.worker_utilisation_with_work(cell.workers)),
            worker_wait_ms: mean(&Finished::worker_wait_ms),
            model_calls: mean(&Finished::model_calls),
            model_utilisation: mean(&|f| f.model_utilisation(model_slots)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_s_interval_is_that_of_the_tables() {
        // Newcombe 1998, table I: 81 of 263, and none of 20.
        let share = Estimate::share(81, 263).unwrap();
        assert!((share.low - 0.2553).abs() < 5e-5 && (share.high - 0.3662).abs() < 5e-5, "{share:?}");
        let share = Estimate::share(0, 20).unwrap();
        assert!(share.low == 0.0 && (share.high - 0.1611).abs() < 5e-5, "{share:?}");
        assert_eq!(Estimate::share(0, 0), None);
    }

    #[test]
    fn means_and_quartiles() {
        let mean = Estimate::mean([1.0, 2.0, 3.0].into_iter()).unwrap();
        assert!((mean.value - 2.0).abs() < 1e-12 && (mean.high - 2.0 - Z / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(Estimate::mean([5.0].into_iter()), Some(Estimate { value: 5.0, low: 5.0, high: 5.0 }));
        let quartiles = Quartiles::of([4.0, 1.0, 3.0, 2.0].into_iter()).unwrap();
        assert_eq!(quartiles, Quartiles { median: 2.5, first: 1.75, third: 3.25 });
        assert_eq!(Quartiles::of(std::iter::empty()), None);
    }
}
