//! Plans: intermediate statements on the way to a theorem, each proved with the earlier ones at hand.

use crate::theorem::System;

/// An intermediate statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanStep {
    /// The name of the hypothesis that it becomes.
    pub name: String,
    /// What is to be proved, in the theorem's context and with the earlier steps as hypotheses.
    pub statement: String,
}

impl PlanStep {
    /// The tactic that states it. It leaves two goals: the statement, and the goal with the statement as a hypothesis.
    pub fn tactic(&self, system: System) -> String {
        (system.language().plan.step)(&self.name, &self.statement)
    }
}

crate::choice!(
    /// How a search with a plan divides its work.
    #[derive(Default)]
    PlanSchedule {
        /// The statements are proved one after the other, and then what is left from them.
        InOrder = "in-order",
        /// All of them are worked on in turn.
        #[default]
        Parallel = "parallel",
    }
);

/// The script that states each step and leaves it open. What is left after it is the theorem itself.
pub fn script(steps: &[PlanStep], system: System) -> String {
    steps.iter().map(|step| (system.language().plan.left_open)(&step.tactic(system))).collect()
}
