//! Arithmetic of literals, and cancellation of equal summands in relations.

use num_bigint::BigUint;

use super::rewrite::{Simplified, Simplifier};
use crate::elab::context::Result;
use crate::elab::infer::nat;
use crate::elab::whnf::{constant, with_offset};
use crate::kernel::term::{Kind, Level, Term};

type Offset = (Option<Term>, BigUint);

impl Simplifier<'_, '_, '_> {
    /// One step of arithmetic at the head of a term.
    pub(super) fn arithmetic(&mut self, term: &Term) -> Result<Option<Simplified>> {
        let (head, args) = term.head_args();
        let Kind::Const(name, _) = head.kind() else { return Ok(None) };
        match (&**name, args.as_slice()) {
            ("Nat.zero", []) => Ok(Some(Simplified { term: Term::lit(0u32), proof: None })),
            ("Nat.succ", [_]) | ("Nat.add", [_, _]) if self.rules.default || is_literal(args[0]) => {
                Ok(self.sum(term))
            }
            ("Nat.add" | "Nat.mul" | "Nat.pow", [a, b]) if is_literal(a) && is_literal(b) => {
                let value = self.ctx.reduce_operation(term)?;
                Ok(value.map(|term| Simplified { term, proof: None }))
            }
            ("Nat.sub", [a, b]) => match (a.kind(), b.kind()) {
                (Kind::Lit(a), Kind::Lit(b)) => Ok(Some(difference(a, b))),
                _ => Ok(None),
            },
            ("Eq", [alpha, a, b]) if **alpha == nat() => Ok(self.relation("Eq", a, b)),
            ("Nat.le" | "Nat.lt", [a, b]) => Ok(self.relation(name, a, b)),
            _ => Ok(None),
        }
    }

    /// `x + 2 + 3` is `x + 5`, and `Nat.succ x` is `x + 1`.
    fn sum(&self, term: &Term) -> Option<Simplified> {
        let (base, n) = self.ctx.offset(term)?;
        let sum = with_offset(base, n);
        (sum != *term).then_some(Simplified { term: sum, proof: None })
    }

    fn relation(&mut self, name: &str, a: &Term, b: &Term) -> Option<Simplified> {
        let (x, y) = (self.side(a), self.side(b));
        match (&x, &y) {
            ((None, n), (None, m)) => return Some(decided(name, n, m)),
            _ if !self.rules.default => return None,
            _ => {}
        }
        let (n, m) = (&x.1, &y.1);
        let common = n.min(m).clone();
        if common == BigUint::ZERO {
            return None;
        }
        // Cancel common summands.
        let (x, y) = (with_offset(x.0, n - &common), with_offset(y.0, m - &common));
        let lemma = match name {
            "Eq" => "Nat.add_right_cancel_iff",
            "Nat.le" => "Nat.add_le_add_iff_right",
            _ => "Nat.add_lt_add_iff_right",
        };
        // In the order of each lemma's variables.
        let common = Term::lit(common);
        let args = match name {
            "Eq" | "Nat.le" => [x.clone(), y.clone(), common],
            _ => [common, x.clone(), y.clone()],
        };
        let to = related(name, x, y);
        let equivalence = Term::apps(constant(lemma), args);
        let from = related(name, a.clone(), b.clone());
        let proof = Term::apps(constant("propext"), [from, to.clone(), equivalence]);
        Some(Simplified { term: to, proof: Some(proof) })
    }

    fn side(&self, term: &Term) -> Offset {
        self.ctx.offset(term).unwrap_or_else(|| (Some(term.clone()), BigUint::ZERO))
    }
}

fn is_literal(term: &Term) -> bool {
    matches!(term.kind(), Kind::Lit(_))
}

fn related(name: &str, a: Term, b: Term) -> Term {
    match name {
        "Eq" => Term::apps(Term::constant("Eq", vec![Level::Num(1)]), [nat(), a, b]),
        name => Term::apps(constant(name), [a, b]),
    }
}

/// `a - b` of literals. The kernel adds literals at once, so the proof says what has to be added.
fn difference(a: &BigUint, b: &BigUint) -> Simplified {
    let (big, small) = (Term::lit(a.clone()), Term::lit(b.clone()));
    if a >= b {
        let value = Term::lit(a - b);
        let proof = Term::apps(constant("Nat.add_sub_cancel"), [value.clone(), small]);
        return Simplified { term: value, proof: Some(proof) };
    }
    let le = Term::apps(constant("Nat.le_add_right"), [big.clone(), Term::lit(b - a)]);
    let proof = Term::apps(constant("Nat.sub_eq_zero_of_le"), [big, small, le]);
    Simplified { term: Term::lit(0u32), proof: Some(proof) }
}

/// A relation of literals is true or false.
fn decided(name: &str, a: &BigUint, b: &BigUint) -> Simplified {
    let (x, y) = (Term::lit(a.clone()), Term::lit(b.clone()));
    // `m < n` and `m ≤ n`
    let less = |m: &BigUint, n: &BigUint| {
        Term::apps(
            constant("Nat.lt_add_of_pos_right"),
            [
                Term::lit(m.clone()),
                Term::lit(n - m),
                Term::app(constant("Nat.zero_lt_succ"), Term::lit(n - m - 1u32)),
            ],
        )
    };
    let at_most = |m: &BigUint, n: &BigUint| {
        Term::apps(constant("Nat.le_add_right"), [Term::lit(m.clone()), Term::lit(n - m)])
    };
    let apply = |lemma: &str, proof: Term| Term::apps(constant(lemma), [x.clone(), y.clone(), proof]);
    let (holds, proof) = match name {
        "Eq" if a == b => {
            let refl = Term::constant("Eq.refl", vec![Level::Num(1)]);
            (true, Term::apps(refl, [nat(), x.clone()]))
        }
        "Eq" if a < b => (false, apply("Nat.ne_of_lt", less(a, b))),
        "Eq" => (false, apply("Nat.ne_of_gt", less(b, a))),
        "Nat.le" if a <= b => (true, at_most(a, b)),
        "Nat.le" => (false, apply("Nat.not_le_of_gt", less(b, a))),
        _ if a < b => (true, less(a, b)),
        _ => (false, Term::apps(constant("Nat.not_lt_of_le"), [y.clone(), x.clone(), at_most(b, a)])),
    };
    let (value, lemma) = if holds { ("True", "eq_true") } else { ("False", "eq_false") };
    let proof = Term::apps(constant(lemma), [related(name, x, y), proof]);
    Simplified { term: constant(value), proof: Some(proof) }
}
