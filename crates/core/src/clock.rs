//! The virtual clock: a discrete-event simulation. It reads no real clock, and the same calls give the same times.
//!
//! A job waits for a place at a [`Station`], holds it as long as needed, and lets time pass; an agent may rest.
//! [`VirtualClock::next`] returns the next event: events are ordered by time, and simultaneous ones by the order in
//! which they were requested.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use rand::RngExt;

use crate::ids::{AgentId, JobId};
use crate::rng::{Purpose, Rng, stream};

/// A distribution of durations, in microseconds.
#[derive(Clone, PartialEq, Debug)]
pub enum Latency {
    /// A constant.
    Constant(u64),
    /// A log-normal distribution.
    LogNormal {
        /// The median.
        median: u64,
        /// The standard deviation of the natural logarithm; at least 0.
        sigma: f64,
    },
    /// A uniform sample of measured durations; at least one.
    Empirical(Arc<[u64]>),
}

impl Latency {
    /// Samples a duration.
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        match self {
            Self::Constant(latency) => *latency,
            Self::LogNormal { median, sigma } => {
                (*median as f64 * (sigma * standard_normal(rng)).exp()).round() as u64
            }
            Self::Empirical(measured) => measured[rng.random_range(0..measured.len())],
        }
    }
}

/// Samples the standard normal distribution (Box and Muller 1958).
fn standard_normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// The latency distributions.
#[derive(Clone, PartialEq, Debug)]
pub struct Latencies {
    /// Of a provider call.
    pub provider: Latency,
    /// Of a tactic.
    pub tactic: Latency,
}

/// A limited resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Station {
    /// Workers, which run tactics.
    Workers,
    /// Slots of the model that serves the provider.
    Model,
}

crate::choice!(
    /// A kind of work that takes time.
    #[derive(PartialOrd, Ord)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "snake_case"))]
    Work {
        /// A call of the provider.
        Provider = "provider",
        /// A tactic.
        Tactic = "tactic",
    }
);

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Turn {
    /// The job entered the station.
    Entered(JobId, Station),
    /// The job's work is done.
    Finished(JobId, Work),
    /// The agent's rest is over.
    Rested(AgentId),
}

/// The clock with its stations.
#[derive(Clone, Debug)]
pub struct VirtualClock {
    now: u64,
    started: u64,
    /// Ordered by time and a unique number.
    turns: BinaryHeap<Reverse<(u64, u64, Turn)>>,
    workers: Places,
    model: Places,
    latencies: Latencies,
    rng: Rng,
    has_drawn: bool,
}

/// The places at a station.
#[derive(Clone, Debug, Default)]
struct Places {
    capacity: u32,
    taken: u32,
    queue: VecDeque<JobId>,
    /// Occupied place-microseconds up to `counted_to`.
    busy: u64,
    counted_to: u64,
}

impl Places {
    fn count(&mut self, now: u64) {
        let passed = u64::from(self.taken).saturating_mul(now - self.counted_to);
        self.busy = self.busy.saturating_add(passed);
        self.counted_to = now;
    }
}

impl VirtualClock {
    /// A clock at time 0 with the given numbers of workers and model slots. `seed` is that of the attempt.
    ///
    /// # Panics
    ///
    /// If a station has no place.
    pub fn new(latencies: Latencies, workers: u32, model: u32, seed: u64) -> Self {
        assert!(workers > 0 && model > 0, "a station without places lets nobody in");
        let places = |capacity| Places { capacity, ..Places::default() };
        Self {
            now: 0,
            started: 0,
            turns: BinaryHeap::new(),
            workers: places(workers),
            model: places(model),
            latencies,
            rng: stream(seed, Purpose::Latencies),
            has_drawn: false,
        }
    }

    /// The current time, in microseconds.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Whether the seed has decided how long any work took.
    pub fn has_drawn(&self) -> bool {
        self.has_drawn
    }

    /// Requests a place at a station; an event follows when the job has entered. Places are granted in the order of
    /// the requests.
    pub fn enter(&mut self, station: Station, job: JobId) {
        let now = self.now;
        let places = self.places(station);
        if places.taken < places.capacity {
            places.count(now);
            places.taken += 1;
            self.push(now, Turn::Entered(job, station));
        } else {
            places.queue.push_back(job);
        }
    }

    /// Frees a place at a station.
    ///
    /// # Panics
    ///
    /// If no place is occupied.
    pub fn leave(&mut self, station: Station) {
        let now = self.now;
        let places = self.places(station);
        assert!(places.taken > 0, "who leaves has entered");
        if let Some(next) = places.queue.pop_front() {
            self.push(now, Turn::Entered(next, station));
        } else {
            places.count(now);
            places.taken -= 1;
        }
    }

    /// Starts some work; an event follows when it is done.
    pub fn start(&mut self, work: Work, job: JobId) {
        let latency = match work {
            Work::Provider => &self.latencies.provider,
            Work::Tactic => &self.latencies.tactic,
        };
        let before = self.rng.clone();
        let duration = latency.draw(&mut self.rng);
        self.has_drawn |= self.rng != before;
        self.push(self.now.saturating_add(duration), Turn::Finished(job, work));
    }

    /// Lets an agent rest for some microseconds; an event follows when it has.
    pub fn rest(&mut self, duration: u64, agent: AgentId) {
        self.push(self.now.saturating_add(duration), Turn::Rested(agent));
    }

    /// Advances to the next event; `None` if no job is waiting or working, and no agent rests.
    #[expect(clippy::should_implement_trait, reason = "a clock is no iterator")]
    pub fn next(&mut self) -> Option<Turn> {
        let Reverse((time, _, turn)) = self.turns.pop()?;
        self.now = time;
        Some(turn)
    }

    /// The occupied place-microseconds at a station so far.
    pub fn busy(&mut self, station: Station) -> u64 {
        let now = self.now;
        let places = self.places(station);
        places.count(now);
        places.busy
    }

    fn places(&mut self, station: Station) -> &mut Places {
        match station {
            Station::Workers => &mut self.workers,
            Station::Model => &mut self.model,
        }
    }

    fn push(&mut self, time: u64, turn: Turn) {
        self.turns.push(Reverse((time, self.started, turn)));
        self.started += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(workers: u32) -> VirtualClock {
        let latencies = Latencies { provider: Latency::Constant(10), tactic: Latency::Constant(3) };
        VirtualClock::new(latencies, workers, 1, 0)
    }

    #[test]
    fn turns_come_in_the_order_of_their_times_and_of_their_starts() {
        let mut clock = clock(1);
        clock.start(Work::Provider, JobId(1));
        clock.start(Work::Tactic, JobId(2));
        clock.rest(3, AgentId(3));
        let turns: Vec<(Turn, u64)> =
            std::iter::from_fn(|| clock.next().map(|turn| (turn, clock.now()))).collect();
        assert_eq!(
            turns,
            [
                (Turn::Finished(JobId(2), Work::Tactic), 3),
                (Turn::Rested(AgentId(3)), 3),
                (Turn::Finished(JobId(1), Work::Provider), 10)
            ]
        );
    }

    #[test]
    fn places_are_given_in_the_order_of_the_wishes_and_their_use_is_counted() {
        let mut clock = clock(2);
        (1..=3).for_each(|job| clock.enter(Station::Workers, JobId(job)));
        assert_eq!(clock.next(), Some(Turn::Entered(JobId(1), Station::Workers)));
        assert_eq!(clock.next(), Some(Turn::Entered(JobId(2), Station::Workers)));
        assert_eq!(clock.next(), None, "the third waits");
        clock.start(Work::Tactic, JobId(1));
        assert_eq!(clock.next(), Some(Turn::Finished(JobId(1), Work::Tactic)));
        clock.leave(Station::Workers);
        assert_eq!(clock.next(), Some(Turn::Entered(JobId(3), Station::Workers)));
        clock.start(Work::Tactic, JobId(3));
        clock.next();
        clock.leave(Station::Workers);
        clock.leave(Station::Workers);
        assert_eq!((clock.now(), clock.busy(Station::Workers)), (6, 12));
    }

    #[test]
    fn time_ends_where_it_can_no_longer_be_counted() {
        let mut clock = clock(2);
        for number in 1..=2 {
            clock.enter(Station::Workers, JobId(number));
            clock.next();
            clock.rest(u64::MAX, AgentId(0));
        }
        clock.next();
        clock.start(Work::Tactic, JobId(1));
        assert_eq!((clock.now(), clock.busy(Station::Workers)), (u64::MAX, u64::MAX));
    }

    #[test]
    fn log_normal_draws_have_the_median_and_spread_asked_for() {
        let latency = Latency::LogNormal { median: 50_000, sigma: 0.5 };
        let mut rng = stream(7, Purpose::Latencies);
        let mut draws: Vec<u64> = (0..20_001).map(|_| latency.draw(&mut rng)).collect();
        draws.sort_unstable();
        let at = |share: f64| draws[(share * 20_000.0) as usize] as f64;
        assert!((at(0.5) / 50_000.0 - 1.0).abs() < 0.03, "{}", at(0.5));
        // One standard deviation above the median.
        assert!((at(0.8413) / 82_436.0 - 1.0).abs() < 0.04, "{}", at(0.8413));
    }
}
