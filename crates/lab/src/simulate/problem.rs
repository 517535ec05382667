//! Search problems in memory, which respond immediately.

use andor_core::ids::TacticId;
use andor_core::search::Search;
use andor_core::signature::{GoalKey, GoalSig};
use andor_core::tree::Child;
use andor_system_synthetic::{World, WorldGoal};

/// A candidate at a goal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulatedCandidate {
    /// The tactic, by its index in [`SimulatedProblem::tactics`].
    pub tactic: TacticId,
    /// Its log-prior.
    pub log_prior: f32,
}

/// A theorem with a policy, both in memory and deterministic.
pub trait SimulatedProblem {
    /// The texts of all tactics, without duplicates.
    fn tactics(&self) -> Vec<String>;

    /// The goal to prove.
    fn root(&self) -> Child;

    /// Writes the candidates at a goal to `candidates`, in the order to try them.
    fn candidates(&mut self, goal: GoalKey, candidates: &mut Vec<SimulatedCandidate>);

    /// Applies a tactic, and writes the resulting goals to `children`. Returns `false` if it fails.
    fn apply(&mut self, goal: GoalKey, tactic: TacticId, children: &mut Vec<Child>) -> bool;
}

/// A new search, with the problem's own tactic ids.
pub(crate) fn begin(problem: &impl SimulatedProblem, config: andor_core::search::Config) -> Search {
    let mut search = Search::new(config, problem.root());
    for (index, text) in problem.tactics().iter().enumerate() {
        let id = search.tactics_mut().intern(text);
        debug_assert_eq!(id, TacticId::from_index(index), "a tactic is listed once");
    }
    search
}

/// Replays a claimed proof on a fresh problem: each tactic must leave exactly the goals that the proof proves, and
/// the proof must not be circular.
pub fn proof_is_right(search: &Search, fresh: &mut impl SimulatedProblem) -> bool {
    let tree = search.tree();
    let Some(proof) = tree.extract() else { return false };
    let goal = |index: usize| tree.key(proof.steps[index].node);
    let mut left = Vec::new();
    let right = proof.steps.iter().enumerate().all(|(index, step)| {
        left.clear();
        let applies = fresh.apply(goal(index), tree.tactic(step.step), &mut left);
        applies && left.iter().map(|c| c.key).eq(step.children.iter().map(|&c| goal(c)))
    });
    // Repeatedly marks steps whose children are all done, until nothing changes.
    let mut done = vec![false; proof.steps.len()];
    loop {
        let before = done.iter().filter(|d| **d).count();
        for (index, step) in proof.steps.iter().enumerate().rev() {
            done[index] |= step.children.iter().all(|&c| done[c]);
        }
        if done.iter().filter(|d| **d).count() == before {
            return right && goal(0) == fresh.root().key && done[0];
        }
    }
}

/// An instance of the synthetic environment with its policy.
#[derive(Clone, Debug)]
pub struct SyntheticProblem {
    world: World,
    critic: bool,
    tactics: Vec<(u64, u64)>,
    goals: Vec<WorldGoal>,
}

impl SyntheticProblem {
    /// With `critic`, goals carry the critic's estimates.
    pub fn new(world: World, critic: bool) -> Self {
        Self { world, critic, tactics: Vec::new(), goals: Vec::new() }
    }

    /// The data of a goal for the search.
    pub fn child(&self, goal: GoalKey) -> Child {
        child(&self.world, WorldGoal(goal.0), self.critic)
    }
}

impl SimulatedProblem for SyntheticProblem {
    fn tactics(&self) -> Vec<String> {
        (0..self.world.parameters().b).map(|tactic| format!("t{tactic}")).collect()
    }

    fn root(&self) -> Child {
        self.child(GoalKey(self.world.root().0))
    }

    fn candidates(&mut self, goal: GoalKey, candidates: &mut Vec<SimulatedCandidate>) {
        self.world.policy_into(WorldGoal(goal.0), &mut self.tactics);
        candidates.clear();
        candidates.extend(self.tactics.iter().map(|&(tactic, cost)| SimulatedCandidate {
            tactic: TacticId::from_index(usize::try_from(tactic).expect("there are few tactics")),
            log_prior: -(cost as f32) / 1024.0,
        }));
    }

    fn apply(&mut self, goal: GoalKey, tactic: TacticId, children: &mut Vec<Child>) -> bool {
        let applies = self.world.apply_into(WorldGoal(goal.0), tactic.index() as u64, &mut self.goals);
        children.clear();
        children.extend(self.goals.iter().map(|&g| child(&self.world, g, self.critic)));
        applies
    }
}

fn child(world: &World, goal: WorldGoal, critic: bool) -> Child {
    let value = critic.then(|| (-(world.value_cost(goal) as f32) / 1024.0).exp());
    Child { coarse: GoalSig(goal.0), key: GoalKey(goal.0), value }
}
