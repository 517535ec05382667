//! Runs the search engine on the synthetic environment in process: the same state machine as in every run, driven by
//! a simple loop.

use std::collections::VecDeque;

use andor_core::ids::{AgentId, NodeId};
use andor_core::policy::Spent;
use andor_core::search::{Ask, Config, Job, Report, Search, Told};
use andor_core::team::{Move, Team};
use andor_core::tree::{Child, Status};
use andor_system_synthetic::World;

use crate::simulate::expansion::{Expansion, Tried};
use crate::simulate::problem::{self, SimulatedCandidate, SyntheticProblem, proof_is_right};

/// A search on one instance.
pub struct Engine {
    problem: SyntheticProblem,
    search: Search,
    tried: Tried,
    expansion: Expansion,
    /// The path to the node of the last expansion.
    path: Vec<NodeId>,
}

impl Engine {
    /// A search from the instance's root. With `critic`, new nodes get the critic's estimates.
    pub fn new(world: World, config: Config, critic: bool) -> Self {
        let problem = SyntheticProblem::new(world, critic);
        let search = problem::begin(&problem, config);
        let (tried, expansion) = (Tried::default(), Expansion::default());
        Self { problem, search, tried, expansion, path: Vec::new() }
    }

    /// Searches until the root is settled, nothing is left to expand, or the budget of applications is used up.
    pub fn run(&mut self, max_applications: u64) -> Spent {
        self.go_on(max_applications, None::<fn(&Self, &Job, &Told)>)
    }

    /// Like [`Engine::run`], and calls `observe` after each iteration.
    pub fn run_observed(&mut self, max_applications: u64, observe: impl FnMut(&Self, &Job, &Told)) -> Spent {
        self.go_on(max_applications, Some(observe))
    }

    fn go_on(&mut self, max_applications: u64, mut observe: Option<impl FnMut(&Self, &Job, &Told)>) -> Spent {
        while self.search.spent().candidates < max_applications {
            let Ask::Job(job) = self.search.ask(AgentId(0)) else { break };
            self.expand(&job);
            if observe.is_some() {
                self.path.clear();
                self.path.extend_from_slice(self.search.path(job.id));
            }
            let told = self.search.tell(job.id, self.expansion.report());
            if let Some(observe) = &mut observe {
                observe(self, &job, &told);
            }
        }
        *self.search.spent()
    }

    /// Searches with several agents, each of which always holds a reservation; they finish in turn. Only for searches
    /// without collisions and obstacles.
    pub fn run_team(&mut self, max_applications: u64, agents: u32) -> Spent {
        let mut team = Team::new(agents, agents);
        let mut at_work = VecDeque::new();
        while self.search.spent().candidates < max_applications {
            match team.next_move(&mut self.search) {
                Some(Move::Expand(job)) => at_work.push_back(job),
                Some(Move::Stop(_)) => break,
                Some(Move::Skip(_) | Move::Rest(_) | Move::Refocus) => {
                    unreachable!("no collisions, no obstacles, no focus")
                }
                None => {
                    let job = at_work.pop_front().expect("somebody is at work, or there is a move");
                    self.expand(&job);
                    self.search.tell(job.id, self.expansion.report());
                    team.finished(&job);
                }
            }
        }
        *self.search.spent()
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The candidates tried by the last expansion, in order.
    pub fn candidates(&self) -> &[SimulatedCandidate] {
        self.expansion.tried()
    }

    /// The path to the node of the last observed expansion, root first.
    pub fn path(&self) -> &[NodeId] {
        &self.path
    }

    /// The report of the last expansion to the search.
    pub fn report(&self) -> &Report {
        self.expansion.report()
    }

    /// The data of a new node that the search received.
    pub fn child(&self, node: NodeId) -> Child {
        self.problem.child(self.search.tree().key(node))
    }

    /// Whether the search claims that the root is proved.
    pub fn claims_proof(&self) -> bool {
        self.search.tree().status(self.search.tree().root()) == Status::Proved
    }

    /// Whether the claimed proof is valid on a fresh instance.
    pub fn proof_is_right(&self, fresh: &World) -> bool {
        proof_is_right(&self.search, &mut SyntheticProblem::new(*fresh, false))
    }

    /// Does what a driver does, without processes: candidates in order, novelty, steps.
    fn expand(&mut self, job: &Job) {
        let goal = self.search.tree().key(job.node);
        let guard = self.search.guard(job);
        self.expansion.begin(job, goal, &self.tried, &mut self.problem);
        while self.expansion.has_next()
            && self.expansion.try_next(&self.search, goal, &guard, &mut self.problem)
        {}
        self.expansion.finish(job.node, &mut self.tried);
    }
}
