//! The team: which agents are idle, at work or resting. Whoever drives a search asks it what to do next, so that all
//! drivers keep the same order.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::clock::Task;
use crate::ids::{AgentId, NodeId};
use crate::policy::StopReason;
use crate::search::{Ask, Job, Pass, Search};
use crate::tree::{Phase, Status};

/// How long an agent rests after a pass, in microseconds. Without a rest, agents with nowhere to go would spend all
/// iterations at once.
pub const REST_US: u64 = 5_000;

/// The task that lets an agent rest. Those that work are named by their jobs, which are counted from 0.
pub fn rest_of(agent: AgentId) -> Task {
    Task::MAX - Task::from(agent.0)
}

/// The agent that a task lets rest.
///
/// # Panics
/// When it is no task of [`rest_of`].
pub fn resting(task: Task) -> AgentId {
    AgentId(u32::try_from(Task::MAX - task).expect("it was made from an agent's number"))
}

/// Several agents, or one that does several things at once.
#[derive(Clone, Debug)]
pub struct Team {
    /// Who may ask, in the order in which they became idle.
    idle: VecDeque<AgentId>,
    max_in_flight: usize,
    in_flight: usize,
    /// Jobs on nodes that others expand, in the order in which they were reserved.
    queued: FxHashMap<NodeId, VecDeque<Job>>,
    /// Jobs whose turn has come.
    ready: VecDeque<Job>,
    /// Whether there was nothing to do when somebody last asked. Only an answer can change that.
    stalled: bool,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Expand the job's node, tell the search, and call [`Team::finished`].
    Expand(Job),
    /// Skip the job, because its node was settled meanwhile, and call [`Team::finished`].
    Skip(Job),
    /// The agent ran into an obstacle; let it rest, and call [`Team::rested`].
    Rest(Pass),
    /// The search has ended.
    Stop(StopReason),
}

impl Team {
    /// Agents from 0 on that hold at most so many reservations together.
    pub fn new(agents: u32, max_in_flight: u32) -> Self {
        Self::of((0..agents).map(AgentId).collect(), max_in_flight)
    }

    /// Agent 0 alone, with so many things to do at once.
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

    /// What to do next; `None` when there is nothing to do until somebody has finished or rested.
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
                Ask::Done(reason) if self.in_flight == 0 => return Some(Move::Stop(reason)),
                Ask::Done(_) | Ask::Wait => self.stalled = true,
            }
        }
        None
    }

    /// The job was told, skipped or abandoned: its agent is idle again, and who waited for the node is next.
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

    /// The agent has rested after a pass.
    pub fn rested(&mut self, agent: AgentId) {
        self.stalled = false;
        self.idle.push_back(agent);
    }
}
