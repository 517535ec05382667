//! Names: a script fits only the names that it was written for.

use andor_core::goal::Goal;
use andor_core::theorem::System;

/// The names of the variables and hypotheses of goals, in order.
pub(crate) fn names(goals: &[Goal]) -> Vec<String> {
    goals.iter().flat_map(Goal::locals).map(|(name, _)| name.to_owned()).collect()
}

/// The tactics that give the variables and hypotheses of a goal the names that a proof was written for, each on a line;
/// empty if they have them. `None` if there is no such tactic.
///
/// Names that a script cannot refer to, as Lean gives them to hidden variables, are left out of account.
pub(crate) fn renaming(wanted: &[String], goal: &Goal, system: System) -> Option<String> {
    let names: Vec<&str> = goal.locals().map(|(name, _)| name).collect();
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    if names.len() != wanted.len() {
        return None;
    }
    (system.language().tactics.rename)(&names, &wanted)
}

#[cfg(test)]
mod tests {
    use andor_core::goal::{Hypothesis, Term};

    use super::*;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn renamed(names: &[&str], wanted: &[&str], system: System) -> Option<String> {
        let hypothesis = |name: &&str| Hypothesis {
            names: vec![(*name).to_owned()],
            ty: Term::textual("Nat"),
            body: None,
        };
        let goal = Goal { hypotheses: names.iter().map(hypothesis).collect(), ..Goal::default() };
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        renaming(&wanted, &goal, system)
    }

    #[test]
    fn names_are_changed_from_the_first_that_differs_on() {
        let lean = |names: &[&str], wanted: &[&str]| renamed(names, wanted, MINI).unwrap();
        assert_eq!(lean(&["a", "b"], &["a", "b"]), "");
        assert_eq!(lean(&["a", "b", "c"], &["a", "x", "c"]), "  revert b c\n  intro x c\n");
        assert_eq!(lean(&["a", "b"], &["a", "b✝"]), "", "nobody refers to it");
        assert_eq!(
            lean(&["a✝", "b✝", "x_1", "c✝"], &["a✝", "b", "d✝", "c"]),
            "  rename_i x_2 x_3\n  revert x_2 x_1 x_3\n  intro b _ c\n"
        );
        let rocq = renamed(&["a", "b", "c"], &["b", "a", "c"], ROCQ);
        assert_eq!(rocq.as_deref(), Some("  rename a into b, b into a.\n"));
        assert_eq!(renamed(&["a"], &["a", "b"], ROCQ), None);
    }
}
