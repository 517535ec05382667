//! Which tactics of a rollout are worth training on.

use std::collections::{BTreeMap, BTreeSet};

use andor_learn::State;
use andor_learn::shape::Shape;

use crate::declaration::Filter;
use crate::rows::{GoalRow, PairRow, SEPARATOR, StepRow, Tried};

/// The rows kept of a rollout, in its order. A tactic of an accepted proof always is. Another one is if it applied, the model
/// was confident of it, and its shape does not fail too often. Rows that repeat one at the same theorem are left out.
pub fn steps(tried: &[Tried], filter: &Filter) -> Vec<StepRow> {
    let rates = failure_rates(tried);
    let is_kept = |row: &Tried| {
        row.in_proof
            || filter.weight > 0.0
                && row.outcome == "success"
                && row.log_prior >= filter.min_log_prior
                && rates.get(&shape(row)).copied().unwrap_or(0.0) <= filter.max_failure_rate
    };
    let mut kept: Vec<&Tried> = tried.iter().filter(|row| is_kept(row)).collect();
    // Of equal rows, the one of a proof stays.
    let proving: BTreeSet<_> = kept.iter().filter(|row| row.in_proof).map(|row| key(row)).collect();
    let mut seen = BTreeSet::new();
    kept.retain(|row| (row.in_proof || !proving.contains(&key(row))) && seen.insert(key(row)));
    let row = |row: &Tried| StepRow {
        prompt: row.state_before.clone() + SEPARATOR,
        completion: row.tactic.clone(),
        weight: if row.in_proof { 1.0 } else { filter.weight },
        in_proof: row.in_proof,
        theorem: row.theorem.clone(),
        attempt: row.attempt,
    };
    kept.into_iter().map(row).collect()
}

fn key(row: &Tried) -> (&str, &str, &str) {
    (&row.theorem, &row.state_before, &row.tactic)
}

/// The steps of proofs that were kept, each paired with every tactic that failed at the same goal in the same attempt.
pub fn pairs(tried: &[Tried], kept: &[StepRow]) -> Vec<PairRow> {
    let mut failed: BTreeMap<(&str, u32, &str), BTreeSet<&str>> = BTreeMap::new();
    for row in tried.iter().filter(|row| matches!(row.outcome.as_str(), "failure" | "timeout")) {
        let place = (row.theorem.as_str(), row.attempt, row.state_before.as_str());
        failed.entry(place).or_default().insert(&row.tactic);
    }
    let pairs = kept.iter().filter(|step| step.in_proof).flat_map(|step| {
        let lost = failed.get(&(step.theorem.as_str(), step.attempt, step.state())).into_iter().flatten();
        lost.map(|rejected| PairRow {
            prompt: step.prompt.clone(),
            chosen: step.completion.clone(),
            rejected: (*rejected).to_owned(),
            theorem: step.theorem.clone(),
            attempt: step.attempt,
        })
    });
    pairs.collect()
}

/// What became of each goal of a rollout, each once.
pub fn goals(tried: &[Tried]) -> Vec<GoalRow> {
    let proved: BTreeSet<&str> =
        tried.iter().filter(|t| t.in_proof).map(|t| t.state_before.as_str()).collect();
    let mut seen = BTreeSet::new();
    let states = tried.iter().map(|row| row.state_before.as_str()).filter(|state| seen.insert(*state));
    states
        .map(|state| GoalRow { state: state.to_owned(), proved: proved.contains(state), weight: 1.0 })
        .collect()
}

fn shape(row: &Tried) -> Option<Shape> {
    Shape::of_tactic(&row.tactic, &State::read(&row.state_before))
}

/// For each shape, the part of its tries that failed.
fn failure_rates(tried: &[Tried]) -> BTreeMap<Option<Shape>, f64> {
    let mut counts: BTreeMap<Option<Shape>, (u32, u32)> = BTreeMap::new();
    for row in tried {
        let (failed, all) = counts.entry(shape(row)).or_default();
        *failed += u32::from(row.outcome != "success");
        *all += 1;
    }
    counts.into_iter().map(|(shape, (failed, all))| (shape, f64::from(failed) / f64::from(all))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(tactic: &str, outcome: &str, log_prior: f64, in_proof: bool) -> Tried {
        Tried {
            tactic: tactic.to_owned(),
            state_before: "p : Prop\nh : p\n⊢ p".to_owned(),
            outcome: outcome.to_owned(),
            log_prior,
            in_proof,
            theorem: "t".to_owned(),
            attempt: 1,
        }
    }

    #[test]
    fn proofs_are_kept_and_others_must_be_confident_and_reliable() {
        let rows = [
            tried("exact h", "success", -9.0, true),
            tried("exact h", "success", -9.0, false),
            tried("constructor", "success", -1.0, false),
            tried("left", "success", -9.0, false),
            tried("simp", "success", -1.0, false),
            tried("simp", "failure", -1.0, false),
            tried("simp", "failure", -1.0, false),
            tried("omega", "failure", -1.0, false),
        ];
        let filter = Filter { min_log_prior: -5.0, max_failure_rate: 0.5, weight: 0.1 };
        let kept: Vec<(String, f64)> =
            steps(&rows, &filter).into_iter().map(|row| (row.completion, row.weight)).collect();
        assert_eq!(kept, [("exact h".to_owned(), 1.0), ("constructor".to_owned(), 0.1)]);
        let none = Filter { weight: 0.0, ..filter };
        assert_eq!(steps(&rows, &none).len(), 1);
    }

    #[test]
    fn steps_of_proofs_are_paired_with_what_failed_there() {
        let elsewhere = Tried { state_before: "⊢ q".to_owned(), ..tried("omega", "failure", -1.0, false) };
        let rows = [
            tried("simp", "failure", -1.0, false),
            tried("constructor", "success", -1.0, false),
            tried("exact h", "success", -2.0, true),
            elsewhere,
        ];
        let kept = steps(&rows, &Filter { weight: 0.5, max_failure_rate: 1.0, ..Filter::default() });
        assert_eq!(kept.len(), 2);
        let pairs = pairs(&rows, &kept);
        assert_eq!((pairs.len(), &*pairs[0].chosen, &*pairs[0].rejected), (1, "exact h", "simp"));
    }

    #[test]
    fn a_goal_is_proved_if_any_proof_has_it() {
        let rows = [tried("simp", "failure", -1.0, false), tried("exact h", "success", -1.0, true)];
        let goals = goals(&rows);
        assert_eq!((goals.len(), goals[0].proved), (1, true));
    }
}
