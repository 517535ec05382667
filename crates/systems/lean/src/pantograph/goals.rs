//! Goals of Pantograph as goals with expressions, grouped by the metavariables that they share.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use andor_core::goal::{Goal, Hypothesis, Term};

use super::message::{self, Expression};
use super::sexp;
use andor_env::worker::ProofState;

/// The proof state of some goals.
pub(super) fn proof_state(goals: &[message::Goal]) -> ProofState {
    let touched: Vec<BTreeSet<&str>> = goals.iter().map(touched).collect();
    let shared = |at: usize| {
        let others = (0..goals.len()).filter(move |other| *other != at);
        others.flat_map(|other| &touched[other]).any(|name| *name == goals[at].name)
    };
    let read = goals.iter().enumerate().map(|(at, goal)| {
        // A goal's own metavariable counts if another goal mentions it.
        let own = (!shared(at)).then_some(&*goal.name);
        let metas = touched[at].iter().filter(|name| own != Some(**name)).map(|name| format!("?{name}"));
        read(goal, metas.collect())
    });
    ProofState { goals: read.collect(), groups: groups(&touched) }
}

/// The metavariables in a goal, and its own.
fn touched(goal: &message::Goal) -> BTreeSet<&str> {
    let of_variables = goal.variables.iter().flat_map(|v| std::iter::once(&v.ty).chain(&v.value));
    let terms = of_variables.chain([&goal.target]);
    let names = terms.flat_map(|term| &term.metavariables).chain([&goal.name]);
    names.map(String::as_str).collect()
}

/// The connected components of goals that share metavariables.
fn groups(touched: &[BTreeSet<&str>]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..touched.len()).collect();
    for a in 0..touched.len() {
        for b in 0..a {
            if !touched[a].is_disjoint(&touched[b]) {
                let (low, high) = (group[a].min(group[b]), group[a].max(group[b]));
                group.iter_mut().filter(|g| **g == high).for_each(|g| *g = low);
            }
        }
    }
    let firsts = (0..touched.len()).filter(|at| group[*at] == *at);
    firsts.map(|first| (0..touched.len()).filter(|at| group[*at] == first).collect()).collect()
}

fn read(goal: &message::Goal, metas: Vec<String>) -> Goal {
    let shown = shown_names(goal);
    let variables = goal.variables.iter().map(|variable| &*variable.name);
    let locals: HashMap<&str, &str> = variables.zip(shown.iter().map(String::as_str)).collect();
    let term = |expression: &Expression| Term {
        text: collapse(&expression.pretty),
        expr: expression.sexp.as_deref().and_then(|text| sexp::read(text, &locals)),
    };
    let hypotheses = goal.variables.iter().zip(&shown).map(|(variable, name)| Hypothesis {
        names: vec![name.clone()],
        ty: term(&variable.ty),
        body: variable.value.as_ref().map(term),
    });
    Goal {
        name: goal.name.clone(),
        case: goal.case.clone(),
        tag: None,
        hypotheses: hypotheses.collect(),
        target: term(&goal.target),
        metas,
        canonical: BTreeMap::new(),
    }
}

/// The names of hypotheses, told apart as Lean does: an earlier one of the same name gets a dagger, and a number if it has one
/// already.
fn shown_names(goal: &message::Goal) -> Vec<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for variable in goal.variables.iter().rev() {
        let name = variable.user_name.trim_end_matches('✝');
        let is_hidden = name.len() < variable.user_name.len();
        let later = seen.entry(name).or_default();
        let number = *later + usize::from(is_hidden && *later == 0);
        *later = number.max(*later) + 1;
        names.push(match number {
            0 => name.to_owned(),
            1 => format!("{name}✝"),
            n => format!("{name}✝{}", superscript(n - 1)),
        });
    }
    names.reverse();
    names
}

/// The text on one line.
fn collapse(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map(|digit| DIGITS[digit as usize]);
    number.to_string().chars().filter_map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(name: &str, variables: &[(&str, &str)], target: &str, mentioned: &[&str]) -> message::Goal {
        let term = |text: &str, mentioned: &[&str]| Expression {
            pretty: text.to_owned(),
            sexp: None,
            metavariables: mentioned.iter().map(|&name| name.to_owned()).collect(),
        };
        let variable = |(at, (name, ty)): (usize, &(&str, &str))| message::Variable {
            name: format!("_uniq.{at}"),
            user_name: (*name).to_owned(),
            ty: term(ty, &[]),
            value: None,
        };
        message::Goal {
            name: name.to_owned(),
            case: None,
            takes_tactics: true,
            variables: variables.iter().enumerate().map(variable).collect(),
            target: term(target, mentioned),
        }
    }

    #[test]
    fn goals_are_grouped_by_what_they_share() {
        // What `apply Nat.le_trans` leaves of `2 ≤ 5`, a goal apart, and two that share what is no goal.
        let state = proof_state(&[
            goal("a", &[], "2 ≤ ?m", &["m"]),
            goal("b", &[], "?m ≤ 5", &["m"]),
            goal("m", &[], "Nat", &[]),
            goal("c", &[], "True", &[]),
            goal("d", &[], "?x = 1", &["x"]),
            goal("e", &[], "?x = 2", &["x"]),
        ]);
        assert_eq!(state.groups, [vec![0, 1, 2], vec![3], vec![4, 5]]);
        let metas: Vec<Vec<String>> = state.goals.into_iter().map(|goal| goal.metas).collect();
        assert_eq!(metas, [vec!["?m"], vec!["?m"], vec!["?m"], vec![], vec!["?x"], vec!["?x"]]);
    }

    #[test]
    fn names_are_told_apart() {
        let variables =
            [("h✝", "p"), ("x", "q"), ("h✝", "r"), ("x", "s"), ("h✝", "t"), ("h", "u"), ("y", "v")];
        let state = proof_state(&[goal("g", &variables, "p", &[])]);
        let names: Vec<&str> = state.goals[0].locals().map(|(name, _)| name).collect();
        assert_eq!(names, ["h✝²", "x✝", "h✝¹", "x", "h✝", "h", "y"]);
    }
}
