//! Views of a proof state: its goals as text, for providers that read text.
//!
//! The views are made from the goals rather than from the assistant's output, so that they are the same for every
//! system.

use crate::goal::{Goal, Hypothesis};

/// All goals as printed, separated by empty lines.
pub fn pp(goals: &[Goal]) -> String {
    goals.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}

/// The first goal only, without its case line and without hypotheses of type `True` whose names the assistant chose
/// itself, which assertions leave behind (`this : True` in Lean, `H : True` in Rocq). Trimmed; empty if there are no
/// goals.
pub fn pp1(goals: &[Goal]) -> String {
    let Some(first) = goals.first() else { return String::new() };
    let goal = Goal {
        case: None,
        tag: None,
        hypotheses: first.hypotheses.iter().filter_map(informative).collect(),
        ..first.clone()
    };
    goal.to_string().trim().to_owned()
}

/// The informative part of a hypothesis, if any.
fn informative(hypothesis: &Hypothesis) -> Option<Hypothesis> {
    let mut hypothesis = hypothesis.clone();
    if hypothesis.ty.text.trim() == "True" && hypothesis.body.is_none() {
        hypothesis.names.retain(|name| !is_chosen_by_the_assistant(name));
    }
    (!hypothesis.names.is_empty()).then_some(hypothesis)
}

/// Whether the assistant chose the name: Lean's `this`, shadowed (`this✝`, `this✝¹`) or not, or Rocq's `H`, numbered
/// or not.
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
            tag: None,
            hypotheses: hypotheses.iter().map(hypothesis).collect(),
            target: Term::textual(target),
            ..Goal::default()
        }
    }

    /// A state in the layout of Lean.
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
