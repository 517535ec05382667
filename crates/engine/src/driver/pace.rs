//! The wall clock and the virtual clock. Every slow operation runs as a task; the clock decides the order in which
//! results are processed.
//!
//! Under the wall clock, results are processed as they arrive. Under the virtual clock, each task starts at its
//! virtual start time, and its result is processed at its virtual end time, however long it really took. The order
//! therefore depends on the seeds alone, and tasks still run in parallel.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use andor_core::clock::{Clock, Station, Task, Turn, Work};
use andor_core::ids::AgentId;
use andor_core::team::{REST_US, rest_of};
use andor_env::session::Lease;
use andor_provider::contract::Draft;
use tokio::task::{Id, JoinSet};
use tokio::time::Instant;

use super::operation::{Failure, Proposal, Tried};
use crate::attempt::panic_message;

/// The result of a task.
pub(super) enum Done {
    /// A provider call, with its duration.
    Suggested(Result<Proposal, Failure>, Duration),
    /// A provider call for a draft, with its duration.
    Drafted(Result<Option<Draft>, Failure>, Duration),
    /// A tried tactic.
    Tried(Lease, Result<Box<Tried>, Failure>),
    /// An agent's rest is over.
    Rested,
    /// The task panicked.
    Panicked(String),
}

/// An event.
pub(super) enum Happening {
    /// The task entered a station.
    Entered(Task, Station),
    /// The task has finished.
    Done(Task, Done),
}

pub(super) struct Pace {
    /// `None` under the wall clock.
    clock: Option<Clock>,
    began: Instant,
    running: JoinSet<(Task, Done)>,
    /// Maps Tokio's task ids to ours, to attribute panics.
    tasks: HashMap<Id, Task>,
    /// Results that arrived before their virtual end time.
    arrived: HashMap<Task, Done>,
}

impl Pace {
    pub(super) fn new(clock: Option<Clock>, began: Instant) -> Self {
        Self { clock, began, running: JoinSet::new(), tasks: HashMap::new(), arrived: HashMap::new() }
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

    /// Requests a place at a station. Returns whether the task may start at once; otherwise an event follows.
    pub(super) fn enter(&mut self, station: Station, task: Task) -> bool {
        match &mut self.clock {
            Some(clock) => {
                clock.enter(station, task);
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
        task: Task,
        doing: impl Future<Output = Done> + Send + 'static,
    ) {
        if let Some(clock) = &mut self.clock {
            clock.start(work, task);
        }
        self.spawn(task, doing);
    }

    /// Lets an agent rest.
    pub(super) fn rest(&mut self, agent: AgentId) {
        match &mut self.clock {
            Some(clock) => clock.start(Work::Rest(REST_US), rest_of(agent)),
            None => self.spawn(rest_of(agent), async {
                tokio::time::sleep(Duration::from_micros(REST_US)).await;
                Done::Rested
            }),
        }
    }

    /// Waits for the next event. At least one task must be in progress.
    pub(super) async fn next(&mut self) -> Happening {
        let Some(clock) = &mut self.clock else {
            let (task, done) = self.join().await;
            return Happening::Done(task, done);
        };
        let (task, turn) = clock.next().expect("something is under way");
        match turn {
            Turn::Entered(station) => Happening::Entered(task, station),
            Turn::Finished(Work::Rest(_)) => Happening::Done(task, Done::Rested),
            Turn::Finished(Work::Provider | Work::Tactic) => loop {
                if let Some(done) = self.arrived.remove(&task) {
                    return Happening::Done(task, done);
                }
                let (task, done) = self.join().await;
                self.arrived.insert(task, done);
            },
        }
    }

    /// Aborts all tasks in progress.
    pub(super) async fn shut_down(&mut self) {
        self.running.shutdown().await;
        self.arrived.clear();
    }

    fn spawn(&mut self, task: Task, doing: impl Future<Output = Done> + Send + 'static) {
        let handle = self.running.spawn(async move { (task, doing.await) });
        self.tasks.insert(handle.id(), task);
    }

    async fn join(&mut self) -> (Task, Done) {
        match self.running.join_next_with_id().await.expect("something is under way") {
            Ok((id, finished)) => {
                self.tasks.remove(&id);
                finished
            }
            Err(error) => {
                let task = self.tasks.remove(&error.id()).expect("every task is listed");
                (task, Done::Panicked(panic_message(&*error.into_panic()).to_owned()))
            }
        }
    }
}
