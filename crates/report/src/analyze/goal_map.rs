//! The goals of searches for a theorem as points in the plane.

use std::path::Path;

use andor_analysis::overlap::jaccard;
use andor_analysis::scaling;
use andor_artifact::files::{FileError, read_json};
use andor_artifact::graph::Graph;
use andor_artifact::version::Kind;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::Table;

/// At most this many goals of a theorem are landmarks: the most visited ones. Scaling takes the third power of their number.
const LANDMARKS: usize = 200;

/// The goals at which one search worked.
pub(super) struct Course {
    /// The run and the attempt.
    place: [Value; 2],
    /// By strict signature.
    goals: FxHashMap<String, Work>,
    /// The texts of these goals.
    texts: FxHashMap<String, String>,
}

/// What was done at a goal.
#[derive(Clone, Copy)]
pub(super) struct Work {
    /// The first iteration.
    pub(super) first: u64,
    /// The number of iterations.
    pub(super) iterations: u64,
}

impl Course {
    /// Takes the texts of the goals from the graph of the attempt.
    pub(super) fn read(
        folder: &Path,
        place: [Value; 2],
        goals: FxHashMap<String, Work>,
    ) -> Result<Self, FileError> {
        let graph: Graph = read_json(&folder.join("graph.json"), Kind::Graph)?;
        let nodes = graph.nodes.into_iter().filter(|node| goals.contains_key(&node.goal_sig_strict));
        let texts = nodes.map(|node| (node.goal_sig_strict, node.goals.join("\n\n"))).collect();
        Ok(Self { place, goals, texts })
    }
}

/// The empty table.
pub(super) fn table() -> Table {
    Table {
        name: "goal_map",
        about: "The goals at which searches worked as points whose distances are nearly those of their texts; `shown` is the \
                share that fits.",
        columns: &["theorem", "run", "attempt", "goal", "text", "first", "iterations", "x", "y", "shown"],
        rows: Vec::new(),
    }
}

/// Adds the goals of all searches for a theorem, in the order in which each search came to them. Nothing is added if they have
/// fewer than three goals.
pub(super) fn add(theorem: &str, courses: &[Course], table: &mut Table) {
    let mut iterations: FxHashMap<&str, u64> = FxHashMap::default();
    let mut texts: FxHashMap<&str, &str> = FxHashMap::default();
    for course in courses {
        texts.extend(course.texts.iter().map(|(goal, text)| (goal.as_str(), text.as_str())));
        for (goal, work) in &course.goals {
            *iterations.entry(goal).or_default() += work.iterations;
        }
    }
    let mut goals: Vec<&str> = iterations.keys().copied().filter(|goal| texts.contains_key(goal)).collect();
    if goals.len() < 3 {
        return;
    }
    goals.sort_by_key(|goal| (std::cmp::Reverse(iterations[goal]), *goal));
    let words: Vec<FxHashMap<&str, f64>> = goals.iter().map(|goal| words(texts[goal])).collect();
    let (landmarks, others) = words.split_at(words.len().min(LANDMARKS));
    let between = distances(landmarks, landmarks);
    let picture = scaling::classical(&between);
    let mut points = picture.place(&between, &distances(others, landmarks));
    points.splice(0..0, picture.points);
    let points: FxHashMap<&str, (f64, f64)> = goals.into_iter().zip(points).collect();
    for course in courses {
        let mut visited: Vec<(&String, &Work)> = course.goals.iter().collect();
        visited.sort_by_key(|(goal, work)| (work.first, *goal));
        for (goal, work) in visited {
            let Some((x, y)) = points.get(goal.as_str()) else { continue };
            let [run, attempt] = course.place.clone();
            let (first, n) = (json!(work.first), json!(work.iterations));
            table.rows.push(vec![
                json!(theorem),
                run,
                attempt,
                json!(goal),
                json!(texts[goal.as_str()]),
                first,
                n,
                json!(x),
                json!(y),
                json!(picture.shown),
            ]);
        }
    }
}

/// 1 minus the weighted Jaccard similarity of the words, a metric.
fn distances(from: &[FxHashMap<&str, f64>], to: &[FxHashMap<&str, f64>]) -> Vec<Vec<f64>> {
    let distance = |a, b| 1.0 - jaccard(a, b).unwrap_or(1.0);
    from.iter().map(|a| to.iter().map(|b| distance(a, b)).collect()).collect()
}

/// The words of a text with their numbers: names and numerals, and every other character by itself.
fn words(text: &str) -> FxHashMap<&str, f64> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
    let mut words: FxHashMap<&str, f64> = FxHashMap::default();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match is_of_name(first) {
            true => rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        *words.entry(word).or_default() += 1.0;
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(run: &str, goals: &[(&str, u64)]) -> Course {
        let work = |(at, (goal, n)): (usize, &(&str, u64))| {
            ((*goal).to_owned(), Work { first: at as u64 + 1, iterations: *n })
        };
        Course {
            place: [json!(run), json!(1)],
            goals: goals.iter().enumerate().map(work).collect(),
            texts: goals.iter().map(|(goal, _)| ((*goal).to_owned(), (*goal).to_owned())).collect(),
        }
    }

    #[test]
    fn words_are_names_and_signs() {
        let found = words("h₁ : a.b ≤ x' ∧ h₁\n⊢ 10≤a");
        let mut found: Vec<(&str, f64)> = found.into_iter().collect();
        found.sort_by(|a, b| a.0.cmp(b.0));
        let wanted = [
            ("10", 1.0),
            (":", 1.0),
            ("a", 1.0),
            ("a.b", 1.0),
            ("h₁", 2.0),
            ("x'", 1.0),
            ("∧", 1.0),
            ("≤", 2.0),
            ("⊢", 1.0),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn equal_goals_have_one_place_and_similar_ones_are_near() {
        let (a, b) = (
            course("A", &[("⊢ a = b", 3), ("⊢ a = c", 1)]),
            course("B", &[("⊢ a = b", 1), ("p ∧ q → r", 9)]),
        );
        let mut map = table();
        add("t", &[a, b], &mut map);
        let at = |row: usize| ["x", "y"].map(|name| map.rows[row][map.column(name)].as_f64().unwrap());
        assert_eq!(map.rows.len(), 4);
        assert_eq!(at(0), at(2));
        let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        // Three of five words are common, so the distance is 2 / 5; the third goal has none of them.
        assert!((distance(at(0), at(1)) - 0.4).abs() < 1e-9, "{map:?}");
        assert!((distance(at(0), at(3)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn beyond_the_landmarks_goals_are_placed_too() {
        let texts: Vec<String> =
            (0..LANDMARKS + 50).map(|n| format!("⊢ x{n} + y{} = z{}", n % 7, n % 3)).collect();
        let goals: Vec<(&str, u64)> = texts.iter().map(|text| (text.as_str(), 1)).collect();
        let mut map = table();
        add("t", &[course("A", &goals)], &mut map);
        assert_eq!(map.rows.len(), goals.len());
        let x = map.column("x");
        assert!(map.rows.iter().all(|row| row[x].as_f64().is_some_and(|x| x.abs() <= 1.0)));
        let mut few = table();
        add("t", &[course("A", &goals[..2])], &mut few);
        assert!(few.rows.is_empty());
    }
}
