//! One simulated search in virtual time.
//!
//! Events have the same order as in the driver under the virtual clock, so equal problems give equal trees. An
//! expansion calls the model, unless candidates are left from an earlier one; then it waits for a worker, and keeps
//! it until it reports to the search. The critic's values take no time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use andor_core::clock::{Latencies, Station, Turn, VirtualClock, Work};
use andor_core::ids::JobId;
use andor_core::policy::{Budget, Spent, StopReason};
use andor_core::search::{Config, Guard, Job, Search};
use andor_core::signature::GoalKey;
use andor_core::team::{Move, REST_US, Team};
use andor_core::tree::{Phase, Status};
use rustc_hash::FxHashMap;

use super::expansion::{Expansion, Tried};
use super::meter::{Measurements, Meter};
use super::problem::{self, SimulatedProblem};

/// The parameters of a simulated search.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulationSetting {
    /// The configuration of the search.
    pub search: Config,
    /// Its limits.
    pub budget: Budget,
    /// Number of agents.
    pub agents: u32,
    /// Maximum number of reservations they hold together.
    pub inflight: u32,
    /// Number of workers.
    pub workers: u32,
    /// Number of calls that the model serves concurrently; `None` means unlimited.
    pub model_slots: Option<u32>,
    /// The latencies.
    pub latencies: Latencies,
}

/// A finished simulated search.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The search, with nothing in flight.
    pub search: Search,
    /// Why it ended.
    pub stop: StopReason,
    /// The budget spent.
    pub spent: Spent,
    /// The measurements.
    pub measured: Measurements,
}

/// Searches until the root is proved, nothing is left to expand, the budget is spent, or `cancelled` is set.
pub fn simulate(
    problem: &mut impl SimulatedProblem,
    setting: &SimulationSetting,
    cancelled: &AtomicBool,
) -> Simulated {
    Simulation::new(problem, setting).run(cancelled)
}

struct Simulation<'a, P> {
    problem: &'a mut P,
    budget: Budget,
    search: Search,
    team: Team,
    clock: VirtualClock,
    tried: Tried,
    under_way: FxHashMap<JobId, UnderWay>,
    /// Finished expansions, kept to reuse their allocations.
    spare: Vec<Expansion>,
    meter: Meter,
}

/// A job in progress.
struct UnderWay {
    job: Job,
    goal: GoalKey,
    guard: Guard,
    expansion: Expansion,
    /// When it started to wait for a worker.
    waiting_since: u64,
}

impl<'a, P: SimulatedProblem> Simulation<'a, P> {
    fn new(problem: &'a mut P, setting: &SimulationSetting) -> Self {
        let seed = setting.search.seed;
        let model_slots = setting.model_slots.unwrap_or(u32::MAX);
        Self {
            search: problem::begin(problem, setting.search),
            problem,
            budget: setting.budget,
            team: Team::new(setting.agents, setting.inflight),
            clock: VirtualClock::new(setting.latencies.clone(), setting.workers, model_slots, seed),
            tried: Tried::default(),
            under_way: FxHashMap::default(),
            spare: Vec::new(),
            meter: Meter::new(setting.workers),
        }
    }

    fn run(mut self, cancelled: &AtomicBool) -> Simulated {
        let stop = loop {
            if let Some(reason) = self.turn() {
                break reason;
            }
            if cancelled.load(Ordering::Relaxed) {
                break StopReason::Interrupted;
            }
        };
        self.meter.advance(&mut self.clock);
        let spent = self.spent();
        self.search.abandon_all();
        Simulated { search: self.search, stop, spent, measured: self.meter.measured }
    }

    fn spent(&self) -> Spent {
        Spent { virtual_time: Duration::from_micros(self.clock.now()), ..*self.search.spent() }
    }

    /// Starts all jobs that can start, and advances to the next event.
    fn turn(&mut self) -> Option<StopReason> {
        loop {
            if let Some(reason) = self.budget.exceeded(&self.spent(), Duration::ZERO) {
                return Some(reason);
            }
            match self.team.next_move(&mut self.search) {
                Some(Move::Expand(job)) => self.begin(job),
                Some(Move::Skip(job)) => {
                    self.note_finished(&job);
                    self.meter.measured.skips += 1;
                    self.search.skip(job.id);
                    self.team.finished(&job);
                }
                Some(Move::Rest(pass)) => {
                    self.meter.measured.passes += 1;
                    self.clock.rest(REST_US, pass.agent);
                }
                Some(Move::Refocus) => unreachable!("simulated searches have no plan, and so no focus"),
                Some(Move::Stop(reason)) => return Some(reason),
                None => break,
            }
        }
        self.meter.look(&self.search, self.under_way.values().map(|u| u.job.node));
        let turn = self.clock.next().expect("an agent that is not idle is at work, waits for one, or rests");
        self.meter.advance(&mut self.clock);
        match turn {
            Turn::Entered(id, Station::Model) => {
                self.meter.measured.provider_calls += 1;
                self.clock.start(Work::Provider, id);
            }
            Turn::Finished(id, Work::Provider) => {
                self.clock.leave(Station::Model);
                self.go_on(id);
            }
            Turn::Entered(id, Station::Workers) => {
                self.meter.measured.worker_entries += 1;
                let wait = self.clock.now() - self.under_way[&id].waiting_since;
                let measured = &mut self.meter.measured;
                measured.worker_wait = measured.worker_wait.saturating_add(wait);
                self.clock.start(Work::Tactic, id);
            }
            Turn::Finished(id, Work::Tactic) => return self.tried(id),
            Turn::Rested(agent) => self.team.rested(agent),
        }
        None
    }

    /// Counts a collision when its iteration is finished, like the driver.
    fn note_finished(&mut self, job: &Job) {
        self.meter.measured.collisions += u64::from(job.collides);
    }

    fn begin(&mut self, job: Job) {
        let (id, goal) = (job.id, self.search.tree().key(job.node));
        let mut expansion = self.spare.pop().unwrap_or_default();
        expansion.begin(&job, goal, &self.tried, self.problem);
        let guard = self.search.guard(&job);
        self.meter.note_expansion(self.search.tree(), job.node);
        self.under_way.insert(id, UnderWay { job, goal, guard, expansion, waiting_since: 0 });
        match self.search.tree().phase(job.node) {
            Phase::Fresh => self.clock.enter(Station::Model, id),
            Phase::Partial | Phase::Complete => self.go_on(id),
        }
    }

    /// Continues an expansion whose candidates have arrived.
    fn go_on(&mut self, id: JobId) {
        let under_way = self.under_way.get_mut(&id).expect("the job was begun");
        if under_way.expansion.has_next() {
            under_way.waiting_since = self.clock.now();
            self.clock.enter(Station::Workers, id);
        } else {
            self.finish(id);
        }
    }

    /// Processes a tried candidate.
    fn tried(&mut self, id: JobId) -> Option<StopReason> {
        let UnderWay { goal, guard, expansion, .. } = self.under_way.get_mut(&id).expect("the job was begun");
        if expansion.try_next(&self.search, *goal, guard, self.problem) {
            self.clock.start(Work::Tactic, id);
            return None;
        }
        self.clock.leave(Station::Workers);
        self.finish(id);
        let proved = self.search.tree().status(self.search.tree().root()) == Status::Proved;
        proved.then_some(StopReason::Proved)
    }

    /// Reports a job to the search.
    fn finish(&mut self, id: JobId) {
        let UnderWay { job, mut expansion, .. } = self.under_way.remove(&id).expect("the job was begun");
        self.note_finished(&job);
        expansion.finish(job.node, &mut self.tried);
        self.search.tell(job.id, expansion.report());
        self.team.finished(&job);
        self.spare.push(expansion);
    }
}
