//! The state of the agents: idle, working or resting. All drivers ask the team for the next move, so that they use
//! the same order.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::ids::{AgentId, NodeId};
use crate::policy::StopReason;
use crate::search::{Ask, Job, Pass, Search};
use crate::tree::{Phase, Status};

/// How long an agent rests after a pass, in microseconds. Without a rest, agents without reachable nodes would use up
/// all iterations at once.
pub const REST_US: u64 = 5_000;

/// Several agents, or one agent with several concurrent jobs.
#[derive(Clone, Debug)]
pub struct Team {
    /// The idle agents, in the order in which they became idle.
    idle: VecDeque<AgentId>,
    max_in_flight: usize,
    in_flight: usize,
    /// Jobs at nodes that others are expanding, in the order of their reservations.
    queued: FxHashMap<NodeId, VecDeque<Job>>,
    /// Jobs that can start now.
    ready: VecDeque<Job>,
    /// Whether the last request found nothing to do. Only a report can change that.
    stalled: bool,
}

/// The next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Expand the job's node, report to the search, and call [`Team::finished`].
    Expand(Job),
    /// Skip the job, because its node has been settled, and call [`Team::finished`].
    Skip(Job),
    /// The agent met an obstacle; let it rest, and call [`Team::rested`].
    Rest(Pass),
    /// Nothing below the focus can be reserved now. Move the focus, or call [`Team::wait`].
    Refocus,
    /// The search has ended.
    Stop(StopReason),
}

impl Team {
    /// Agents numbered from 0 that together hold at most `max_in_flight` reservations.
    pub fn new(agents: u32, max_in_flight: u32) -> Self {
        Self::of((0..agents).map(AgentId).collect(), max_in_flight)
    }

    /// Agent 0 alone, with up to `max_in_flight` concurrent jobs.
    pub fn single(max_in_flight: u32) -> Self {
        Self::of((0..max_in_flight).map(|_| AgentId(0)).collect(), max_in_flight)
    }

    fn of(idle: VecDeque<AgentId>, max_in_flight: u32) -> Self {
        Self {
            idle,
            max_in_flight: max_in_flight as usize,
            in_flight: 0,
            queued: FxHashMap::default(),
            ready: VecDeque::new(),
            stalled: false,
        }
    }

    /// The next move; `None` if there is none until an agent has finished or rested.
    pub fn next_move(&mut self, search: &mut Search) -> Option<Move> {
        if let Some(job) = self.ready.pop_front() {
            let tree = search.tree();
            let open = tree.status(job.node) == Status::Open && tree.phase(job.node) != Phase::Complete;
            return Some(if open { Move::Expand(job) } else { Move::Skip(job) });
        }
        while !self.stalled && self.in_flight < self.max_in_flight {
            let &agent = self.idle.front()?;
            match search.ask(agent) {
                Ask::Job(job) => {
                    self.idle.pop_front();
                    self.in_flight += 1;
                    if !job.collides {
                        return Some(Move::Expand(job));
                    }
                    self.queued.entry(job.node).or_default().push_back(job);
                }
                Ask::Pass(pass) => {
                    self.idle.pop_front();
                    return Some(Move::Rest(pass));
                }
                Ask::OutOfFocus => return Some(Move::Refocus),
                Ask::Done(reason) if self.in_flight == 0 => return Some(Move::Stop(reason)),
                Ask::Done(_) | Ask::Wait => self.stalled = true,
            }
        }
        None
    }

    /// Marks the job's agent as idle after a report, skip or abandonment; the next job waiting for the node can
    /// start.
    pub fn finished(&mut self, job: &Job) {
        self.in_flight -= 1;
        self.stalled = false;
        self.idle.push_back(job.agent);
        if let Some(queue) = self.queued.get_mut(&job.node) {
            self.ready.extend(queue.pop_front());
            if queue.is_empty() {
                self.queued.remove(&job.node);
            }
        }
    }

    /// Makes no further requests until an agent has finished or rested.
    pub fn wait(&mut self) {
        self.stalled = true;
    }

    /// Marks an agent as idle after its rest.
    pub fn rested(&mut self, agent: AgentId) {
        self.stalled = false;
        self.idle.push_back(agent);
    }
}
