//! The wall clock and the virtual clock. Every slow operation runs as a task; the clock decides the order in which
//! results are processed.
//!
//! Under the wall clock, results are processed as they arrive. Under the virtual clock, each task starts at its
//! virtual start time, and its result is processed at its virtual end time, however long it really took. The order
//! therefore depends on the seeds alone, and tasks still run in parallel.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use andor_core::clock::{Station, Turn, VirtualClock, Work};
use andor_core::ids::{AgentId, JobId};
use andor_core::team::REST_US;
use andor_env::session::Lease;
use andor_provider::contract::Drafted;
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::operation::{Failure, Proposal, Tried};
use crate::attempt::panic_message;

/// The result of a slow operation.
pub(super) enum Done {
    /// A provider call, with its duration.
    Suggested(Result<Proposal, Failure>, Duration),
    /// A provider call for a draft, with its duration.
    Drafted(Result<Drafted, Failure>, Duration),
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
    /// Results that arrived before their virtual end time.
    arrived: HashMap<JobId, Done>,
}

impl Pace {
    pub(super) fn new(clock: Option<VirtualClock>, began: Instant) -> Self {
        Self { clock, began, running: JoinSet::new(), jobs: HashMap::new(), arrived: HashMap::new() }
    }

    /// The time on the virtual clock.
    pub(super) fn virtual_time(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| Duration::from_micros(clock.now()))
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
    pub(super) async fn next(&mut self) -> Happening {
        let Some(clock) = &mut self.clock else { return self.join().await };
        match clock.next().expect("something is under way") {
            Turn::Entered(job, station) => Happening::Entered(job, station),
            Turn::Rested(agent) => Happening::Rested(agent),
            Turn::Finished(job, Work::Provider | Work::Tactic) => loop {
                if let Some(done) = self.arrived.remove(&job) {
                    return Happening::Done(job, done);
                }
                // Rests take no real time, so only operations are running.
                if let Happening::Done(early, done) = self.join().await {
                    self.arrived.insert(early, done);
                }
            },
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
