//! Training: stochastic gradient steps with AdaGrad's rates, in an order drawn from a seed.

use std::collections::{BTreeMap, BTreeSet};

use andor_core::rng::{Purpose, stream};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::features::{of_argument, of_goal};
use crate::model::{Model, Weights, sigmoid};
use crate::shape::Shape;
use crate::state::State;

/// A tactic that was right at a goal.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The goal.
    pub state: State,
    /// The tactic.
    pub tactic: String,
    /// How much it counts: positive.
    pub weight: f64,
}

/// What became of a goal.
#[derive(Clone, PartialEq, Debug)]
pub struct Fate {
    /// The goal.
    pub state: State,
    /// Whether it was proved.
    pub proved: bool,
    /// How much it counts: positive.
    pub weight: f64,
}

/// The parameters of training.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// How often each row is used.
    pub epochs: u32,
    /// AdaGrad's rate: the length of a weight's first step.
    pub rate: f64,
    /// How fast weights decay: the factor of their squares in what is minimised.
    pub decay: f64,
    /// Features and shapes in fewer rows than this are left out.
    pub min_count: u32,
    /// Whether the value of goals is trained, too.
    pub value: bool,
    /// The seed of the order of rows.
    pub seed: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { epochs: 12, rate: 0.3, decay: 1e-3, min_count: 2, value: true, seed: 0 }
    }
}

/// Trains a model further on `steps` and `fates`; the rows' order matters, since sums are rounded. Weights are rounded as in a
/// file, so that the model is the same when it is read back. `goes_on` is asked before each epoch.
///
/// # Errors
///
/// It is to end, or the weights have grown beyond all bounds.
pub fn train(
    base: &Model,
    steps: &[Step],
    fates: &[Fate],
    parameters: &Parameters,
    goes_on: &dyn Fn() -> bool,
) -> Result<Model, TrainError> {
    let mut model = base.clone();
    let shaped: Vec<(&Step, Shape, Vec<usize>)> = steps
        .iter()
        .filter_map(|step| {
            let (shape, given) = Shape::of(&step.tactic, &step.state)?;
            Some((step, shape, given))
        })
        .collect();
    model.extend(new_shapes(&model, &shaped, parameters.min_count));
    let policy = examples(&mut model, &shaped, parameters.min_count);
    Policy::new(&model).fit(&mut model, &policy, parameters, goes_on)?;
    if parameters.value {
        fit_value(&mut model.value, fates, parameters, goes_on)?;
    }
    for weights in [&mut model.policy, &mut model.arguments, &mut model.value] {
        for weight in weights.rows.iter_mut().flatten() {
            *weight = rounded(*weight);
            if !weight.is_finite() {
                return Err(TrainError::Diverged { rate: parameters.rate });
            }
        }
    }
    model.provenance.steps = policy.len() as u64;
    Ok(model)
}

/// Why there is no model.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum TrainError {
    /// It was to end.
    #[error("interrupted")]
    Interrupted,
    /// Weights have no finite value.
    #[error("the weights grow beyond all bounds at the rate {rate}; choose a smaller one")]
    Diverged {
        /// The rate.
        rate: f64,
    },
}

/// An error if it is to end.
fn begin_epoch(goes_on: &dyn Fn() -> bool) -> Result<(), TrainError> {
    if goes_on() { Ok(()) } else { Err(TrainError::Interrupted) }
}

/// Weights have four digits after the point: less is noise, and the files stay small.
fn rounded(weight: f64) -> f64 {
    (weight * 1e4).round() / 1e4 + 0.0
}

/// The shapes of the rows that the model does not know, the most frequent first.
fn new_shapes(model: &Model, shaped: &[(&Step, Shape, Vec<usize>)], min_count: u32) -> Vec<Shape> {
    let known: BTreeSet<&Shape> = model.shapes.iter().collect();
    let mut counts: BTreeMap<&Shape, u32> = BTreeMap::new();
    for (_, shape, _) in shaped.iter().filter(|(_, shape, _)| !known.contains(shape)) {
        *counts.entry(shape).or_default() += 1;
    }
    let mut new: Vec<(&Shape, u32)> = counts.into_iter().filter(|(_, count)| *count >= min_count).collect();
    new.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    new.into_iter().map(|(shape, _)| shape.clone()).collect()
}

/// A row as numbers.
struct Example {
    features: Vec<usize>,
    shape: usize,
    /// The features of each name of the goal.
    names: Vec<Vec<usize>>,
    given: Vec<usize>,
    /// Shapes that need more names than there are.
    unfit: Vec<usize>,
    weight: f64,
}

fn examples(model: &mut Model, shaped: &[(&Step, Shape, Vec<usize>)], min_count: u32) -> Vec<Example> {
    let numbers: BTreeMap<Shape, usize> = model.shapes.iter().cloned().zip(0..).collect();
    let goals: Vec<BTreeSet<String>> = shaped.iter().map(|(step, ..)| of_goal(&step.state)).collect();
    intern_frequent(&mut model.policy, goals.iter(), min_count);
    let names: Vec<Vec<BTreeSet<String>>> = shaped
        .iter()
        .map(|(step, ..)| (0..step.state.locals.len()).map(|at| of_argument(&step.state, at)).collect())
        .collect();
    intern_frequent(&mut model.arguments, names.iter().flatten(), min_count);
    let example = |(at, (step, shape, given)): (usize, &(&Step, Shape, Vec<usize>))| {
        Some(Example {
            features: model.policy.known(&goals[at]),
            shape: *numbers.get(shape)?,
            names: names[at].iter().map(|name| model.arguments.known(name)).collect(),
            given: given.clone(),
            unfit: (0..model.shapes.len()).filter(|shape| !model.fits(*shape, &step.state)).collect(),
            weight: step.weight,
        })
    };
    shaped.iter().enumerate().filter_map(example).collect()
}

fn intern_frequent<'a>(
    weights: &mut Weights,
    rows: impl Iterator<Item = &'a BTreeSet<String>>,
    min_count: u32,
) {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    rows.flatten().for_each(|name| *counts.entry(name).or_default() += 1);
    for (name, _) in counts.into_iter().filter(|(_, count)| *count >= min_count) {
        weights.intern(name);
    }
}

/// The sums of squared gradients, by which AdaGrad divides its steps.
struct Squares(Vec<Vec<f64>>);

impl Squares {
    fn of(weights: &Weights) -> Self {
        Self(vec![vec![0.0; weights.width]; weights.rows.len()])
    }

    /// A step of one weight against its gradient, with decay.
    fn step(&mut self, weights: &mut Weights, row: usize, column: usize, gradient: f64, p: &Parameters) {
        let weight = &mut weights.rows[row][column];
        let gradient = gradient + p.decay * *weight;
        let square = &mut self.0[row][column];
        *square += gradient * gradient;
        if *square > 0.0 {
            *weight -= p.rate * gradient / square.sqrt();
        }
    }
}

struct Policy {
    places: Vec<usize>,
    of_shapes: Squares,
    of_names: Squares,
}

impl Policy {
    fn new(model: &Model) -> Self {
        let (of_shapes, of_names) = (Squares::of(&model.policy), Squares::of(&model.arguments));
        Self { places: model.places(), of_shapes, of_names }
    }

    fn fit(
        mut self,
        model: &mut Model,
        examples: &[Example],
        parameters: &Parameters,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<(), TrainError> {
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut rng = stream(parameters.seed, Purpose::Candidates);
        for _ in 0..parameters.epochs {
            begin_epoch(goes_on)?;
            order.shuffle(&mut rng);
            for example in order.iter().map(|at| &examples[*at]) {
                self.learn(model, example, parameters);
            }
        }
        Ok(())
    }

    /// One step up the log-probability of a row's tactic.
    fn learn(&mut self, model: &mut Model, example: &Example, p: &Parameters) {
        let mut scores = model.policy.scores(&example.features);
        example.unfit.iter().for_each(|shape| scores[*shape] = f64::NEG_INFINITY);
        crate::model::log_softmax(&mut scores);
        for (shape, log) in scores.into_iter().enumerate() {
            let gradient = example.weight * (log.exp() - f64::from(u8::from(shape == example.shape)));
            // A gradient that rounds to nothing is not worth the time.
            if gradient.abs() > 1e-6 {
                for feature in &example.features {
                    self.of_shapes.step(&mut model.policy, *feature, shape, gradient, p);
                }
            }
        }
        for (number, given) in example.given.iter().enumerate() {
            let place = self.places[example.shape] + number;
            let likely = model.log_names(&example.names, place);
            for (name, log) in likely.into_iter().enumerate() {
                let gradient = example.weight * (log.exp() - f64::from(u8::from(name == *given)));
                for feature in &example.names[name] {
                    self.of_names.step(&mut model.arguments, *feature, place, gradient, p);
                }
            }
        }
    }
}

/// Logistic regression of whether goals were proved.
fn fit_value(
    value: &mut Weights,
    fates: &[Fate],
    p: &Parameters,
    goes_on: &dyn Fn() -> bool,
) -> Result<(), TrainError> {
    let goals: Vec<BTreeSet<String>> = fates.iter().map(|fate| of_goal(&fate.state)).collect();
    intern_frequent(value, goals.iter(), p.min_count);
    let features: Vec<Vec<usize>> = goals.iter().map(|goal| value.known(goal)).collect();
    let mut squares = Squares::of(value);
    let mut order: Vec<usize> = (0..fates.len()).collect();
    let mut rng = stream(p.seed, Purpose::Bootstrap);
    for _ in 0..p.epochs {
        begin_epoch(goes_on)?;
        order.shuffle(&mut rng);
        for &at in &order {
            let estimate = sigmoid(value.scores(&features[at])[0]);
            let gradient = fates[at].weight * (estimate - f64::from(u8::from(fates[at].proved)));
            for feature in &features[at] {
                squares.step(value, *feature, 0, gradient, p);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {

    use super::*;
    use andor_system_mini::MINI;

    fn steps() -> Vec<Step> {
        let rows = [
            ("p q : Prop\nh : p\n⊢ p ∨ q", "left"),
            ("p q : Prop\nh : q\n⊢ p ∨ q", "right"),
            ("p q : Prop\nh : p ∧ q\n⊢ p", "exact h.1"),
            ("a b : Prop\nk : a ∧ b\n⊢ a", "exact k.1"),
            ("n : Nat\n⊢ n + 0 = n", "omega"),
            ("n m : Nat\n⊢ n + m = m + n", "omega"),
        ];
        let step = |(state, tactic): &(&str, &str)| Step {
            state: State::read(state),
            tactic: (*tactic).to_owned(),
            weight: 1.0,
        };
        rows.iter().chain(&rows).map(step).collect()
    }

    fn trained(base: &Model, steps: &[Step], fates: &[Fate], parameters: &Parameters) -> Model {
        train(base, steps, fates, parameters, &|| true).unwrap()
    }

    #[test]
    fn training_ends_when_it_is_to_and_when_it_diverges() {
        let base = Model::zero(MINI, &[]);
        let asked = std::cell::Cell::new(0);
        let goes_on = || asked.replace(asked.get() + 1) < 3;
        let endless = Parameters { epochs: u32::MAX, ..Parameters::default() };
        assert_eq!(train(&base, &steps(), &[], &endless, &goes_on), Err(TrainError::Interrupted));
        assert_eq!(asked.get(), 4);
        let wild = Parameters { rate: 1e300, ..Parameters::default() };
        let diverged = Err(TrainError::Diverged { rate: 1e300 });
        assert_eq!(train(&base, &steps(), &[], &wild, &|| true), diverged);
    }

    fn first(model: &Model, state: &str) -> String {
        model.predict(&State::read(state), 1)[0].tactic.clone()
    }

    #[test]
    fn it_learns_shapes_and_which_name_they_take() {
        let base = Model::zero(MINI, &[]);
        let model = trained(&base, &steps(), &[], &Parameters { epochs: 40, ..Parameters::default() });
        assert_eq!(first(&model, "r s : Prop\nx : s\ny : r ∧ s\nz : s\n⊢ r"), "exact y.1");
        assert_eq!(first(&model, "a b c : Nat\n⊢ a + b + c = c + a + b"), "omega");
        assert_ne!(first(&base, "a b c : Nat\n⊢ a + b + c = c + a + b"), "omega");
    }

    #[test]
    fn equal_rows_give_equal_models_and_seeds_matter() {
        let base = Model::zero(MINI, &[]);
        let of = |seed| trained(&base, &steps(), &[], &Parameters { seed, ..Parameters::default() });
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }

    #[test]
    fn new_shapes_are_learned_if_they_are_frequent() {
        let base = Model::zero(MINI, &[]);
        let step = |tactic: &str| Step { tactic: tactic.to_owned(), ..steps()[2].clone() };
        let model = trained(
            &base,
            &[step("exact foo h"), step("exact foo h"), step("exact bar h")],
            &[],
            &Parameters::default(),
        );
        let new: Vec<String> = model.shapes()[base.shapes().len()..].iter().map(Shape::to_string).collect();
        assert_eq!(new, ["exact foo {1}"]);
    }

    #[test]
    fn goals_that_were_proved_get_higher_values() {
        let fate = |state: &str, proved| Fate { state: State::read(state), proved, weight: 1.0 };
        let good = "h : p\n⊢ p ∨ q";
        let bad = "⊢ q ∧ r";
        let fates: Vec<Fate> = (0..10).flat_map(|_| [fate(good, true), fate(bad, false)]).collect();
        let model = trained(&Model::zero(MINI, &[]), &[], &fates, &Parameters::default());
        let value = |state| model.value(&State::read(state)).unwrap();
        assert!(value(good) > 0.8 && value(bad) < 0.2, "{} {}", value(good), value(bad));
    }
}
