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
    if names.len() != wanted.len() {
        return None;
    }
    let pairs = || names.iter().copied().zip(wanted.iter().map(String::as_str));
    let Some(first) = pairs().position(|(name, wanted)| name != wanted && !is_hidden(wanted)) else {
        return Some(String::new());
    };
    match system {
        System::Rocq => {
            // All at once, so that names can change places.
            let changes = pairs().filter(|(name, wanted)| name != wanted);
            let changes: Vec<String> =
                changes.map(|(name, wanted)| format!("{name} into {wanted}")).collect();
            Some(format!("  rename {}.\n", changes.join(", ")))
        }
        System::Lean4 | System::Mini => {
            // From the first one on, they go back into the goal, and are introduced again. What is hidden gets a name first.
            let is_hidden_later = |(at, name): (usize, &&str)| is_hidden(name).then_some(at >= first);
            let hidden: Vec<bool> = names.iter().enumerate().filter_map(is_hidden_later).collect();
            let n_hidden = hidden.into_iter().filter(|is_later| *is_later).count();
            let taken = |name: &str| pairs().any(|(a, b)| a == name || b == name);
            let mut free = (1..).map(|n| format!("x_{n}")).filter(|name| !taken(name));
            let fresh: Vec<String> = free.by_ref().take(n_hidden).collect();
            let mut unnamed = fresh.iter();
            let reverted: Vec<String> = names[first..]
                .iter()
                .map(|name| match is_hidden(name) {
                    true => unnamed.next().expect("there is a name for each").clone(),
                    false => (*name).to_owned(),
                })
                .collect();
            let introduced: Vec<&str> =
                wanted[first..].iter().map(|name| if is_hidden(name) { "_" } else { name }).collect();
            let mut script = String::new();
            if !fresh.is_empty() {
                script += &format!("  rename_i {}\n", fresh.join(" "));
            }
            script += &format!("  revert {}\n  intro {}\n", reverted.join(" "), introduced.join(" "));
            Some(script)
        }
        System::Synthetic => None,
    }
}

/// Whether a script cannot refer to this name.
fn is_hidden(name: &str) -> bool {
    name.contains('✝')
}

#[cfg(test)]
mod tests {
    use andor_core::goal::{Hypothesis, Term};

    use super::*;

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
        let lean = |names: &[&str], wanted: &[&str]| renamed(names, wanted, System::Mini).unwrap();
        assert_eq!(lean(&["a", "b"], &["a", "b"]), "");
        assert_eq!(lean(&["a", "b", "c"], &["a", "x", "c"]), "  revert b c\n  intro x c\n");
        assert_eq!(lean(&["a", "b"], &["a", "b✝"]), "", "nobody refers to it");
        assert_eq!(
            lean(&["a✝", "b✝", "x_1", "c✝"], &["a✝", "b", "d✝", "c"]),
            "  rename_i x_2 x_3\n  revert x_2 x_1 x_3\n  intro b _ c\n"
        );
        let rocq = renamed(&["a", "b", "c"], &["b", "a", "c"], System::Rocq);
        assert_eq!(rocq.as_deref(), Some("  rename a into b, b into a.\n"));
        assert_eq!(renamed(&["a"], &["a", "b"], System::Rocq), None);
    }
}
