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
        let Self { name, statement } = self;
        match system {
            System::Rocq => format!("assert ({name} : {statement})"),
            // Without a term, `have` is Mathlib's. The statement is the second goal then.
            System::Lean4 => format!("have {name} : {statement} := ?_"),
            System::Mini | System::Synthetic => format!("have {name} : {statement}"),
        }
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
    let open = |step: &PlanStep| {
        let tactic = step.tactic(system);
        match system {
            System::Rocq => format!("{tactic}.\n{{ admit. }}\n"),
            System::Lean4 => format!("{tactic}\ncase refine_1 => sorry\n"),
            System::Mini | System::Synthetic => format!("{tactic}\n· sorry\n"),
        }
    };
    steps.iter().map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_stated_in_the_language_of_its_system() {
        let steps = [PlanStep { name: "h".to_owned(), statement: "1 = 1".to_owned() }];
        assert_eq!(script(&steps, System::Mini), "have h : 1 = 1\n· sorry\n");
        assert_eq!(script(&steps, System::Lean4), "have h : 1 = 1 := ?_\ncase refine_1 => sorry\n");
        assert_eq!(script(&steps, System::Rocq), "assert (h : 1 = 1).\n{ admit. }\n");
    }
}
