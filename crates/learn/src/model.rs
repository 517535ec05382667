//! The model: probabilities of tactics at a goal, and of the goal's being proved.

use std::collections::{BTreeSet, HashMap};

use andor_artifact::learned::Provenance;
use andor_core::theorem::System;
use rand::{RngExt, SeedableRng};

use crate::features::{of_argument, of_goal};
use crate::shape::{NotAShape, Shape};
use crate::state::State;

/// A log-linear model of tactics. The probability of a tactic is that of its shape, by the features of the goal, times that of
/// each name in it, by the features of the name. Both are softmaxes of sums of weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    pub(crate) system: System,
    pub(crate) provenance: Provenance,
    pub(crate) shapes: Vec<Shape>,
    /// Features of goals, with a weight for each shape.
    pub(crate) policy: Weights,
    /// Features of names, with a weight for each place of each shape.
    pub(crate) arguments: Weights,
    /// Features of goals, with one weight.
    pub(crate) value: Weights,
}

/// A tactic that the model proposes.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction {
    /// The tactic.
    pub tactic: String,
    /// Its log-probability: finite, at most 0.
    pub log_prior: f64,
}

/// How many ways to put names into a shape are proposed.
const BEAM: usize = 24;

impl Model {
    /// A model with zero weights: every shape of a system is equally likely, and so is every name in it. `more` are shapes
    /// besides those that come with the program.
    pub fn zero(system: System, more: &[Shape]) -> Self {
        let text = system.language().tactics.shapes;
        let known = text.lines().map(|line| line.parse().expect("the lists of shapes are tested"));
        let mut model = Self {
            system,
            provenance: Provenance::default(),
            shapes: Vec::new(),
            policy: Weights::new(0),
            arguments: Weights::new(0),
            value: Weights::new(1),
        };
        model.extend(known.chain(more.iter().cloned()));
        model
    }

    /// The system whose tactics it proposes.
    pub fn system(&self) -> System {
        self.system
    }

    /// How it came about.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The shapes of tactics that it knows, in order.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Adds the shapes that it does not have, with zero weights.
    pub(crate) fn extend(&mut self, shapes: impl IntoIterator<Item = Shape>) {
        let mut known: BTreeSet<Shape> = self.shapes.iter().cloned().collect();
        self.shapes.extend(shapes.into_iter().filter(|shape| known.insert(shape.clone())));
        self.policy.widen(self.shapes.len());
        self.arguments.widen(self.shapes.iter().map(Shape::arguments).sum());
    }

    /// For each shape, the first of its places among the columns of [`Model::arguments`].
    pub(crate) fn places(&self) -> Vec<usize> {
        let starts = self.shapes.iter().scan(0, |next, shape| {
            let start = *next;
            *next += shape.arguments();
            Some(start)
        });
        starts.collect()
    }

    /// Whether a shape can be used at a goal: there are names enough.
    pub(crate) fn fits(&self, shape: usize, state: &State) -> bool {
        self.shapes[shape].arguments() <= state.locals.len()
    }

    /// The log-probability of each shape; minus infinity for those that cannot be used.
    pub(crate) fn log_shapes(&self, state: &State, features: &[usize]) -> Vec<f64> {
        let mut scores = self.policy.scores(features);
        for (shape, score) in scores.iter_mut().enumerate() {
            if !self.fits(shape, state) {
                *score = f64::NEG_INFINITY;
            }
        }
        log_softmax(&mut scores);
        scores
    }

    /// The most likely tactics at a goal, at most `most`, the likeliest first; equally likely ones in the order of the shapes.
    pub fn predict(&self, state: &State, most: usize) -> Vec<Prediction> {
        let features = self.policy.known(&of_goal(state));
        let shapes = self.log_shapes(state, &features);
        let locals: Vec<Vec<usize>> =
            (0..state.locals.len()).map(|index| self.arguments.known(&of_argument(state, index))).collect();
        let places = self.places();
        let mut found: Vec<Prediction> = Vec::new();
        for (index, shape) in self.shapes.iter().enumerate().filter(|(index, _)| self.fits(*index, state)) {
            let mut ways: Vec<(f64, Vec<usize>)> = vec![(shapes[index], Vec::new())];
            for place in 0..shape.arguments() {
                let likely = self.log_names(&locals, places[index] + place);
                let longer = |(log, given): &(f64, Vec<usize>)| {
                    let (log, given) = (*log, given.clone());
                    let free = (0..locals.len()).filter(|local| !given.contains(local)).collect::<Vec<_>>();
                    let with = |local: usize| (log + likely[local], [given.as_slice(), &[local]].concat());
                    free.into_iter().map(with).collect::<Vec<_>>()
                };
                ways = ways.iter().flat_map(longer).collect();
                ways.sort_by(|a, b| b.0.total_cmp(&a.0));
                ways.truncate(BEAM);
            }
            let prediction = |(log_prior, given): (f64, Vec<usize>)| Prediction {
                tactic: shape.tactic(state, &given),
                log_prior: log_prior.min(0.0),
            };
            found.extend(ways.into_iter().map(prediction));
        }
        found.sort_by(|a, b| b.log_prior.total_cmp(&a.log_prior));
        found.truncate(most);
        found
    }

    /// As [`Model::predict`], with the order drawn at random: each tactic comes first as often as it is likely.
    pub fn sample(&self, state: &State, most: usize, seed: u64) -> Vec<Prediction> {
        let mut found = self.predict(state, usize::MAX);
        let mut rng = andor_core::rng::Rng::seed_from_u64(seed);
        // The largest of log-probabilities with Gumbel noise is a draw from the distribution, the next one from the rest.
        let noise = |u: f64| -(-u.max(f64::MIN_POSITIVE).ln()).ln();
        let mut scores: Vec<f64> = found.iter().map(|p| p.log_prior + noise(rng.random())).collect();
        log_softmax(&mut scores);
        found.iter_mut().zip(scores).for_each(|(p, score)| p.log_prior = score.clamp(-700.0, 0.0));
        found.sort_by(|a, b| b.log_prior.total_cmp(&a.log_prior));
        found.truncate(most);
        found
    }

    /// The estimated probability that a goal will be proved; `None` for a model that was not trained for it.
    pub fn value(&self, state: &State) -> Option<f64> {
        if self.value.names.is_empty() {
            return None;
        }
        let features = self.value.known(&of_goal(state));
        Some(sigmoid(self.value.scores(&features)[0]))
    }

    /// For a place, the log-probability of each name, given the names' features.
    pub(crate) fn log_names(&self, locals: &[Vec<usize>], place: usize) -> Vec<f64> {
        let mut scores: Vec<f64> =
            locals.iter().map(|features| self.arguments.score(features, place)).collect();
        log_softmax(&mut scores);
        scores
    }
}

/// Reads shapes, one a line; empty lines and lines that begin with `--` are left out.
///
/// # Errors
///
/// A line is not a shape.
pub fn read_shapes(text: &str) -> Result<Vec<Shape>, NotAShape> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.map(str::parse).collect()
}

/// Weights of features, in columns.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weights {
    pub(crate) width: usize,
    pub(crate) names: Vec<String>,
    index: HashMap<String, usize>,
    pub(crate) rows: Vec<Vec<f64>>,
}

impl Weights {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, names: Vec::new(), index: HashMap::new(), rows: Vec::new() }
    }

    fn widen(&mut self, width: usize) {
        self.width = width;
        self.rows.iter_mut().for_each(|row| row.resize(width, 0.0));
    }

    /// The number of a feature, which is added with zero weights if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> usize {
        if let Some(known) = self.index.get(name) {
            return *known;
        }
        let number = self.names.len();
        self.index.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        self.rows.push(vec![0.0; self.width]);
        number
    }

    /// The numbers of those features that have weights, in order.
    pub(crate) fn known(&self, names: &BTreeSet<String>) -> Vec<usize> {
        names.iter().filter_map(|name| self.index.get(name).copied()).collect()
    }

    pub(crate) fn scores(&self, features: &[usize]) -> Vec<f64> {
        let mut scores = vec![0.0; self.width];
        for row in features.iter().map(|feature| &self.rows[*feature]) {
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += weight);
        }
        scores
    }

    fn score(&self, features: &[usize], column: usize) -> f64 {
        features.iter().map(|feature| self.rows[*feature][column]).sum()
    }
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn log_softmax(scores: &mut [f64]) {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return;
    }
    let total = largest + scores.iter().map(|score| (score - largest).exp()).sum::<f64>().ln();
    scores.iter_mut().for_each(|score| *score -= total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn state() -> State {
        State::read("p q : Prop\nh : p\n⊢ p ∨ q")
    }

    #[test]
    fn zero_weights_are_uniform_over_shapes_in_order() {
        for system in [MINI, ROCQ, LEAN4] {
            let model = Model::zero(system, &[]);
            let found = model.predict(&state(), 1000);
            let alone: Vec<&Prediction> =
                found.iter().take_while(|p| p.log_prior == found[0].log_prior).collect();
            let shapes: Vec<String> = model.shapes().iter().map(Shape::to_string).collect();
            assert_eq!(alone[0].tactic, shapes[0]);
            assert!(alone.len() > 10 && alone.len() < found.len());
            let total: f64 = found.iter().map(|p| p.log_prior.exp()).sum();
            assert!(total > 0.8 && total < 1.0 + 1e-9, "{total}");
            assert_eq!(model.value(&state()), None);
        }
    }

    #[test]
    fn samples_are_repeatable_and_differ_by_seed() {
        let model = Model::zero(MINI, &[]);
        let tactics =
            |seed| model.sample(&state(), 20, seed).into_iter().map(|p| p.tactic).collect::<Vec<_>>();
        assert_eq!(tactics(1), tactics(1));
        assert_ne!(tactics(1), tactics(2));
        assert!(model.sample(&state(), 99, 3).iter().all(|p| p.log_prior <= 0.0 && p.log_prior.is_finite()));
    }

    #[test]
    fn shapes_of_the_users_come_last_and_once() {
        let more = read_shapes("-- mine\n\nexact foo {1}\nsimp\n").unwrap();
        let model = Model::zero(MINI, &more);
        assert_eq!(model.shapes().last().unwrap().to_string(), "exact foo {1}");
        assert_eq!(model.shapes().iter().filter(|shape| shape.to_string() == "simp").count(), 1);
    }
}
