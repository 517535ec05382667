//! Goals of the REPL, which are texts.

use std::collections::BTreeMap;

use andor_core::goal::{Goal, Hypothesis, Term};

use crate::lean::goal::{NotAGoal, PrintedGoal, metavariables, read_goal};
use crate::worker::ProofState;

/// The proof state of printed goals. If one mentions a metavariable, they all belong together: the text does not tell which of
/// them it is.
pub(super) fn proof_state(printed: &[String]) -> Result<ProofState, NotAGoal> {
    let read = |(index, text): (usize, &String)| read_goal(text).map(|goal| textual(index, goal));
    let goals: Vec<Goal> = printed.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let groups = match goals.iter().any(|goal| !goal.metas.is_empty()) {
        true => vec![(0..goals.len()).collect()],
        false => (0..goals.len()).map(|index| vec![index]).collect(),
    };
    Ok(ProofState { goals, groups })
}

/// A goal, named by its place since the REPL does not tell its metavariable.
fn textual(index: usize, printed: PrintedGoal) -> Goal {
    let texts = printed.hypotheses.iter().flat_map(|h| std::iter::once(&h.ty).chain(&h.body));
    let metas = texts.chain([&printed.target]).flat_map(|text| metavariables(text));
    let mut metas: Vec<String> = metas.collect();
    metas.sort();
    metas.dedup();
    let hypotheses = printed.hypotheses.into_iter().map(|h| Hypothesis {
        names: h.names,
        ty: Term::textual(h.ty),
        body: h.body.map(Term::textual),
    });
    Goal {
        name: format!("#{index}"),
        case: printed.case,
        hypotheses: hypotheses.collect(),
        target: Term::textual(printed.target),
        metas,
        canonical: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_with_metavariables_stay_together() {
        let state =
            |goals: &[&str]| proof_state(&goals.iter().map(|&g| g.to_owned()).collect::<Vec<_>>()).unwrap();
        let apart = state(&["case left\np : Prop\n⊢ p", "case right\np : Prop\n⊢ p"]);
        assert_eq!(apart.groups, [vec![0], vec![1]]);
        assert_eq!(apart.goals[1].name, "#1");
        let coupled = state(&["⊢ 2 ≤ ?m", "⊢ ?m ≤ 5", "case m\n⊢ Nat"]);
        assert_eq!(coupled.groups, [vec![0, 1, 2]]);
        assert_eq!(coupled.goals[0].metas, ["m"]);
        assert!(proof_state(&["nonsense".to_owned()]).is_err());
    }
}
