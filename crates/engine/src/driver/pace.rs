//! The wall clock and the virtual clock. Every slow operation runs as a task; the clock decides the order in which
//! results are processed.
//!
//! Under the wall clock, results are processed as they arrive. Under the virtual clock, each task starts at its
//! virtual start time, and its result is processed at its virtual end time, however long it really took. The order
//! therefore depends on the seeds alone, and tasks still run in parallel.
//!
//! The order can be recorded, and a later search can follow it: under the wall clock it waits for each result until it is
//! its turn. Under the virtual clock the order is the same anyway, but the search ends where the recorded one was stopped,
//! which may be a matter of real time.

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::Future;
use std::time::Duration;

use andor_artifact::order::Taken;
use andor_core::clock::{Station, Turn, VirtualClock, Work};
use andor_core::ids::{AgentId, JobId};
use andor_core::team::REST_US;
use andor_env::session::Lease;
use andor_provider::contract::Drafted;
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::operation::{Failure, Proposal, Tried};
use crate::attempt::panic_message;
use crate::plan::Making;

/// The result of a slow operation.
pub(super) enum Done {
    /// A provider call, with its duration.
    Suggested(Result<Box<Proposal>, Failure>, Duration),
    /// A provider call for a draft, with its duration.
    Drafted(Result<Box<Drafted>, Failure>, Duration),
    /// A planner's answer, checked, with its duration.
    Replanned(Result<Box<Making>, String>, Duration),
    /// A tried tactic.
    Tried(Lease, Result<Box<Tried>, Failure>),
    /// It panicked.
    Panicked(String),
}

/// An event.
pub(super) enum Happening {
    /// The job entered a station.
    Entered(JobId, Station),
    /// The job's operation has finished.
    Done(JobId, Done),
    /// The agent's rest is over.
    Rested(AgentId),
}

pub(super) struct Pace {
    /// `None` under the wall clock.
    clock: Option<VirtualClock>,
    began: Instant,
    running: JoinSet<Happening>,
    /// Maps Tokio's task ids to jobs, to attribute panics.
    jobs: HashMap<Id, JobId>,
    /// Results that arrived before their time.
    arrived: HashMap<JobId, Done>,
    /// Rests that ended before their time.
    rested: HashSet<AgentId>,
    /// What is left of the order that is followed.
    follow: Option<VecDeque<Taken>>,
    /// The order so far.
    taken: Vec<Taken>,
}

/// Why there is no next event.
pub(super) enum Ended {
    /// The order that is followed ends.
    Order,
    /// The order that is followed has a result next that nothing in progress will give.
    Lost(Taken),
}

impl Pace {
    pub(super) fn new(clock: Option<VirtualClock>, began: Instant, follow: Option<Vec<Taken>>) -> Self {
        let follow = follow.map(VecDeque::from);
        Self {
            clock,
            began,
            running: JoinSet::new(),
            jobs: HashMap::new(),
            arrived: HashMap::new(),
            rested: HashSet::new(),
            follow,
            taken: Vec::new(),
        }
    }

    /// Whether it follows an order, so that real time does not matter.
    pub(super) fn is_following(&self) -> bool {
        self.follow.is_some()
    }

    /// Follows the order no longer.
    pub(super) fn let_go(&mut self) {
        self.follow = None;
    }

    /// Follows the order no longer, because it has a result next that will not come.
    pub(super) fn lose(&mut self, wanted: Taken) {
        tracing::warn!(
            "the recorded order has {wanted:?} next, which this search does not do; it goes on by itself"
        );
        self.let_go();
    }

    /// The order in which results were taken in.
    pub(super) fn order(&mut self) -> Vec<Taken> {
        std::mem::take(&mut self.taken)
    }

    /// The time on the virtual clock.
    pub(super) fn virtual_time(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| Duration::from_micros(clock.now()))
    }

    /// Whether chance decided when results were taken in: that of real time, or durations that were drawn, where these matter.
    pub(super) fn has_drawn(&self, durations_matter: bool) -> bool {
        self.clock.as_ref().is_none_or(|clock| durations_matter && clock.has_drawn())
    }

    /// Milliseconds since the start. `finished` is the real time of the event.
    pub(super) fn stamp(&self, finished: Instant) -> u64 {
        let since = match self.clock {
            Some(_) => self.virtual_time(),
            None => finished.duration_since(self.began),
        };
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Requests a place at a station. Returns whether the job may start at once; otherwise an event follows.
    pub(super) fn enter(&mut self, station: Station, job: JobId) -> bool {
        match &mut self.clock {
            Some(clock) => {
                clock.enter(station, job);
                false
            }
            // Under the wall clock, providers limit themselves, and leases wait for workers.
            None => true,
        }
    }

    /// Frees a place at a station.
    pub(super) fn leave(&mut self, station: Station) {
        if let Some(clock) = &mut self.clock {
            clock.leave(station);
        }
    }

    /// Starts a slow operation.
    pub(super) fn start(
        &mut self,
        work: Work,
        job: JobId,
        doing: impl Future<Output = Done> + Send + 'static,
    ) {
        if let Some(clock) = &mut self.clock {
            clock.start(work, job);
        }
        let handle = self.running.spawn(async move { Happening::Done(job, doing.await) });
        self.jobs.insert(handle.id(), job);
    }

    /// Lets an agent rest.
    pub(super) fn rest(&mut self, agent: AgentId) {
        match &mut self.clock {
            Some(clock) => clock.rest(REST_US, agent),
            None => {
                self.running.spawn(async move {
                    tokio::time::sleep(Duration::from_micros(REST_US)).await;
                    Happening::Rested(agent)
                });
            }
        }
    }

    /// Waits for the next event. Something must be in progress.
    pub(super) async fn next(&mut self) -> Result<Happening, Ended> {
        let Some(clock) = &mut self.clock else { return self.next_real().await };
        Ok(match clock.next().expect("something is under way") {
            Turn::Entered(job, station) => Happening::Entered(job, station),
            Turn::Rested(agent) => Happening::Rested(agent),
            Turn::Finished(job, Work::Provider | Work::Tactic) => {
                if let Some(follow) = &mut self.follow {
                    let wanted = follow.pop_front().ok_or(Ended::Order)?;
                    if wanted != Taken::Job(job.0) {
                        self.lose(wanted);
                    }
                }
                let done = self.done(job).await;
                self.taken.push(Taken::Job(job.0));
                Happening::Done(job, done)
            }
        })
    }

    /// Waits for the result of a job.
    async fn done(&mut self, job: JobId) -> Done {
        loop {
            if let Some(done) = self.arrived.remove(&job) {
                return done;
            }
            // Rests take no real time, so only operations are running.
            if let Happening::Done(early, done) = self.join().await {
                self.arrived.insert(early, done);
            }
        }
    }

    /// The next event under the wall clock: of the order that is followed, or else as they come.
    async fn next_real(&mut self) -> Result<Happening, Ended> {
        let happening = match &mut self.follow {
            Some(follow) => {
                let wanted = follow.pop_front().ok_or(Ended::Order)?;
                self.wait_for(wanted).await?
            }
            None => match self.early() {
                Some(early) => early,
                None => self.join().await,
            },
        };
        match happening {
            Happening::Done(job, _) => self.taken.push(Taken::Job(job.0)),
            Happening::Rested(agent) => self.taken.push(Taken::Rest(agent.0)),
            Happening::Entered(..) => {}
        }
        Ok(happening)
    }

    /// Something that arrived while an order was followed.
    fn early(&mut self) -> Option<Happening> {
        if let Some(&agent) = self.rested.iter().min() {
            self.rested.remove(&agent);
            return Some(Happening::Rested(agent));
        }
        let job = self.arrived.keys().min().copied()?;
        self.arrived.remove(&job).map(|done| Happening::Done(job, done))
    }

    async fn wait_for(&mut self, wanted: Taken) -> Result<Happening, Ended> {
        loop {
            let arrived = match wanted {
                Taken::Job(job) => {
                    let job = JobId(job);
                    self.arrived.remove(&job).map(|done| Happening::Done(job, done))
                }
                Taken::Rest(agent) => {
                    let agent = AgentId(agent);
                    self.rested.remove(&agent).then_some(Happening::Rested(agent))
                }
            };
            if let Some(happening) = arrived {
                return Ok(happening);
            }
            if self.running.is_empty() {
                return Err(Ended::Lost(wanted));
            }
            match self.join().await {
                Happening::Done(job, mut done) => {
                    // The one that is waited for may need the worker.
                    if let Done::Tried(lease, _) = &mut done {
                        lease.park();
                    }
                    self.arrived.insert(job, done);
                }
                Happening::Rested(agent) => drop(self.rested.insert(agent)),
                Happening::Entered(..) => unreachable!("stations are entered under the virtual clock alone"),
            }
        }
    }

    /// Aborts all tasks in progress.
    pub(super) async fn shut_down(&mut self) {
        self.running.shutdown().await;
        self.arrived.clear();
    }

    async fn join(&mut self) -> Happening {
        match self.running.join_next_with_id().await.expect("something is under way") {
            Ok((id, happening)) => {
                self.jobs.remove(&id);
                happening
            }
            Err(error) => {
                let job = self.jobs.remove(&error.id()).expect("a rest does not panic");
                Happening::Done(job, Done::Panicked(panic_message(&*error.into_panic()).to_owned()))
            }
        }
    }
}
