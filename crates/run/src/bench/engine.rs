//! The engine on the synthetic environment, in process: the same search state machine as in every run, asked
//! and told in a loop.

use andor_core::ids::AgentId;
use andor_core::policy::Spent;
use andor_core::search::{Ask, Config, Job, Search, Told};
use andor_core::tree::Status;
use andor_env::synthetic::World;

use crate::simulate::expansion::{Expansion, Tried};
use crate::simulate::problem::{self, Candidate, Synthetic, proof_is_right};

/// A search over one instance.
pub struct Engine {
    problem: Synthetic,
    search: Search,
    tried: Tried,
    expansion: Expansion,
}

impl Engine {
    /// A search that begins at the instance's root. With `critic`, new nodes get the critic's estimates.
    pub fn new(world: World, config: Config, critic: bool) -> Self {
        let problem = Synthetic::new(world, critic);
        let search = problem::begin(&problem, config);
        Self { problem, search, tried: Tried::default(), expansion: Expansion::default() }
    }

    /// Searches until the root is settled, nothing is left, or the applications are spent. `observe` sees each
    /// finished iteration.
    pub fn run(&mut self, max_applications: u64, mut observe: impl FnMut(&Self, &Job, &Told)) -> Spent {
        while self.search.spent().attempts < max_applications {
            let Ask::Job(job) = self.search.ask(AgentId(0)) else { break };
            let told = self.expand(&job);
            observe(self, &job, &told);
        }
        *self.search.spent()
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The candidates of the last expansion, in the order tried.
    pub fn candidates(&self) -> &[Candidate] {
        self.expansion.candidates()
    }

    /// Whether the root is claimed to be proved.
    pub fn claims_proof(&self) -> bool {
        self.search.tree().status(self.search.tree().root()) == Status::Proved
    }

    /// Whether the claimed proof holds against a fresh instance.
    pub fn proof_is_right(&self, fresh: &World) -> bool {
        proof_is_right(&self.search, &mut Synthetic::new(*fresh, false))
    }

    /// The same as a driver does, without processes: candidates in order, novelty, steps.
    fn expand(&mut self, job: &Job) -> Told {
        let goal = self.search.tree().key(job.node);
        let guard = self.search.guard(job);
        self.expansion.begin(job, goal, &self.tried, &mut self.problem);
        while self.expansion.has_next()
            && self.expansion.try_next(&self.search, goal, &guard, &mut self.problem)
        {}
        let report = self.expansion.finish(job.node, &mut self.tried);
        self.search.tell(job.id, report)
    }
}
