//! Builds proofs of `False` from certificates of the search for contradictions.

use std::collections::VecDeque;

use num_bigint::BigUint;

use super::evaluate::{Evaluator, linear, proven, scaled};
use super::normal::{ProductForm, Sum, SumForm, add};
use super::search::{Combination, Rounding, Row, Source};
use super::{lemma, reflexive};
use crate::budget;
use crate::elab::context::{MetaContext, Result, fail};
use crate::elab::whnf::constant;
use crate::kernel::term::Term;

/// A fact `left ≤ right`, or `left = right`.
pub(super) struct Fact {
    sides: [(Term, Sum, Option<Term>); 2],
    /// The proof of `left ≤ right`, and for an equation that of `right ≤ left`.
    proofs: (Term, Option<Term>),
}

/// An inequality between normal forms with its proof.
type Inequality = (Sum, Sum, Term);

impl Fact {
    /// Reads both sides of a fact.
    pub(super) fn new(
        ctx: &mut MetaContext<'_>,
        evaluator: &mut Evaluator,
        (left, right): (Term, Term),
        proofs: (Term, Option<Term>),
    ) -> Result<Self> {
        let (x, hx) = evaluator.evaluate(ctx, &left)?;
        let (y, hy) = evaluator.evaluate(ctx, &right)?;
        Ok(Self { sides: [(left, x, hx), (right, y, hy)], proofs })
    }

    /// The difference of its sides. `None` when a number is too large.
    pub(super) fn row(&self, n_variables: usize) -> Option<Row> {
        let [(_, left, _), (_, right, _)] = &self.sides;
        let mut row =
            Row { coefficients: vec![0; n_variables], constant: 0, is_equation: self.proofs.1.is_some() };
        row.add(left, 1)?;
        row.add(right, -1)?;
        Some(row)
    }

    /// The fact in normal form; reversed if the factor is negative.
    fn inequality(&self, is_reversed: bool) -> Result<Inequality> {
        let [left, right] = &self.sides;
        let (proof, (a, x, hx), (b, y, hy)) = match (is_reversed, &self.proofs) {
            (false, (proof, _)) => (proof, left, right),
            (true, (_, Some(proof))) => (proof, right, left),
            (true, (_, None)) => return lost(),
        };
        if hx.is_none() && hy.is_none() {
            return Ok((x.clone(), y.clone(), proof.clone()));
        }
        let terms = [a, b, x.term(), y.term()].map(Term::clone);
        let whole = Term::apps(constant("Nat.Linear.le_congr"), terms);
        let proofs = [proven(hx.clone(), x), proven(hy.clone(), y), proof.clone()];
        Ok((x.clone(), y.clone(), Term::apps(whole, proofs)))
    }
}

impl Row {
    /// Adds a multiple of a polynomial of degree one.
    pub(super) fn add(&mut self, sum: &Sum, times: i128) -> Option<()> {
        let mut at = sum;
        loop {
            let (product, rest) = match at.form() {
                SumForm::Constant(n) => {
                    let n = i128::try_from(n).ok()?;
                    self.constant = self.constant.checked_add(n.checked_mul(times)?)?;
                    return Some(());
                }
                SumForm::Plus(product, rest) => (product, rest),
            };
            let ProductForm::Times(factor, _) = product.form() else { return None };
            let k = i128::try_from(product.coefficient()).ok()?.checked_mul(times)?;
            let coefficient = self.coefficients.get_mut(factor.base)?;
            *coefficient = coefficient.checked_add(k)?;
            at = rest;
        }
    }

    /// Its value for these variables; further variables count as 0.
    pub(super) fn value(&self, variables: &[i128]) -> Option<i128> {
        let mut pairs = self.coefficients.iter().zip(variables);
        pairs.try_fold(self.constant, |sum, (k, x)| sum.checked_add(k.checked_mul(*x)?))
    }
}

/// Builds proofs of combinations.
pub(super) struct Certificate<'a> {
    pub(super) facts: &'a [Fact],
    pub(super) atoms: &'a [Term],
    pub(super) roundings: &'a [Rounding],
}

impl Certificate<'_> {
    /// A proof of `False` from a combination that says `c ≤ 0` for a positive `c`.
    pub(super) fn contradiction(&self, ctx: &mut MetaContext<'_>, of: &Combination) -> Result<Term> {
        let is_slack = |s: &Source| matches!(s, Source::NotNegative(_));
        let (slack, of): (Combination, Combination) = of.iter().partition(|(s, _)| is_slack(s));
        let (left, right, proof) = self.inequality(ctx, &of)?;
        // left = right + rest + 1
        let mut coefficients = vec![BigUint::ZERO; self.atoms.len()];
        for (source, times) in slack {
            let (Source::NotNegative(variable), Ok(times)) = (source, BigUint::try_from(times)) else {
                return lost();
            };
            coefficients[variable] = times;
        }
        let Some(rest) = difference(&left, &right).and_then(|d| BigUint::try_from(d - 1).ok()) else {
            return lost();
        };
        let rest = linear(self.atoms, &coefficients, rest);
        let (sum, h) = add(ctx, &right, &rest)?;
        let (whole, k) = add(ctx, &sum, &Sum::constant(1u32))?;
        if whole.term() != left.term() {
            return lost();
        }
        let terms = [&left, &right, &rest, &sum].map(|s| s.term().clone());
        Ok(Term::apps(Term::apps(constant("Nat.Linear.impossible"), terms), [proof, h, k]))
    }

    /// The sum of facts.
    fn inequality(&self, ctx: &mut MetaContext<'_>, of: &Combination) -> Result<Inequality> {
        let mut waiting = VecDeque::new();
        for (source, times) in of {
            budget::step();
            let next = self.fact(ctx, *source, *times < 0)?;
            waiting.push_back(multiplied(ctx, next, times.unsigned_abs().into())?);
        }
        // In pairs, then pairs of pairs, since each addition to a long sum is expensive.
        while let Some(first) = waiting.pop_front() {
            match waiting.pop_front() {
                Some(second) => waiting.push_back(added(ctx, first, second)?),
                None => return Ok(first),
            }
        }
        lost()
    }

    fn fact(&self, ctx: &mut MetaContext<'_>, source: Source, is_reversed: bool) -> Result<Inequality> {
        match source {
            Source::Given(at) => self.facts[at].inequality(is_reversed),
            Source::NotNegative(variable) => {
                let mut coefficients = vec![BigUint::ZERO; self.atoms.len()];
                coefficients[variable] = 1u32.into();
                let right = linear(self.atoms, &coefficients, BigUint::ZERO);
                let proof = lemma("Nat.zero_le", [right.term().clone()]);
                Ok((Sum::constant(0u32), right, proof))
            }
            Source::Rounded(at) => self.rounded(ctx, &self.roundings[at]),
        }
    }

    /// A fact divided by a common factor.
    fn rounded(&self, ctx: &mut MetaContext<'_>, rounding: &Rounding) -> Result<Inequality> {
        let (n, m, proof) = self.inequality(ctx, &rounding.of)?;
        let part = |sign: i128| {
            let of = |k: &i128| BigUint::try_from(k * sign).unwrap_or_default();
            let coefficients: Vec<BigUint> = rounding.row.coefficients.iter().map(of).collect();
            linear(self.atoms, &coefficients, of(&rounding.row.constant))
        };
        let (a, b) = (part(1), part(-1));
        // n + (by · b + rest) = m + by · a
        let scaled_constant = rounding.row.constant.checked_mul(rounding.by);
        let rest = difference(&n, &m).and_then(|d| scaled_constant?.checked_sub(d));
        let (Some(Ok(rest)), Ok(by)) = (rest.map(BigUint::try_from), BigUint::try_from(rounding.by)) else {
            return lost();
        };
        if rest >= by {
            return lost();
        }
        let (u, hu) = scaled(ctx, &by, &b)?;
        let (v, hv) = add(ctx, &u, &Sum::constant(rest.clone()))?;
        let (t, h) = add(ctx, &n, &v)?;
        let (w, hw) = scaled(ctx, &by, &a)?;
        let (other, k) = add(ctx, &m, &w)?;
        if other.term() != t.term() {
            return lost();
        }
        let (by, less) = (Term::lit(by.clone()), Term::lit(&by - &rest - 1u32));
        let fits = reflexive(&by);
        let terms = [n.term().clone(), m.term().clone(), by, Term::lit(rest), less];
        let sums = [&a, &b, &u, &v, &t, &w].map(|s| s.term().clone());
        let whole = Term::apps(constant("Nat.Linear.round"), terms.into_iter().chain(sums));
        Ok((a, b, Term::apps(whole, [proof, fits, hu, hv, h, hw, k])))
    }
}

/// The constant on the left minus that on the right.
fn difference(left: &Sum, right: &Sum) -> Option<i128> {
    let last = |sum: &Sum| {
        let mut at = sum;
        loop {
            match at.form() {
                SumForm::Constant(n) => return i128::try_from(n).ok(),
                SumForm::Plus(_, rest) => at = rest,
            }
        }
    };
    last(left)?.checked_sub(last(right)?)
}

fn multiplied(
    ctx: &mut MetaContext<'_>,
    (left, right, proof): Inequality,
    by: BigUint,
) -> Result<Inequality> {
    if super::is_one(&by) {
        return Ok((left, right, proof));
    }
    let (u, hu) = scaled(ctx, &by, &left)?;
    let (v, hv) = scaled(ctx, &by, &right)?;
    let sums = [&left, &right, &u, &v].map(|s| s.term().clone());
    let whole = Term::app(constant("Nat.Linear.le_mul"), Term::lit(by));
    Ok((u, v, Term::apps(Term::apps(whole, sums), [proof, hu, hv])))
}

fn added(ctx: &mut MetaContext<'_>, (a, b, h): Inequality, (c, d, k): Inequality) -> Result<Inequality> {
    let (u, hu) = add(ctx, &a, &c)?;
    let (v, hv) = add(ctx, &b, &d)?;
    let sums = [&a, &b, &c, &d, &u, &v].map(|s| s.term().clone());
    Ok((u, v, Term::apps(Term::apps(constant("Nat.Linear.le_add"), sums), [h, k, hu, hv])))
}

/// A certificate that does not fit its facts.
fn lost<T>() -> Result<T> {
    fail("It is contradictory, but no proof of that was found")
}
