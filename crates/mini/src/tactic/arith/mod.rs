//! Arithmetic on natural numbers: `ring`, `omega` and `decide`.
//!
//! [`normal`] computes with normal forms of polynomials and proves each step by a lemma of the prelude, [`evaluate`]
//! brings terms into that form, and [`ring`] compares both sides of an equation. [`formula`] reads facts, [`search`]
//! looks for contradictions between linear facts, on integers alone, and [`omega`], with [`assume`] and [`refute`],
//! turns them into proofs. [`decide`] evaluates propositions, with [`compute`].

mod assume;
mod compute;
mod decide;
mod evaluate;
mod formula;
mod normal;
mod omega;
mod refute;
mod ring;
mod search;

use num_bigint::BigUint;

use crate::elab::infer::nat;
use crate::elab::whnf::constant;
use crate::kernel::term::{Level, Term};

/// A constant applied.
fn lemma<const N: usize>(name: &str, arguments: [Term; N]) -> Term {
    Term::apps(constant(name), arguments)
}

/// The proof of `n = n`, up to computation.
fn reflexive(n: &Term) -> Term {
    Term::apps(Term::constant("Eq.refl", vec![Level::Num(1)]), [nat(), n.clone()])
}

/// `a = b`
fn equal(a: Term, b: Term) -> Term {
    Term::apps(Term::constant("Eq", vec![Level::Num(1)]), [nat(), a, b])
}

/// The proof of `b = a` from one of `a = b`.
fn symmetric(a: &Term, b: &Term, proof: Term) -> Term {
    let symm = Term::constant("Eq.symm", vec![Level::Num(1)]);
    Term::apps(symm, [nat(), a.clone(), b.clone(), proof])
}

/// The proof of `a = c` from those of `a = b` and `b = c`.
fn transitive(a: &Term, b: &Term, c: &Term, first: Term, second: Term) -> Term {
    let trans = Term::constant("Eq.trans", vec![Level::Num(1)]);
    Term::apps(trans, [nat(), a.clone(), b.clone(), c.clone(), first, second])
}

fn operation(name: &str, a: &Term, b: &Term) -> Term {
    lemma(name, [a.clone(), b.clone()])
}

fn is_zero(n: &BigUint) -> bool {
    *n == BigUint::ZERO
}

fn is_one(n: &BigUint) -> bool {
    *n == BigUint::from(1u32)
}
