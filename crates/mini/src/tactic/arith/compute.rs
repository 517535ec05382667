//! Computing with closed numbers and data, for `decide`.

use num_bigint::BigUint;

use super::decide::Verdict;
use super::formula::is_nat;
use super::normal::literal_power;
use super::{equal, lemma, operation, reflexive, symmetric};
use crate::budget;
use crate::elab::context::{Result, lambdas};
use crate::elab::infer::nat;
use crate::elab::whnf::constant;
use crate::kernel::env::Operation;
use crate::kernel::term::{Binder, Kind, Level, Term, deeper};
use crate::tactic::Tactics;
use crate::tactic::contradiction::Constructors;

/// A comparison of two numbers.
#[derive(Clone, Copy)]
pub(super) enum Comparison {
    Le,
    Lt,
    Eq,
}

impl Tactics<'_, '_> {
    /// The value of a term, with a proof if the kernel would not compute it directly.
    pub(super) fn number(&mut self, term: &Term) -> Result<(BigUint, Option<Term>)> {
        budget::step();
        deeper(|| self.number_of_form(term))
    }

    fn number_of_form(&mut self, term: &Term) -> Result<(BigUint, Option<Term>)> {
        let (head, args) = term.head_args();
        let name = match head.kind() {
            Kind::Lit(n) => return Ok((n.clone(), None)),
            Kind::Const(name, _) => &**name,
            _ => "",
        };
        let (congr, a, b) = match (name, args.as_slice()) {
            ("Nat.zero", []) => return Ok((BigUint::ZERO, None)),
            ("Nat.succ", [a]) => {
                let (n, h) = self.number(a)?;
                let next = n.clone() + 1u32;
                let terms = |h| [(*a).clone(), Term::lit(n), Term::lit(next.clone()), h, literal(&next)];
                let proof = h.map(|h| lemma("Nat.Linear.succ_congr", terms(h)));
                return Ok((next, proof));
            }
            ("Nat.add", [a, b]) => ("Nat.Linear.add_congr", *a, *b),
            ("Nat.mul", [a, b]) => ("Nat.Linear.mul_congr", *a, *b),
            ("Nat.pow", [a, b]) => ("Nat.Linear.pow_congr", *a, *b),
            ("Nat.sub", [a, b]) => return self.subtraction(a, b),
            _ => {
                let next = self.ctx.whnf(term)?;
                return if next == *term { self.unsupported(term) } else { self.number(&next) };
            }
        };
        let ((x, hx), (y, hy)) = (self.number(a)?, self.number(b)?);
        let value = match name {
            "Nat.add" => Operation::Add.compute(&x, &y),
            "Nat.mul" => Operation::Mul.compute(&x, &y),
            _ => literal_power(&x, &y),
        };
        let Some(value) = value else { return self.unsupported(term) };
        if hx.is_none() && hy.is_none() {
            return Ok((value, None));
        }
        let proofs = [hx.unwrap_or_else(|| literal(&x)), hy.unwrap_or_else(|| literal(&y)), literal(&value)];
        let numbers = [x, y, value.clone()].map(Term::lit);
        let terms = [a.clone(), b.clone()].into_iter().chain(numbers).chain(proofs);
        Ok((value, Some(Term::apps(constant(congr), terms))))
    }

    fn subtraction(&mut self, a: &Term, b: &Term) -> Result<(BigUint, Option<Term>)> {
        let ((x, hx), (y, hy)) = (self.number(a)?, self.number(b)?);
        let value = if x >= y { &x - &y } else { BigUint::ZERO };
        if hx.is_none() && hy.is_none() {
            return Ok((value, None));
        }
        let proofs = [hx.unwrap_or_else(|| literal(&x)), hy.unwrap_or_else(|| literal(&y))];
        let terms = [a.clone(), b.clone(), Term::lit(x), Term::lit(y)].into_iter().chain(proofs);
        // The difference of the numbers is computed.
        Ok((value, Some(Term::apps(constant("Nat.Linear.sub_congr"), terms))))
    }

    pub(super) fn comparison(&mut self, comparison: Comparison, a: &Term, b: &Term) -> Result<Verdict> {
        let ((x, hx), (y, hy)) = (self.number(a)?, self.number(b)?);
        let (n, m) = (Term::lit(x.clone()), Term::lit(y.clone()));
        // For `<`, the successor of the left side is compared.
        let left = if matches!(comparison, Comparison::Lt) { &x + 1u32 } else { x.clone() };
        let compared = |name: &str, a: &BigUint, b: &BigUint, rest: BigUint, sum: &BigUint| {
            lemma(name, [Term::lit(a.clone()), Term::lit(b.clone()), Term::lit(rest), literal(sum)])
        };
        let unequal = |a: &BigUint, b: &BigUint| compared("Nat.Linear.ne_of_less", a, b, b - a - 1u32, b);
        let (holds, proof) = match comparison {
            Comparison::Eq if x == y => (true, literal(&x)),
            Comparison::Eq if x < y => (false, unequal(&x, &y)),
            Comparison::Eq => {
                let symm = Term::constant("Ne.symm", vec![Level::Num(1)]);
                (false, Term::apps(symm, [nat(), m.clone(), n.clone(), unequal(&y, &x)]))
            }
            _ if left <= y => (true, compared("Nat.le.intro", &left, &y, &y - &left, &y)),
            _ => (false, compared("Nat.Linear.not_le", &left, &y, &left - &y - 1u32, &left)),
        };
        let statement = |a: &Term, b: &Term| {
            let positive = match comparison {
                Comparison::Le => operation("Nat.le", a, b),
                Comparison::Lt => operation("Nat.lt", a, b),
                Comparison::Eq => equal(a.clone(), b.clone()),
            };
            if holds { positive } else { Term::app(constant("Not"), positive) }
        };
        // From the numbers to the terms, if they are not equal by computation.
        let subst = |motive: Term, number: &Term, term: &Term, equation: Term, proof: Term| {
            let motive = Term::lambda(Binder::explicit("x"), nat(), motive);
            let subst = Term::constant("Eq.subst", vec![Level::Num(1)]);
            let equation = symmetric(term, number, equation);
            Term::apps(subst, [nat(), motive, number.clone(), term.clone(), equation, proof])
        };
        let proof = match hx {
            Some(h) => subst(statement(&Term::bound(0), &m), &n, a, h, proof),
            None => proof,
        };
        let proof = match hy {
            Some(h) => subst(statement(a, &Term::bound(0)), &m, b, h, proof),
            None => proof,
        };
        Ok(Verdict { holds, proof })
    }

    /// Whether two values of a data type are equal.
    pub(super) fn equality(
        &mut self,
        proposition: &Term,
        alpha: &Term,
        a: &Term,
        b: &Term,
    ) -> Result<Verdict> {
        if self.are_same(alpha, a, b)? {
            return Ok(Verdict { holds: true, proof: self.ctx.reflexivity(alpha, a.clone())? });
        }
        let local = self.ctx.new_local(&"h".into(), false, proposition.clone(), None);
        let refutation = self.refuted_values(&local.term(), proposition)?;
        Ok(Verdict { holds: false, proof: lambdas(&[local], refutation) })
    }

    fn are_same(&mut self, alpha: &Term, a: &Term, b: &Term) -> Result<bool> {
        budget::step();
        if is_nat(self.ctx, alpha)? {
            return Ok(self.number(a)?.0 == self.number(b)?.0);
        }
        let alpha = self.ctx.whnf(alpha)?;
        let (head, params) = alpha.head_args();
        let family = match head.kind() {
            Kind::Const(name, _) => &**name,
            _ => "",
        };
        let types: Vec<&Term> = match (family, params.as_slice()) {
            ("Bool", []) => Vec::new(),
            ("Option", [of]) => vec![of],
            ("List", [of]) => vec![of, &alpha],
            ("Prod", [first, second]) => vec![first, second],
            _ => return self.unsupported(&alpha),
        };
        let Some((c, xs)) = self.constructed(a)? else { return self.unsupported(a) };
        let Some((d, ys)) = self.constructed(b)? else { return self.unsupported(b) };
        if c != d {
            return Ok(false);
        }
        for (ty, (x, y)) in types.into_iter().zip(xs.iter().zip(&ys).skip(params.len())) {
            if !deeper(|| self.are_same(ty, x, y))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A proof of `False` from an equation of different values.
    fn refuted_values(&mut self, proof: &Term, equation: &Term) -> Result<Term> {
        let Some((alpha, a, b)) = self.ctx.equation(equation)? else { return self.unsupported(equation) };
        if is_nat(self.ctx, &alpha)? {
            let verdict = self.comparison(Comparison::Eq, &a, &b)?;
            return Ok(Term::app(verdict.proof, proof.clone()));
        }
        match self.constructors_of(proof, equation)? {
            Constructors::Different(proof) => return Ok(proof),
            Constructors::Same(proofs) => {
                for (_, proof) in proofs {
                    let ty = self.ctx.infer(&proof)?;
                    let Some((alpha, a, b)) = self.ctx.equation(&ty)? else { continue };
                    if !self.are_same(&alpha, &a, &b)? {
                        return deeper(|| self.refuted_values(&proof, &ty));
                    }
                }
            }
            Constructors::Unknown => {}
        }
        self.unsupported(equation)
    }
}

fn literal(n: &BigUint) -> Term {
    reflexive(&Term::lit(n.clone()))
}
