//! Which proofs are worth training a new model on, from the base.

use std::collections::{BTreeMap, BTreeSet};

use andor_learn::likeness::{Known, Likeness};

use crate::declaration::Curate;
use crate::rows::StepRow;

/// What became of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Curated {
    /// Rows of proofs that are too long, or longer than others of the theorem.
    pub low_quality: u64,
    /// Rows with the goal and the tactic of an earlier one, up to names.
    pub duplicates: u64,
    /// Rows that nearly have.
    pub near_duplicates: u64,
}

/// Curates the rows of accepted proofs. `rates` is, for each theorem, the part of the attempts at it that proved it.
pub fn curate(rows: Vec<StepRow>, rates: &BTreeMap<String, f64>, curate: &Curate) -> (Vec<StepRow>, Curated) {
    let mut curated = Curated::default();
    let before = rows.len();
    let mut rows = good(rows, curate);
    curated.low_quality = (before - rows.len()) as u64;
    alone(&mut rows, curate, &mut curated);
    balance(&mut rows, rates, curate.max_boost);
    (rows, curated)
}

/// The rows of each theorem's shortest proofs.
fn good(mut rows: Vec<StepRow>, curate: &Curate) -> Vec<StepRow> {
    rows.retain(|row| row.in_proof);
    let mut lengths: BTreeMap<(String, u32), usize> = BTreeMap::new();
    for row in &rows {
        *lengths.entry((row.theorem.clone(), row.attempt)).or_default() += 1;
    }
    let mut proofs: BTreeMap<&str, Vec<(usize, u32)>> = BTreeMap::new();
    for ((theorem, attempt), length) in lengths.iter().filter(|(_, length)| **length <= curate.max_steps) {
        proofs.entry(theorem).or_default().push((*length, *attempt));
    }
    let mut kept = BTreeSet::new();
    for (theorem, mut proofs) in proofs {
        proofs.sort_unstable();
        kept.extend(proofs.into_iter().take(curate.proofs).map(|(_, attempt)| (theorem, attempt)));
    }
    let is_kept = |row: &StepRow| kept.contains(&(row.theorem.as_str(), row.attempt));
    rows.iter().filter(|row| is_kept(row)).cloned().collect()
}

/// Leaves out duplicates, exact and near.
fn alone(rows: &mut Vec<StepRow>, curate: &Curate, curated: &mut Curated) {
    let mut known = Known::new(curate.near_duplicate);
    rows.retain(|row| {
        let likeness = known.take(0, row.state(), &[&row.completion]);
        curated.duplicates += u64::from(matches!(likeness, Likeness::Equal(_)));
        curated.near_duplicates += u64::from(matches!(likeness, Likeness::Near(_)));
        likeness == Likeness::New
    });
}

/// The parts of attempts that succeed, from hard to easy: theorems within the same bounds are equally difficult.
const DIFFICULTIES: [f64; 3] = [0.34, 0.67, 1.0];

/// Gives the steps of each difficulty the same weight in total, as far as `max_boost` allows.
fn balance(rows: &mut [StepRow], rates: &BTreeMap<String, f64>, max_boost: f64) {
    let difficulty = |row: &StepRow| {
        let rate = rates.get(&row.theorem).copied().unwrap_or(1.0);
        DIFFICULTIES.iter().position(|most| rate <= *most).unwrap_or(DIFFICULTIES.len() - 1)
    };
    let mut counts = [0_usize; DIFFICULTIES.len()];
    rows.iter().for_each(|row| counts[difficulty(row)] += 1);
    let most = counts.into_iter().max().unwrap_or(0) as f64;
    for row in rows {
        row.weight *= (most / counts[difficulty(row)] as f64).min(max_boost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::SEPARATOR;

    fn row(theorem: &str, attempt: u32, state: &str, completion: &str) -> StepRow {
        StepRow {
            prompt: state.to_owned() + SEPARATOR,
            completion: completion.to_owned(),
            weight: 1.0,
            in_proof: true,
            theorem: theorem.to_owned(),
            attempt,
        }
    }

    #[test]
    fn the_shortest_proofs_stay() {
        let rows = vec![
            row("t", 1, "p : Prop\n⊢ p ∧ p", "constructor"),
            row("t", 1, "p : Prop\n⊢ p", "simp"),
            row("t", 2, "p : Prop\n⊢ p ∧ p", "omega"),
        ];
        let one = Curate { proofs: 1, ..Curate::default() };
        let (kept, curated) = curate(rows, &BTreeMap::new(), &one);
        assert_eq!((kept.len(), kept[0].attempt, curated.low_quality), (1, 2, 2));
    }

    #[test]
    fn duplicates_are_equal_up_to_names_and_near_ones_share_features() {
        let rows = vec![
            row("a", 1, "n : Nat\n⊢ n + 0 = n", "omega"),
            row("b", 1, "m : Nat\n⊢ m + 0 = m", "omega"),
            row("c", 1, "m : Nat\n⊢ m + 1 = m", "omega"),
            row("d", 1, "m : Nat\n⊢ m + 0 = m", "simp"),
        ];
        let near = Curate { near_duplicate: 0.5, ..Curate::default() };
        let (kept, curated) = curate(rows, &BTreeMap::new(), &near);
        let kept: Vec<&str> = kept.iter().map(|row| row.theorem.as_str()).collect();
        assert_eq!((kept, curated.duplicates, curated.near_duplicates), (vec!["a", "d"], 1, 1));
    }

    #[test]
    fn hard_theorems_count_more_within_bounds() {
        let mut rows: Vec<StepRow> = (0..6).map(|n| row("easy", 1, &format!("⊢ {n} = 0"), "x")).collect();
        rows.push(row("hard", 1, "⊢ p", "y"));
        let rates = BTreeMap::from([("easy".to_owned(), 1.0), ("hard".to_owned(), 0.25)]);
        balance(&mut rows, &rates, 4.0);
        assert_eq!((rows[0].weight, rows[6].weight), (1.0, 4.0));
    }
}
