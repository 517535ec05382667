//! `ring` and `omega` against what computation says of random goals.

use andor_mini::prover::Theory;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const NAMES: [&str; 3] = ["x", "y", "z"];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn is_proved(goal: &str, tactic: &str) -> Result<(), String> {
    let text = format!("example (x y z : Nat) {goal} := by {tactic}");
    Theory::prelude().extended(&text).map(drop).map_err(|e| format!("{text}\n{e}"))
}

/// A polynomial as it is written.
#[derive(Clone, Debug)]
enum Polynomial {
    Variable(usize),
    Number(u32),
    Sum(Box<Polynomial>, Box<Polynomial>),
    Product(Box<Polynomial>, Box<Polynomial>),
    Power(Box<Polynomial>, u32),
}

use Polynomial::{Number, Power, Product, Sum, Variable};

fn polynomial() -> impl Strategy<Value = Polynomial> {
    let leaf = prop_oneof![(0..3usize).prop_map(Variable), (0..4u32).prop_map(Number)];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair().prop_map(|(a, b)| Sum(a.into(), b.into())),
            3 => pair().prop_map(|(a, b)| Product(a.into(), b.into())),
            1 => (inner.clone(), 0..3u32).prop_map(|(a, n)| Power(a.into(), n)),
        ]
    })
}

fn written(p: &Polynomial) -> String {
    match p {
        Variable(i) => NAMES[*i].to_owned(),
        Number(n) => n.to_string(),
        Sum(a, b) => format!("({} + {})", written(a), written(b)),
        Product(a, b) => format!("({} * {})", written(a), written(b)),
        Power(a, n) => format!("({} ^ {n})", written(a)),
    }
}

/// The same, multiplied out, the other way round.
fn expanded(p: &Polynomial) -> Polynomial {
    match p {
        Variable(_) | Number(_) => p.clone(),
        Sum(a, b) => Sum(expanded(b).into(), expanded(a).into()),
        Product(a, b) => times(expanded(b), expanded(a)),
        Power(a, n) => (0..*n).fold(Number(1), |power, _| times(expanded(a), power)),
    }
}

fn times(a: Polynomial, b: Polynomial) -> Polynomial {
    match (a, b) {
        (Sum(x, y), b) => Sum(times(*y, b.clone()).into(), times(*x, b).into()),
        (a, Sum(x, y)) => Sum(times(a.clone(), *x).into(), times(a, *y).into()),
        (a, b) => Product(a.into(), b.into()),
    }
}

/// Whether the relation holds between `Σ left · variables + constant` and the same on the right.
#[derive(Clone, Debug)]
struct Fact {
    left: [u64; 3],
    right: [u64; 3],
    constants: (u64, u64),
    relation: usize,
}

const RELATIONS: [&str; 6] = ["≤", "<", "=", "≠", "≥", ">"];

fn fact() -> impl Strategy<Value = Fact> {
    let side = || prop::array::uniform3(prop_oneof![3 => Just(0u64), 3 => Just(1), 2 => 2u64..5]);
    (side(), side(), (0u64..7, 0u64..7), 0..6usize).prop_map(|(left, right, constants, relation)| Fact {
        left,
        right,
        constants,
        relation,
    })
}

fn side(coefficients: [u64; 3], constant: u64) -> String {
    let terms = coefficients.iter().zip(NAMES).filter(|(k, _)| **k != 0);
    let mut terms: Vec<String> = terms.map(|(k, x)| format!("{k} * {x}")).collect();
    terms.push(constant.to_string());
    terms.join(" + ")
}

impl Fact {
    fn written(&self) -> String {
        let (left, right) = (side(self.left, self.constants.0), side(self.right, self.constants.1));
        format!("{left} {} {right}", RELATIONS[self.relation])
    }

    fn holds(&self, at: [u64; 3]) -> bool {
        let value = |k: [u64; 3], c: u64| c + k.iter().zip(at).map(|(k, x)| k * x).sum::<u64>();
        let (a, b) = (value(self.left, self.constants.0), value(self.right, self.constants.1));
        [a <= b, a < b, a == b, a != b, a >= b, a > b][self.relation]
    }
}

fn hypotheses(facts: &[Fact]) -> String {
    facts.iter().enumerate().map(|(i, f)| format!("(h{i} : {}) ", f.written())).collect()
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn ring_proves_what_is_multiplied_out(p in polynomial()) {
        let goal = format!(": {} = {}", written(&p), written(&expanded(&p)));
        prop_assert_eq!(is_proved(&goal, "ring"), Ok(()));
    }

    /// On bounded variables, `omega` finds a proof exactly where there is no counterexample.
    #[test]
    fn omega_decides_bounded_systems(facts in prop::collection::vec(fact(), 1..4), goal in fact()) {
        const BOUND: u64 = 4;
        let mut points = (0..=BOUND).flat_map(|x| (0..=BOUND).flat_map(move |y| (0..=BOUND).map(move |z| [x, y, z])));
        let fails = points.find(|at| facts.iter().all(|f| f.holds(*at)) && !goal.holds(*at));
        let bounds = NAMES.map(|x| format!("(small_{x} : {x} ≤ {BOUND}) ")).concat();
        let proved = is_proved(&format!("{bounds}{}: {}", hypotheses(&facts), goal.written()), "omega");
        match fails {
            Some(at) => prop_assert!(proved.expect_err("a counterexample").contains("does not prove"), "{at:?}"),
            None => prop_assert_eq!(proved, Ok(())),
        }
    }

    /// Facts added up so many times, with something to spare.
    #[test]
    fn omega_finds_combinations(
        facts in prop::collection::vec((fact(), 0..4u64), 1..5),
        spare in prop::array::uniform3(0..3u64),
    ) {
        let mut sum = Fact { left: [0; 3], right: spare, constants: (0, 1), relation: 0 };
        let facts: Vec<(Fact, u64)> = facts.into_iter().map(|(f, k)| (Fact { relation: 0, ..f }, k)).collect();
        for (fact, times) in &facts {
            for i in 0..3 {
                sum.left[i] += times * fact.left[i];
                sum.right[i] += times * fact.right[i];
            }
            sum.constants.0 += times * fact.constants.0;
            sum.constants.1 += times * fact.constants.1;
        }
        let facts: Vec<Fact> = facts.into_iter().map(|(f, _)| f).collect();
        let goal = format!("{}: {}", hypotheses(&facts), sum.written());
        prop_assert_eq!(is_proved(&goal, "omega"), Ok(()));
    }
}
