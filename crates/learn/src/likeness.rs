//! How alike two rows of training data are.
//!
//! Rows are compared if their tactics have the same shapes. Their likeness is the part of all features that both have
//! (Jaccard): features of the goals, and of the names that stand in the shapes. Rows with equal features are the same for a model
//! that sees no more than these; they need not be for people, since features do not tell one variable from another.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::features::{of_argument, of_goal};
use crate::shape::Shape;
use crate::state::State;

/// How a row compares with those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likeness {
    /// It is like none of them.
    New,
    /// It shares at least the given part of its features with this one, the most alike.
    Near(usize),
    /// It has the features of this one.
    Equal(usize),
}

/// Rows to compare others with.
#[derive(Debug)]
pub struct Known {
    /// The likeness from which rows are near.
    near: f64,
    rows: Vec<Row>,
    /// For the shapes of a row's tactics with one of its first features: the rows that have them.
    places: HashMap<(u64, u64), Vec<usize>>,
}

/// A row: how its caller numbers it, and the digests of its features in ascending order.
#[derive(Debug)]
struct Row {
    number: usize,
    features: Vec<u64>,
}

impl Known {
    /// No rows yet. Rows that share at least the part `near` of their features are near; it is above 0 and at most 1.
    pub fn new(near: f64) -> Self {
        Self { near: near.clamp(f64::MIN_POSITIVE, 1.0), rows: Vec::new(), places: HashMap::new() }
    }

    /// Compares a row with those that are known, and adds it if it is like none. Goals of a state are separated by empty lines.
    pub fn take(&mut self, number: usize, state: &str, tactics: &[&str]) -> Likeness {
        let (shapes, features) = described(state, tactics);
        // Two sets with so much in common have one of these in common.
        let least = (self.near * features.len() as f64 - 1e-9).ceil() as usize;
        let first = &features[..(features.len() + 1 - least).min(features.len())];
        let places = first.iter().filter_map(|feature| self.places.get(&(shapes, *feature)));
        let others: BTreeSet<usize> = places.flatten().copied().collect();
        let mut nearest: Option<(f64, usize)> = None;
        for other in others {
            let Row { number, features: of_other } = &self.rows[other];
            let likeness = jaccard(of_other, &features);
            if likeness >= self.near && nearest.is_none_or(|(most, _)| likeness > most) {
                nearest = Some((likeness, *number));
            }
        }
        match nearest {
            Some((likeness, other)) if likeness >= 1.0 => Likeness::Equal(other),
            Some((_, other)) => Likeness::Near(other),
            None => {
                for feature in first {
                    self.places.entry((shapes, *feature)).or_default().push(self.rows.len());
                }
                self.rows.push(Row { number, features });
                Likeness::New
            }
        }
    }
}

/// Tactics with the places of the goal's names in place of the names: equal for rows that differ in these only, if their goals
/// do.
pub fn without_names(state: &str, tactics: &[&str]) -> String {
    let goal = State::read(state.split("\n\n").next().unwrap_or_default());
    let mut text = String::new();
    for tactic in tactics {
        match Shape::of(tactic, &goal) {
            Some((shape, given)) => text += &format!("{shape} {given:?}\n"),
            None => text += &format!("{tactic}\n"),
        }
    }
    text
}

/// The digest of the tactics' shapes, and those of the features of the goals and of what stands in the shapes.
fn described(state: &str, tactics: &[&str]) -> (u64, Vec<u64>) {
    let goals: Vec<State> = state.split("\n\n").map(State::read).collect();
    let mut features = BTreeSet::new();
    for (number, goal) in goals.iter().enumerate() {
        features.extend(of_goal(goal).iter().map(|feature| digest(&(number, feature))));
    }
    let mut shapes = Vec::new();
    for (number, tactic) in tactics.iter().enumerate() {
        let Some((shape, given)) = Shape::of(tactic, &goals[0]) else {
            shapes.push((*tactic).to_owned());
            continue;
        };
        for (place, local) in given.into_iter().enumerate() {
            let of_local = of_argument(&goals[0], local);
            features.extend(of_local.iter().map(|feature| digest(&(number, place, feature))));
        }
        shapes.push(shape.to_string());
    }
    (digest(&shapes), features.into_iter().collect())
}

/// A digest that is the same in every process.
fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The part of all features that two rows share.
fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut common, mut left, mut right) = (0_usize, 0, 0);
    while let (Some(x), Some(y)) = (a.get(left), b.get(right)) {
        common += usize::from(x == y);
        left += usize::from(x <= y);
        right += usize::from(y <= x);
    }
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "n : Nat\nh : n = 0\nk : n = 1\n⊢ n + 0 = n";

    #[test]
    fn names_make_no_difference_and_what_they_name_does() {
        let mut known = Known::new(1.0);
        assert_eq!(known.take(7, STATE, &["exact h"]), Likeness::New);
        assert_eq!(
            known.take(8, "m : Nat\na : m = 0\nb : m = 1\n⊢ m + 0 = m", &["exact a"]),
            Likeness::Equal(7)
        );
        assert_eq!(known.take(9, STATE, &["exact k"]), Likeness::New);
        assert_eq!(known.take(10, STATE, &["rw [h]"]), Likeness::New);
        assert_eq!(known.take(11, STATE, &["rw [h]", "exact h"]), Likeness::New);
        assert_eq!(known.take(12, &format!("{STATE}\n\n⊢ 0 = 1"), &["rw [h]"]), Likeness::New);
    }

    #[test]
    fn tactics_without_names_tell_places_apart() {
        let of = |state: &str, tactic: &str| without_names(state, &[tactic]);
        assert_eq!(of("p q : Prop\nh : p\n⊢ p", "exact h"), of("a b : Prop\nk : a\n⊢ a", "exact k"));
        assert_ne!(of(STATE, "exact h"), of(STATE, "exact k"));
    }

    #[test]
    fn the_nearest_is_found_as_by_comparing_with_all() {
        let states: Vec<String> = (0..60)
            .map(|n| {
                let (a, b) = (["+", "*", "∧"][n % 3], ["0", "m", "n + m"][n / 3 % 3]);
                let given = if n % 2 == 0 { "h : m = 0\n" } else { "" };
                format!("n m : Nat\n{given}⊢ n {a} {b} = {}", n % 5)
            })
            .collect();
        for near in [0.3, 0.6, 0.8, 0.95, 1.0] {
            let mut known = Known::new(near);
            let mut kept: Vec<Vec<u64>> = Vec::new();
            for (number, state) in states.iter().enumerate() {
                let (_, features) = described(state, &["simp"]);
                let most = kept.iter().map(|other| jaccard(other, &features)).fold(0.0, f64::max);
                let likeness = known.take(number, state, &["simp"]);
                assert_eq!(likeness == Likeness::New, most < near, "{near}: {state}: {most}");
                assert_eq!(matches!(likeness, Likeness::Equal(_)), most >= 1.0, "{near}: {state}");
                if likeness == Likeness::New {
                    kept.push(features);
                }
            }
            assert!(kept.len() > 1);
        }
    }
}
