//! Contradictions between linear facts about natural numbers, by Fourier–Motzkin elimination with rounding.
//!
//! This module works on integers only; its result is a certificate, which `refute` turns into a proof. A number that
//! exceeds the range of `i128` ends the search without a result.

use rustc_hash::FxHashMap;

use crate::budget::{self, Account};

/// Maximum number of facts at a time.
const MAX_ROWS: usize = 600;

/// The origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// One of the given facts.
    Given(usize),
    /// A variable is not negative.
    NotNegative(usize),
    /// A fact that was rounded.
    Rounded(usize),
}

/// Facts with multipliers; negative for a reversed equation.
pub(super) type Combination = Vec<(Source, i128)>;

/// `Σ coefficients · variables + constant ≤ 0`, or `= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) coefficients: Vec<i128>,
    pub(super) constant: i128,
    pub(super) is_equation: bool,
}

/// A fact divided by the common factor of its coefficients, the constant rounded up.
#[derive(Clone, Debug)]
pub(super) struct Rounding {
    /// Their sum is `by` times the fact before rounding.
    pub(super) of: Combination,
    pub(super) by: i128,
    /// The fact after rounding.
    pub(super) row: Row,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// Their sum is `c ≤ 0` with positive `c`.
    Contradiction(Combination),
    /// Values for which all facts hold.
    Model(Vec<i128>),
    /// Undecided: split on whether this variable is at most this number.
    Split(usize, i128),
    /// Too many facts, or too large numbers.
    TooHard,
}

/// A row with its origin: the sum of `of` is `divisor` times the row.
#[derive(Clone, Debug)]
struct Derived {
    row: Row,
    of: Combination,
    divisor: i128,
}

impl Derived {
    /// An equation with its sides exchanged.
    fn opposite(&self) -> Step<Self> {
        let coefficients = self.row.coefficients.iter().map(|k| -k).collect();
        let row = Row { coefficients, constant: -self.row.constant, is_equation: true };
        Ok(Self { row, of: summed(&self.of, -1, &Vec::new(), 1)?, divisor: self.divisor })
    }
}

/// Why a search ended early.
enum Stop {
    Contradiction(Combination),
    TooHard,
}

type Step<T> = Result<T, Stop>;

struct Search {
    rows: Vec<Derived>,
    /// The index of the inequality with these coefficients.
    places: FxHashMap<Vec<i128>, usize>,
    roundings: Vec<Rounding>,
    /// The memory of all this.
    memory: Account,
}

/// Looks for a contradiction between facts, whose variables are natural numbers.
pub(super) fn search(n_variables: usize, facts: &[Row]) -> (Outcome, Vec<Rounding>) {
    let (places, memory) = (FxHashMap::default(), Account::default());
    let mut search = Search { rows: Vec::new(), places, roundings: Vec::new(), memory };
    let outcome = match search.run(n_variables, facts) {
        Ok(outcome) => outcome,
        Err(Stop::Contradiction(of)) => Outcome::Contradiction(of),
        Err(Stop::TooHard) => Outcome::TooHard,
    };
    (outcome, search.roundings)
}

fn checked(n: Option<i128>) -> Step<i128> {
    // The negation of the smallest number overflows.
    n.filter(|n| *n != i128::MIN).ok_or(Stop::TooHard)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(i128::MAX)
}

fn divided_up(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}

/// A linear combination of two combinations.
fn summed(a: &Combination, k: i128, b: &Combination, l: i128) -> Step<Combination> {
    let mut sum: Combination = Vec::with_capacity(a.len() + b.len());
    // Each is merged with those before.
    budget::visits((a.len() + b.len()).pow(2) / 8);
    let scaled_a = a.iter().map(|(s, n)| (*s, *n, k));
    let scaled_b = b.iter().map(|(s, n)| (*s, *n, l));
    for (source, n, times) in scaled_a.chain(scaled_b) {
        let n = checked(n.checked_mul(times))?;
        match sum.iter_mut().find(|(s, _)| *s == source) {
            Some((_, m)) => *m = checked(m.checked_add(n))?,
            None => sum.push((source, n)),
        }
    }
    sum.retain(|(_, n)| *n != 0);
    Ok(sum)
}

/// `k · a + l · b`, an equation if both are. Equations may have negative multipliers.
fn combined(a: &Derived, k: i128, b: &Derived, l: i128) -> Step<Derived> {
    let scale = |x: i128, y: i128| -> Step<i128> {
        let (x, y) = (checked(x.checked_mul(k))?, checked(y.checked_mul(l))?);
        checked(x.checked_add(y))
    };
    let pairs = a.row.coefficients.iter().zip(&b.row.coefficients);
    let coefficients = pairs.map(|(x, y)| scale(*x, *y)).collect::<Step<Vec<i128>>>()?;
    let constant = scale(a.row.constant, b.row.constant)?;
    let common = gcd(a.divisor, b.divisor);
    let divisor = checked(a.divisor.checked_mul(b.divisor / common))?;
    let times_a = checked(k.checked_mul(divisor / a.divisor))?;
    let times_b = checked(l.checked_mul(divisor / b.divisor))?;
    let is_equation = a.row.is_equation && b.row.is_equation;
    let of = summed(&a.of, times_a, &b.of, times_b)?;
    Ok(Derived { row: Row { coefficients, constant, is_equation }, of, divisor })
}

impl Search {
    fn run(&mut self, n_variables: usize, facts: &[Row]) -> Step<Outcome> {
        let mut equations = Vec::new();
        for (at, row) in facts.iter().enumerate() {
            let derived = Derived { row: row.clone(), of: vec![(Source::Given(at), 1)], divisor: 1 };
            self.add(derived, &mut equations)?;
        }
        for variable in 0..n_variables {
            let mut coefficients = vec![0; n_variables];
            coefficients[variable] = -1;
            let row = Row { coefficients, constant: 0, is_equation: false };
            let of = vec![(Source::NotNegative(variable), 1)];
            self.add(Derived { row, of, divisor: 1 }, &mut equations)?;
        }
        let mut eliminated: Vec<(usize, Vec<Row>)> = Vec::new();
        self.substitute(&mut equations, &mut eliminated)?;
        while let Some(variable) = self.cheapest(n_variables) {
            eliminated.push((variable, self.eliminate(variable)?));
        }
        Ok(model(n_variables, &eliminated))
    }

    /// Adds a fact, divided by the common factor of its coefficients. An equation that cannot hold for integers becomes
    /// two inequalities, whose rounding shows it.
    fn add(&mut self, mut derived: Derived, equations: &mut Vec<Derived>) -> Step<()> {
        budget::step();
        let row = &mut derived.row;
        // Charge for keeping it, or its normal form.
        let sizes = row.coefficients.len() + derived.of.len();
        budget::visits(sizes);
        self.memory.take(2 * sizes * size_of::<(Source, i128)>());
        let common = row.coefficients.iter().fold(0, |g, k| gcd(g, *k));
        if common == 0 {
            let is_wrong = row.constant > 0 || (row.is_equation && row.constant != 0);
            let sign = if row.constant < 0 { -1 } else { 1 };
            return match is_wrong {
                true => Err(Stop::Contradiction(summed(&derived.of, sign, &Vec::new(), 1)?)),
                false => Ok(()),
            };
        }
        let is_exact = row.constant % common == 0;
        if row.is_equation && !is_exact {
            for mut half in [derived.opposite()?, derived] {
                half.row.is_equation = false;
                self.add(half, equations)?;
            }
            return Ok(());
        }
        if common > 1 {
            row.coefficients.iter_mut().for_each(|k| *k /= common);
            row.constant = divided_up(row.constant, common);
            derived.divisor = checked(derived.divisor.checked_mul(common))?;
        }
        if !is_exact {
            let rounding = Rounding { of: derived.of, by: derived.divisor, row: derived.row.clone() };
            derived.of = vec![(Source::Rounded(self.roundings.len()), 1)];
            derived.divisor = 1;
            self.roundings.push(rounding);
        }
        if derived.row.is_equation {
            equations.push(derived);
            return Ok(());
        }
        // Of two with equal coefficients, the stronger.
        match self.places.get(&derived.row.coefficients) {
            Some(at) => {
                if self.rows[*at].row.constant < derived.row.constant {
                    self.rows[*at] = derived;
                }
            }
            None => {
                self.places.insert(derived.row.coefficients.clone(), self.rows.len());
                self.rows.push(derived);
            }
        }
        if self.rows.len() > MAX_ROWS { Err(Stop::TooHard) } else { Ok(()) }
    }

    /// Uses each equation to eliminate a variable. If its coefficient is 1, the variable is eliminated everywhere;
    /// otherwise from the other equations only, and the equation becomes two inequalities.
    fn substitute(
        &mut self,
        equations: &mut Vec<Derived>,
        eliminated: &mut Vec<(usize, Vec<Row>)>,
    ) -> Step<()> {
        while let Some((at, variable, size)) = next_equation(equations) {
            let equation = equations.swap_remove(at);
            let mut others = std::mem::take(equations);
            if size == 1 {
                others.append(&mut self.rows);
                self.places.clear();
            }
            let own = equation.row.coefficients[variable];
            for other in others {
                let k = other.row.coefficients[variable];
                let common = gcd(own, k);
                let other = match k {
                    0 => other,
                    _ => combined(&other, size / common, &equation, -k * own.signum() / common)?,
                };
                self.add(other, equations)?;
            }
            if size == 1 {
                eliminated.push((variable, vec![equation.row]));
                continue;
            }
            for mut half in [equation.opposite()?, equation] {
                half.row.is_equation = false;
                self.add(half, equations)?;
            }
        }
        Ok(())
    }

    /// The variable that is cheapest to eliminate; exact eliminations first.
    fn cheapest(&self, n_variables: usize) -> Option<usize> {
        let cost = |variable: usize| {
            let column = || self.rows.iter().map(|d| d.row.coefficients[variable]);
            let (above, below) = (column().filter(|k| *k > 0).count(), column().filter(|k| *k < 0).count());
            let is_exact = column().all(|k| k <= 1) || column().all(|k| k >= -1);
            budget::visits(2 * self.rows.len());
            (above + below > 0).then_some((!is_exact, above * below, variable))
        };
        (0..n_variables).filter_map(cost).min().map(|(_, _, variable)| variable)
    }

    /// Combines the upper bounds of a variable with its lower bounds. Returns the bounds.
    fn eliminate(&mut self, variable: usize) -> Step<Vec<Row>> {
        self.places.clear();
        let (mut above, mut below, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        let mut equations = Vec::new();
        for derived in std::mem::take(&mut self.rows) {
            let k = derived.row.coefficients[variable];
            if k == 0 {
                self.places.insert(derived.row.coefficients.clone(), self.rows.len());
                self.rows.push(derived);
                continue;
            }
            bounds.push(derived.row.clone());
            if k > 0 { above.push(derived) } else { below.push(derived) }
        }
        for upper in &above {
            for lower in &below {
                let (a, b) = (upper.row.coefficients[variable], -lower.row.coefficients[variable]);
                let common = gcd(a, b);
                self.add(combined(upper, b / common, lower, a / common)?, &mut equations)?;
            }
        }
        Ok(bounds)
    }
}

/// The equation to use next, with its variable and the size of the coefficient: preferably 1, otherwise
/// a variable that another equation has too.
fn next_equation(equations: &[Derived]) -> Option<(usize, usize, i128)> {
    let occurrences = |variable: usize| {
        budget::visits(equations.len());
        let with = equations.iter().filter(|e| e.row.coefficients[variable] != 0);
        with.count()
    };
    let candidates = equations.iter().enumerate().flat_map(|(at, e)| {
        budget::visits(e.row.coefficients.len());
        let coefficients = e.row.coefficients.iter().enumerate().filter(|(_, k)| **k != 0);
        coefficients.map(move |(variable, k)| (at, variable, k.abs()))
    });
    candidates.min_by_key(|(_, variable, size)| match size {
        1 => (false, false, 1),
        size => (true, occurrences(*variable) == 1, *size),
    })
}

/// Values that satisfy the bounds, from the variable eliminated last to the first.
fn model(n_variables: usize, eliminated: &[(usize, Vec<Row>)]) -> Outcome {
    let mut values = vec![0i128; n_variables];
    for (variable, bounds) in eliminated.iter().rev() {
        let (mut least, mut most) = (0i128, None::<i128>);
        for row in bounds {
            let pairs = row.coefficients.iter().zip(&values).enumerate().filter(|(i, _)| i != variable);
            let mut rest = pairs.map(|(_, (k, v))| k.checked_mul(*v));
            let rest = rest.try_fold(row.constant, |sum, n| sum.checked_add(n?));
            let Some(rest) = rest.filter(|r| *r != i128::MIN) else { return Outcome::TooHard };
            let k = row.coefficients[*variable];
            // k · x + rest ≤ 0
            if k < 0 || row.is_equation {
                let bound = divided_up(if k < 0 { rest } else { -rest }, k.abs());
                least = least.max(bound);
            }
            if k > 0 || row.is_equation {
                let bound = (if k > 0 { -rest } else { rest }).div_euclid(k.abs());
                most = Some(most.map_or(bound, |m| m.min(bound)));
            }
        }
        if most.is_some_and(|most| most < least) {
            return Outcome::Split(*variable, least - 1);
        }
        values[*variable] = least;
    }
    Outcome::Model(values)
}
