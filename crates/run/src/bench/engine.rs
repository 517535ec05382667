//! The engine on the synthetic environment, in process: the same search state machine as in every run, asked
//! and told in a loop.

use andor_core::ids::{AgentId, TacticId};
use andor_core::policy::{Expansion, Spent};
use andor_core::rng::{Purpose, stream};
use andor_core::search::{Admission, Ask, CandidateOrder, Config, Job, Report, Search, Told};
use andor_core::signature::{GoalKey, GoalSig};
use andor_core::tree::{Child, Status};
use andor_env::synthetic::{Applied, Goal, World};
use rand::seq::SliceRandom;

/// A search over one instance.
pub struct Engine {
    world: World,
    search: Search,
    critic: bool,
    names: Vec<TacticId>,
    /// For each node expanded in part, the number of candidates tried.
    tried: Vec<u32>,
    report: Report,
    tactics: Vec<(u64, u64)>,
    goals: Vec<Goal>,
    children: Vec<Child>,
}

impl Engine {
    /// A search that begins at the instance's root. With `critic`, new nodes get the critic's estimates.
    pub fn new(world: World, config: Config, critic: bool) -> Self {
        let mut search = Search::new(config, child(&world, world.root(), critic));
        let names =
            (0..world.parameters().b).map(|t| search.tactics_mut().intern(&format!("t{t}"))).collect();
        Self {
            world,
            search,
            critic,
            names,
            tried: Vec::new(),
            report: Report::default(),
            tactics: Vec::new(),
            goals: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Searches until the root is settled, nothing is left, or the applications are spent. `observe` sees each
    /// finished iteration.
    pub fn run(&mut self, max_applications: u64, mut observe: impl FnMut(&Self, &Job, &Told)) -> Spent {
        while self.search.spent().attempts < max_applications {
            let Ask::Job(job) = self.search.ask(AgentId(0)) else { break };
            self.expand(&job);
            let told = self.search.tell(job.id, &self.report);
            observe(self, &job, &told);
        }
        *self.search.spent()
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The candidates of the last expansion, in the order tried, with their costs.
    pub fn candidates(&self) -> &[(u64, u64)] {
        &self.tactics
    }

    /// Whether the root is claimed to be proved.
    pub fn claims_proof(&self) -> bool {
        self.search.tree().status(self.search.tree().root()) == Status::Proved
    }

    /// Replays the claimed proof against a fresh instance: each tactic must leave exactly the goals that the
    /// proof proves, and no part may rest on itself.
    pub fn proof_is_right(&self, fresh: &World) -> bool {
        let tree = self.search.tree();
        let Some(proof) = tree.extract() else { return false };
        let goal = |index: usize| Goal(tree.key(proof.steps[index].node).0);
        let right = proof.steps.iter().enumerate().all(|(index, step)| {
            let name = self.search.tactics().text(tree.tactic(step.step));
            let tactic = name.trim_start_matches('t').parse().expect("tactics are numbered");
            let proved: Vec<Goal> = step.children.iter().map(|&c| goal(c)).collect();
            fresh.apply(goal(index), tactic) == Applied::Children(proved)
        });
        // Peel off the steps all of whose children are peeled off, until nothing changes.
        let mut done = vec![false; proof.steps.len()];
        loop {
            let before = done.iter().filter(|d| **d).count();
            for (index, step) in proof.steps.iter().enumerate().rev() {
                done[index] |= step.children.iter().all(|&c| done[c]);
            }
            if done.iter().filter(|d| **d).count() == before {
                return right && goal(0) == fresh.root() && done[0];
            }
        }
    }

    /// The same as a driver does, without processes: candidates in order, novelty, steps.
    fn expand(&mut self, job: &Job) {
        let goal = Goal(self.search.tree().key(job.node).0);
        let first_novel = matches!(self.search.config().expansion, Expansion::FirstNovel { .. });
        self.report.clear();
        self.world.policy_into(goal, &mut self.tactics);
        if let CandidateOrder::Shuffled(seed) = job.order {
            self.tactics.shuffle(&mut stream(seed, Purpose::Candidates));
        }
        let guard = self.search.guard(job);
        let tried = self.tried.get(job.node.index()).copied().unwrap_or(0) as usize;
        let mut at = tried;
        while let Some(&(tactic, cost)) = self.tactics.get(at) {
            at += 1;
            self.report.attempts += 1;
            if !self.world.apply_into(goal, tactic, &mut self.goals) {
                continue;
            }
            self.children.clear();
            self.children.extend(self.goals.iter().map(|&g| child(&self.world, g, self.critic)));
            if guard.admit(&self.children) != Admission::Novel {
                continue;
            }
            self.report.push_step(self.names[tactic as usize], log_prior(cost), &self.children);
            if first_novel || self.children.is_empty() {
                break;
            }
        }
        self.report.next_log_prior = self.tactics.get(at).map(|&(_, cost)| log_prior(cost));
        if self.report.next_log_prior.is_some() {
            if self.tried.len() <= job.node.index() {
                self.tried.resize(self.search.tree().n_nodes(), 0);
            }
            self.tried[job.node.index()] = u32::try_from(at).expect("there are few tactics");
        }
    }
}

fn log_prior(cost: u64) -> f32 {
    -(cost as f32) / 1024.0
}

fn child(world: &World, goal: Goal, critic: bool) -> Child {
    let value = critic.then(|| (-(world.value_cost(goal) as f32) / 1024.0).exp());
    Child { coarse: GoalSig(goal.0), key: GoalKey(goal.0), value }
}
