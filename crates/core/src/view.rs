//! Views of a proof state: the goals as one text, for providers that read text.
//!
//! Both are what `best-first-prover-guide` calls `pp` and `pp1` (State Representation), made from the goals themselves
//! instead of the assistant's print of them, so that they are the same for every system.

use crate::goal::{Goal, Hypothesis};

/// All goals as they print, an empty line between them.
pub fn pp(goals: &[Goal]) -> String {
    goals.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}

/// The first goal alone, without its case line and without what says nothing: names for `True` that the assistant chose
/// itself, which are left by assertions (`this : True` in Lean, `H : True` in Rocq). Trimmed; empty without goals.
pub fn pp1(goals: &[Goal]) -> String {
    let Some(first) = goals.first() else { return String::new() };
    let goal = Goal {
        case: None,
        hypotheses: first.hypotheses.iter().filter_map(telling).collect(),
        ..first.clone()
    };
    goal.to_string().trim().to_owned()
}

/// What of a hypothesis says something.
fn telling(hypothesis: &Hypothesis) -> Option<Hypothesis> {
    let mut hypothesis = hypothesis.clone();
    if hypothesis.ty.text.trim() == "True" && hypothesis.body.is_none() {
        hypothesis.names.retain(|name| !is_chosen_by_the_assistant(name));
    }
    (!hypothesis.names.is_empty()).then_some(hypothesis)
}

/// Lean's `this`, shadowed (`this✝`, `this✝¹`) or not, and Rocq's `H`, numbered or not.
fn is_chosen_by_the_assistant(name: &str) -> bool {
    let digits = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit());
    name == "this" || name.starts_with("this✝") || name.strip_prefix('H').is_some_and(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Term;

    fn goal(case: Option<&str>, hypotheses: &[(&str, &str)], target: &str) -> Goal {
        let hypothesis = |(names, ty): &(&str, &str)| Hypothesis {
            names: names.split(' ').map(str::to_owned).collect(),
            ty: Term::textual(*ty),
            body: None,
        };
        Goal {
            case: case.map(str::to_owned),
            hypotheses: hypotheses.iter().map(hypothesis).collect(),
            target: Term::textual(target),
            ..Goal::default()
        }
    }

    /// The state that the guide shows.
    fn state() -> [Goal; 2] {
        [
            goal(Some("h1"), &[("n", "ℕ"), ("h", "n > 0")], "n + 0 = n"),
            goal(Some("h2"), &[("m", "ℕ")], "m * 1 = m"),
        ]
    }

    #[test]
    fn pp_shows_all_goals() {
        let all = "case h1\nn : ℕ\nh : n > 0\n⊢ n + 0 = n\n\ncase h2\nm : ℕ\n⊢ m * 1 = m";
        assert_eq!(pp(&state()), all);
        assert_eq!(pp(&[]), "");
    }

    #[test]
    fn pp1_shows_the_first_goal_without_its_case() {
        assert_eq!(pp1(&state()), "n : ℕ\nh : n > 0\n⊢ n + 0 = n");
        assert_eq!(pp1(&state()[1..]), "m : ℕ\n⊢ m * 1 = m");
        assert_eq!(pp1(&[]), "");
    }

    #[test]
    fn pp1_leaves_out_what_the_assistant_named_and_says_nothing() {
        let lean = goal(None, &[("this", "True"), ("n", "ℕ"), ("this✝¹ this✝", "True")], "n = n");
        assert_eq!(pp1(&[lean]), "n : ℕ\n⊢ n = n");
        let rocq =
            goal(None, &[("n", "nat"), ("H", "True"), ("H0 Hn H12", "True"), ("H1", "n = 1")], "n > 0");
        assert_eq!(pp1(&[rocq]), "n : nat\nHn : True\nH1 : n = 1\n⊢ n > 0");
        // What somebody named, or defined, or what only begins like it.
        let kept = goal(None, &[("h", "True"), ("this", "True ∧ p"), ("thisn", "True")], "p");
        assert_eq!(pp1(std::slice::from_ref(&kept)), kept.to_string());
        let mut defined = goal(None, &[("this", "True")], "p");
        defined.hypotheses[0].body = Some(Term::textual("trivial"));
        assert_eq!(pp1(std::slice::from_ref(&defined)), "this : True := trivial\n⊢ p");
    }
}
