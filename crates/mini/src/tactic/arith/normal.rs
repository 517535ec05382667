//! Normal forms of polynomials, and operations on them that prove what they compute.
//!
//! A polynomial is a sum `m₁ + (m₂ + … + c)` of products `x ^ e * (y ^ d * … * k)`. The bases of a product and the
//! products of a sum are in order; coefficients are literals other than 0. An operation returns the result with
//! a proof that the operation on the terms equals the term of the result.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::BigUint;

use super::{is_one, is_zero, lemma, operation, reflexive};
use crate::budget;
use crate::elab::context::{MetaContext, Result};
use crate::elab::whnf::constant;
use crate::kernel::env::Operation;
use crate::kernel::term::{Term, deeper, drop_deeper};

/// A polynomial. Clones share their data.
#[derive(Clone, Debug)]
pub(super) struct Sum(Arc<(SumForm, Term)>);

impl Drop for Sum {
    /// There may be many summands, which are nested.
    fn drop(&mut self) {
        if let Some((form, _)) = Arc::get_mut(&mut self.0)
            && matches!(form, SumForm::Plus(..))
        {
            drop_deeper(std::mem::replace(form, SumForm::Constant(BigUint::ZERO)));
        }
    }
}

/// The forms of polynomials.
#[derive(Debug)]
pub(super) enum SumForm {
    Constant(BigUint),
    Plus(Product, Sum),
}

/// A product with its coefficient. Clones share their data.
#[derive(Clone, Debug)]
pub(super) struct Product(Arc<(ProductForm, Term)>);

impl Drop for Product {
    /// There may be many factors, which are nested.
    fn drop(&mut self) {
        if let Some((form, _)) = Arc::get_mut(&mut self.0)
            && matches!(form, ProductForm::Times(..))
        {
            drop_deeper(std::mem::replace(form, ProductForm::Coefficient(BigUint::ZERO)));
        }
    }
}

/// The forms of products.
#[derive(Debug)]
pub(super) enum ProductForm {
    Coefficient(BigUint),
    Times(Factor, Product),
}

/// A power of an atom.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    /// The number of the base.
    pub(super) base: usize,
    /// The base itself.
    pub(super) of: Term,
    /// The exponent, which is not 0.
    pub(super) exponent: Sum,
    term: Term,
}

impl Sum {
    /// A literal.
    pub(super) fn constant(n: impl Into<BigUint>) -> Self {
        let n = n.into();
        let term = Term::lit(n.clone());
        Self(Arc::new((SumForm::Constant(n), term)))
    }

    /// A product and what comes after it.
    pub(super) fn plus(product: Product, rest: Self) -> Self {
        let term = operation("Nat.add", product.term(), rest.term());
        Self(Arc::new((SumForm::Plus(product, rest), term)))
    }

    /// A product alone.
    pub(super) fn single(product: Product) -> Self {
        Self::plus(product, Self::constant(0u32))
    }

    /// Its form.
    pub(super) fn form(&self) -> &SumForm {
        &self.0.0
    }

    /// The polynomial as a term.
    pub(super) fn term(&self) -> &Term {
        &self.0.1
    }

    /// Its value, if it is a number.
    pub(super) fn as_constant(&self) -> Option<&BigUint> {
        match self.form() {
            SumForm::Constant(n) => Some(n),
            SumForm::Plus(..) => None,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        budget::visits(1);
        deeper(|| self.compare_forms(other))
    }

    fn compare_forms(&self, other: &Self) -> Ordering {
        match (self.form(), other.form()) {
            (SumForm::Constant(a), SumForm::Constant(b)) => a.cmp(b),
            (SumForm::Constant(_), SumForm::Plus(..)) => Ordering::Less,
            (SumForm::Plus(..), SumForm::Constant(_)) => Ordering::Greater,
            (SumForm::Plus(m, p), SumForm::Plus(n, q)) => {
                m.compare(n).then_with(|| m.coefficient().cmp(n.coefficient())).then_with(|| p.compare(q))
            }
        }
    }
}

impl Product {
    /// A literal.
    pub(super) fn coefficient_alone(n: BigUint) -> Self {
        let term = Term::lit(n.clone());
        Self(Arc::new((ProductForm::Coefficient(n), term)))
    }

    /// A factor and what comes after it.
    pub(super) fn times(factor: Factor, rest: Self) -> Self {
        let term = operation("Nat.mul", &factor.term, rest.term());
        Self(Arc::new((ProductForm::Times(factor, rest), term)))
    }

    /// Its form.
    pub(super) fn form(&self) -> &ProductForm {
        &self.0.0
    }

    /// The product as a term.
    pub(super) fn term(&self) -> &Term {
        &self.0.1
    }

    /// Its coefficient.
    pub(super) fn coefficient(&self) -> &BigUint {
        let mut at = self;
        loop {
            budget::visits(1);
            match at.form() {
                ProductForm::Coefficient(n) => return n,
                ProductForm::Times(_, rest) => at = rest,
            }
        }
    }

    /// The order of products, whatever their coefficients.
    fn compare(&self, other: &Self) -> Ordering {
        budget::visits(1);
        deeper(|| self.compare_forms(other))
    }

    fn compare_forms(&self, other: &Self) -> Ordering {
        match (self.form(), other.form()) {
            (ProductForm::Coefficient(_), ProductForm::Coefficient(_)) => Ordering::Equal,
            (ProductForm::Coefficient(_), ProductForm::Times(..)) => Ordering::Greater,
            (ProductForm::Times(..), ProductForm::Coefficient(_)) => Ordering::Less,
            (ProductForm::Times(f, m), ProductForm::Times(g, n)) => {
                f.base.cmp(&g.base).then_with(|| f.exponent.compare(&g.exponent)).then_with(|| m.compare(n))
            }
        }
    }
}

impl Factor {
    /// A power of the base with this number.
    pub(super) fn new(base: usize, of: Term, exponent: Sum) -> Self {
        let term = operation("Nat.pow", &of, exponent.term());
        Self { base, of, exponent, term }
    }
}

/// `a + b`
pub(super) fn add(ctx: &mut MetaContext<'_>, a: &Sum, b: &Sum) -> Result<(Sum, Term)> {
    budget::step();
    let before = |ctx: &mut MetaContext<'_>, name: &str, m: &Product, p: &Sum, q: &Sum| -> Result<_> {
        let (r, h) = deeper(|| add(ctx, p, q))?;
        let proof = lemma(name, [m.term().clone(), p.term().clone(), q.term().clone(), r.term().clone(), h]);
        Ok((Sum::plus(m.clone(), r), proof))
    };
    let (lt, gt) = ("Nat.Linear.add_lt", "Nat.Linear.add_gt");
    match (a.form(), b.form()) {
        (SumForm::Constant(n), _) if is_zero(n) => Ok((b.clone(), lemma("Nat.zero_add", [b.term().clone()]))),
        (_, SumForm::Constant(n)) if is_zero(n) => Ok((a.clone(), lemma("Nat.add_zero", [a.term().clone()]))),
        (SumForm::Constant(n), SumForm::Constant(m)) => {
            let sum = Sum::constant(n + m);
            let proof = reflexive(sum.term());
            Ok((sum, proof))
        }
        (SumForm::Plus(m, p), SumForm::Constant(_)) => before(ctx, lt, m, p, b),
        (SumForm::Constant(_), SumForm::Plus(n, q)) => before(ctx, gt, n, a, q),
        (SumForm::Plus(m, p), SumForm::Plus(n, q)) => match m.compare(n) {
            Ordering::Less => before(ctx, lt, m, p, b),
            Ordering::Greater => before(ctx, gt, n, a, q),
            Ordering::Equal => {
                let (o, h) = add_products(m, n);
                let (r, k) = deeper(|| add(ctx, p, q))?;
                let terms = [m, n, &o].map(|t| t.term().clone());
                let rests = [p, q, &r].map(|t| t.term().clone());
                let proof = Term::apps(constant("Nat.Linear.add_eq"), terms.into_iter().chain(rests));
                let proof = Term::apps(proof, [h, k]);
                Ok((Sum::plus(o, r), proof))
            }
        },
    }
}

/// The sum of two products that differ in their coefficients only.
fn add_products(m: &Product, n: &Product) -> (Product, Term) {
    match (m.form(), n.form()) {
        (ProductForm::Times(f, m), ProductForm::Times(_, n)) => {
            let (o, h) = deeper(|| add_products(m, n));
            let terms = [f.term.clone(), m.term().clone(), n.term().clone(), o.term().clone(), h];
            (Product::times(f.clone(), o), lemma("Nat.Linear.product_add", terms))
        }
        _ => {
            let sum = Product::coefficient_alone(m.coefficient() + n.coefficient());
            let proof = reflexive(sum.term());
            (sum, proof)
        }
    }
}

pub(super) fn multiply_products(
    ctx: &mut MetaContext<'_>,
    m: &Product,
    n: &Product,
) -> Result<(Product, Term)> {
    budget::step();
    use ProductForm::{Coefficient, Times};
    // The factor goes in front of the product of the others.
    let front = |ctx: &mut MetaContext<'_>, name: &str, f: &Factor, m: &Product, n: &Product| -> Result<_> {
        let (o, h) = deeper(|| multiply_products(ctx, m, n))?;
        let proof = [f.term.clone(), m.term().clone(), n.term().clone(), o.term().clone(), h];
        Ok((Product::times(f.clone(), o), lemma(name, proof)))
    };
    let (lt, gt) = ("Nat.Linear.mul_lt", "Nat.Linear.mul_gt");
    match (m.form(), n.form()) {
        (Coefficient(k), _) if is_one(k) => Ok((n.clone(), lemma("Nat.one_mul", [n.term().clone()]))),
        (_, Coefficient(k)) if is_one(k) => Ok((m.clone(), lemma("Nat.mul_one", [m.term().clone()]))),
        (Coefficient(j), Coefficient(k)) => {
            let product = Product::coefficient_alone(j * k);
            let proof = reflexive(product.term());
            Ok((product, proof))
        }
        (Times(f, rest), Coefficient(_)) => front(ctx, lt, f, rest, n),
        (Coefficient(_), Times(g, rest)) => front(ctx, gt, g, m, rest),
        (Times(f, first), Times(g, second)) => match f.base.cmp(&g.base) {
            Ordering::Less => front(ctx, lt, f, first, n),
            Ordering::Greater => front(ctx, gt, g, m, second),
            Ordering::Equal => {
                let (exponent, h) = add(ctx, &f.exponent, &g.exponent)?;
                let (o, k) = deeper(|| multiply_products(ctx, first, second))?;
                let exponents = [&f.exponent, &g.exponent, &exponent].map(|e| e.term().clone());
                let products = [first, second, &o].map(|p| p.term().clone());
                let all = [f.of.clone()].into_iter().chain(exponents).chain(products).chain([h, k]);
                let proof = Term::apps(constant("Nat.Linear.mul_eq"), all);
                let factor = Factor::new(f.base, f.of.clone(), exponent);
                Ok((Product::times(factor, o), proof))
            }
        },
    }
}

/// `m * b`
pub(super) fn multiply_by(ctx: &mut MetaContext<'_>, m: &Product, b: &Sum) -> Result<(Sum, Term)> {
    budget::step();
    if is_one(m.coefficient()) && matches!(m.form(), ProductForm::Coefficient(_)) {
        return Ok((b.clone(), lemma("Nat.one_mul", [b.term().clone()])));
    }
    match b.form() {
        SumForm::Constant(n) if is_zero(n) => Ok((b.clone(), lemma("Nat.mul_zero", [m.term().clone()]))),
        SumForm::Constant(n) => {
            let (product, h) = multiply_products(ctx, m, &Product::coefficient_alone(n.clone()))?;
            if let ProductForm::Coefficient(n) = product.form() {
                return Ok((Sum::constant(n.clone()), h));
            }
            let whole = operation("Nat.mul", m.term(), b.term());
            let proof = lemma("Nat.Linear.plus_zero", [whole, product.term().clone(), h]);
            Ok((Sum::single(product), proof))
        }
        SumForm::Plus(n, q) => {
            let (u, h) = multiply_products(ctx, m, n)?;
            let (v, k) = deeper(|| multiply_by(ctx, m, q))?;
            let (w, l) = add(ctx, &Sum::single(u.clone()), &v)?;
            let products = [m.term(), n.term(), q.term(), u.term(), v.term(), w.term()].map(Term::clone);
            let proof = Term::apps(constant("Nat.Linear.product_times"), products);
            Ok((w, Term::apps(proof, [h, k, l])))
        }
    }
}

/// `a * b`
pub(super) fn multiply(ctx: &mut MetaContext<'_>, a: &Sum, b: &Sum) -> Result<(Sum, Term)> {
    match (a.form(), b.form()) {
        (SumForm::Constant(n), _) if is_zero(n) => Ok((a.clone(), lemma("Nat.zero_mul", [b.term().clone()]))),
        (_, SumForm::Constant(n)) if is_zero(n) => Ok((b.clone(), lemma("Nat.mul_zero", [a.term().clone()]))),
        (SumForm::Constant(n), _) => multiply_by(ctx, &Product::coefficient_alone(n.clone()), b),
        (SumForm::Plus(m, p), _) => {
            let (u, h) = multiply_by(ctx, m, b)?;
            if p.as_constant().is_some_and(is_zero) {
                let terms = [m.term().clone(), b.term().clone(), u.term().clone(), h];
                return Ok((u, lemma("Nat.Linear.single_times", terms)));
            }
            let (v, k) = deeper(|| multiply(ctx, p, b))?;
            let (w, l) = add(ctx, &u, &v)?;
            let sums = [m.term(), p.term(), b.term(), u.term(), v.term(), w.term()].map(Term::clone);
            let proof = Term::apps(constant("Nat.Linear.sum_times"), sums);
            Ok((w, Term::apps(proof, [h, k, l])))
        }
    }
}

/// The value of a power of literals; `None` when it would be large.
pub(super) fn literal_power(n: &BigUint, e: &BigUint) -> Option<BigUint> {
    /// Maximum number of digits to compute.
    const MAX_BITS: u64 = 1 << 20;
    let exponent = u64::try_from(e).ok()?;
    (n.bits().checked_mul(exponent)? <= MAX_BITS).then(|| Operation::Pow.compute(n, e)).flatten()
}
