//! Normalises terms.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::normal::{
    Factor, Product, ProductForm, Sum, SumForm, add, literal_power, multiply, multiply_by, multiply_products,
};
use super::{is_one, is_zero, lemma, operation, reflexive};
use crate::budget;
use crate::elab::context::{MetaContext, Result};
use crate::elab::whnf::constant;
use crate::kernel::term::{Kind, Term, deeper};

/// Powers of sums above this are not expanded.
const MAX_EXPONENT: u32 = 64;

/// The normal form of a term, and the proof that both are equal; `None` when they are the same.
pub(super) type Normal = (Sum, Option<Term>);

/// Normalizes terms, and records the atoms.
#[derive(Default)]
pub(super) struct Evaluator {
    /// The atoms, in order of appearance.
    pub(super) atoms: Vec<Term>,
    /// Whether products of non-literals are atoms.
    is_linear: bool,
    numbers: FxHashMap<Term, usize>,
    known: FxHashMap<Term, Normal>,
}

impl Evaluator {
    /// A normalizer that treats products as atoms, unless a factor is a literal.
    pub(super) fn linear() -> Self {
        Self { is_linear: true, ..Self::default() }
    }

    /// The normal form of a term without assigned metavariables.
    pub(super) fn evaluate(&mut self, ctx: &mut MetaContext<'_>, term: &Term) -> Result<Normal> {
        budget::step();
        if let Some(known) = self.known.get(term) {
            return Ok(known.clone());
        }
        let normal = deeper(|| self.evaluate_form(ctx, term))?;
        self.known.insert(term.clone(), normal.clone());
        Ok(normal)
    }

    fn evaluate_form(&mut self, ctx: &mut MetaContext<'_>, term: &Term) -> Result<Normal> {
        let (head, args) = term.head_args();
        let name = match head.kind() {
            Kind::Lit(n) => return Ok((Sum::constant(n.clone()), None)),
            Kind::Const(name, _) => &**name,
            Kind::Lambda(..) | Kind::Let(..) => {
                let next = ctx.whnf_core(term)?;
                return if next == *term { self.atom(ctx, term) } else { self.evaluate(ctx, &next) };
            }
            _ => return self.atom(ctx, term),
        };
        match (name, args.as_slice()) {
            ("Nat.zero", []) => Ok((Sum::constant(0u32), None)),
            ("Nat.succ", [a]) => {
                let (sum, proof) = self.evaluate(ctx, a)?;
                let (result, h) = add(ctx, &sum, &Sum::constant(1u32))?;
                let terms = [(*a).clone(), sum.term().clone(), result.term().clone(), proven(proof, &sum), h];
                Ok((result, Some(lemma("Nat.Linear.succ_congr", terms))))
            }
            ("Nat.add" | "Nat.mul" | "Nat.pow", [a, b]) => {
                let (x, hx) = self.evaluate(ctx, a)?;
                let (y, hy) = self.evaluate(ctx, b)?;
                let is_atom = self.is_linear
                    && match name {
                        "Nat.mul" => x.as_constant().or(y.as_constant()).is_none(),
                        "Nat.pow" => {
                            let both = x.as_constant().zip(y.as_constant());
                            both.and_then(|(n, e)| literal_power(n, e)).is_none()
                        }
                        _ => false,
                    };
                if is_atom {
                    return self.atom(ctx, term);
                }
                let (congr, (result, h)) = match name {
                    "Nat.add" => ("Nat.Linear.add_congr", add(ctx, &x, &y)?),
                    "Nat.mul" => ("Nat.Linear.mul_congr", multiply(ctx, &x, &y)?),
                    _ => ("Nat.Linear.pow_congr", self.power(ctx, &x, &y)?),
                };
                if hx.is_none() && hy.is_none() {
                    return Ok((result, Some(h)));
                }
                let sums = [&x, &y, &result].map(|s| s.term().clone());
                let terms = [(*a).clone(), (*b).clone()].into_iter().chain(sums);
                let proof = Term::apps(constant(congr), terms);
                Ok((result, Some(Term::apps(proof, [proven(hx, &x), proven(hy, &y), h]))))
            }
            (name, _) if ctx.theory.is_reducible(name) => {
                let next = ctx.whnf_reducible(term)?;
                let next = ctx.instantiate(&next);
                if next == *term { self.atom(ctx, term) } else { self.evaluate(ctx, &next) }
            }
            _ => self.atom(ctx, term),
        }
    }

    /// An atom.
    fn atom(&mut self, ctx: &mut MetaContext<'_>, term: &Term) -> Result<Normal> {
        let number = self.number(ctx, term)?;
        let of = self.atoms[number].clone();
        let proof = lemma("Nat.Linear.atom", [of.clone()]);
        Ok((power_of(number, of, Sum::constant(1u32)), Some(proof)))
    }

    /// The number of an atom; equal atoms share a number.
    fn number(&mut self, ctx: &mut MetaContext<'_>, term: &Term) -> Result<usize> {
        if let Some(number) = self.numbers.get(term) {
            return Ok(*number);
        }
        let is_application = |t: &Term| matches!(t.kind(), Kind::App(..));
        let mut number = self.atoms.len();
        for (at, other) in self.atoms.iter().enumerate() {
            if is_application(term)
                && is_application(other)
                && other.head() == term.head()
                && !(term.has_meta() || other.has_meta())
                && ctx.unify(term, other)?
            {
                number = at;
                break;
            }
        }
        if number == self.atoms.len() {
            self.atoms.push(term.clone());
        }
        self.numbers.insert(term.clone(), number);
        Ok(number)
    }

    /// `a ^ e`
    fn power(&mut self, ctx: &mut MetaContext<'_>, a: &Sum, e: &Sum) -> Result<(Sum, Term)> {
        budget::step();
        if let Some(n) = e.as_constant() {
            if is_zero(n) {
                return Ok((Sum::constant(1u32), lemma("Nat.pow_zero", [a.term().clone()])));
            }
            if is_one(n) {
                return Ok((a.clone(), lemma("Nat.pow_one", [a.term().clone()])));
            }
            if let Some(value) = a.as_constant().and_then(|a| literal_power(a, n)) {
                let sum = Sum::constant(value);
                let proof = reflexive(sum.term());
                return Ok((sum, proof));
            }
        }
        match a.form() {
            SumForm::Constant(n) if is_one(n) => Ok((a.clone(), lemma("Nat.one_pow", [e.term().clone()]))),
            SumForm::Plus(m, rest) if rest.as_constant().is_some_and(is_zero) && splits(m, e) => {
                let (r, h) = self.power_of_product(ctx, m, e)?;
                let terms = [m.term().clone(), e.term().clone(), r.term().clone(), h];
                Ok((Sum::single(r), lemma("Nat.Linear.pow_single", terms)))
            }
            _ => match e.as_constant() {
                Some(n) if *n <= BigUint::from(MAX_EXPONENT) && a.as_constant().is_none() => {
                    self.repeated(ctx, a, n)
                }
                Some(_) => self.opaque_power(ctx, a, e),
                None => self.split_power(ctx, a, e),
            },
        }
    }

    /// `m ^ e`
    fn power_of_product(
        &mut self,
        ctx: &mut MetaContext<'_>,
        m: &Product,
        e: &Sum,
    ) -> Result<(Product, Term)> {
        budget::step();
        match m.form() {
            ProductForm::Coefficient(k) if is_one(k) => {
                Ok((m.clone(), lemma("Nat.one_pow", [e.term().clone()])))
            }
            ProductForm::Coefficient(k) => {
                let value = e.as_constant().and_then(|n| literal_power(k, n));
                let value =
                    value.expect("whoever asks for the power of a coefficient knows that it is a number");
                let product = Product::coefficient_alone(value);
                let proof = reflexive(product.term());
                Ok((product, proof))
            }
            ProductForm::Times(f, rest) => {
                let (exponent, h) = multiply(ctx, &f.exponent, e)?;
                let factor = Factor::new(f.base, f.of.clone(), exponent.clone());
                let u = Product::times(factor, Product::coefficient_alone(1u32.into()));
                let exponents = [&f.exponent, e, &exponent].map(|e| e.term().clone());
                let first = Term::apps(
                    constant("Nat.Linear.pow_pow"),
                    [f.of.clone()].into_iter().chain(exponents).chain([h]),
                );
                let (v, second) = deeper(|| self.power_of_product(ctx, rest, e))?;
                let (w, product) = multiply_products(ctx, &u, &v)?;
                let base = operation("Nat.pow", &f.of, f.exponent.term());
                let terms = [&base, rest.term(), e.term(), u.term(), v.term(), w.term()].map(Term::clone);
                let proof = Term::apps(constant("Nat.Linear.pow_product"), terms);
                Ok((w, Term::apps(proof, [first, second, product])))
            }
        }
    }

    /// A power by multiplication.
    fn repeated(&mut self, ctx: &mut MetaContext<'_>, a: &Sum, n: &BigUint) -> Result<(Sum, Term)> {
        budget::step();
        if is_one(n) {
            return Ok((a.clone(), lemma("Nat.pow_one", [a.term().clone()])));
        }
        let fewer = n - 1u32;
        let (b, h) = self.repeated(ctx, a, &fewer)?;
        let (c, k) = multiply(ctx, &b, a)?;
        let (fewer, n) = (Term::lit(fewer), Term::lit(n.clone()));
        let terms =
            [a.term().clone(), fewer, n.clone(), b.term().clone(), c.term().clone(), reflexive(&n), h, k];
        Ok((c, lemma("Nat.Linear.pow_step", terms)))
    }

    /// A power that is not expanded.
    fn opaque_power(&mut self, ctx: &mut MetaContext<'_>, a: &Sum, e: &Sum) -> Result<(Sum, Term)> {
        let number = self.number(ctx, a.term())?;
        let of = self.atoms[number].clone();
        let proof = lemma("Nat.Linear.pow_atom", [of.clone(), e.term().clone()]);
        Ok((power_of(number, of, e.clone()), proof))
    }

    /// A power whose exponent is not a literal; literal parts of the exponent are split off.
    fn split_power(&mut self, ctx: &mut MetaContext<'_>, a: &Sum, e: &Sum) -> Result<(Sum, Term)> {
        let (symbolic, literal) = without_constant(e);
        if is_zero(&literal) {
            return self.opaque_power(ctx, a, e);
        }
        let literal = Sum::constant(literal);
        let (sum, h) = add(ctx, &symbolic, &literal)?;
        let (u, hu) = self.opaque_power(ctx, a, &symbolic)?;
        let (v, hv) = self.power(ctx, a, &literal)?;
        let (w, hw) = multiply(ctx, &u, &v)?;
        let terms = [a, &symbolic, &literal, &sum, &u, &v, &w].map(|s| s.term().clone());
        let proof = Term::apps(constant("Nat.Linear.pow_split"), terms);
        Ok((w, Term::apps(proof, [h, hu, hv, hw])))
    }
}

/// Whether the power of a product is taken as that of its factors.
fn splits(m: &Product, e: &Sum) -> bool {
    match e.as_constant() {
        Some(n) => literal_power(m.coefficient(), n).is_some(),
        None => is_one(m.coefficient()),
    }
}

/// A power of an atom as a polynomial.
fn power_of(number: usize, of: Term, exponent: Sum) -> Sum {
    let one = Product::coefficient_alone(1u32.into());
    Sum::single(Product::times(Factor::new(number, of, exponent), one))
}

/// A polynomial without its last summand, and the last summand.
fn without_constant(sum: &Sum) -> (Sum, BigUint) {
    match sum.form() {
        SumForm::Constant(n) => (Sum::constant(0u32), n.clone()),
        SumForm::Plus(m, rest) => {
            let (rest, n) = deeper(|| without_constant(rest));
            (Sum::plus(m.clone(), rest), n)
        }
    }
}

/// A proof that a term equals its normal form.
pub(super) fn proven(proof: Option<Term>, sum: &Sum) -> Term {
    proof.unwrap_or_else(|| reflexive(sum.term()))
}

/// A polynomial of degree one from the atoms' coefficients.
pub(super) fn linear(atoms: &[Term], coefficients: &[BigUint], constant: BigUint) -> Sum {
    let mut sum = Sum::constant(constant);
    for (number, (of, k)) in atoms.iter().zip(coefficients).enumerate().rev() {
        if !is_zero(k) {
            let factor = Factor::new(number, of.clone(), Sum::constant(1u32));
            sum = Sum::plus(Product::times(factor, Product::coefficient_alone(k.clone())), sum);
        }
    }
    sum
}

/// `k * sum`
pub(super) fn scaled(ctx: &mut MetaContext<'_>, k: &BigUint, sum: &Sum) -> Result<(Sum, Term)> {
    multiply_by(ctx, &Product::coefficient_alone(k.clone()), sum)
}
