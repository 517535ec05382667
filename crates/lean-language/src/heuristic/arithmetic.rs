//! Natural numbers.

use super::situation::Situation;
use super::term::Term;
use super::{Proposals, chaining};

/// The laws that normalise the polynomials in some statements.
fn polynomials<'t>(statements: impl Iterator<Item = &'t Term>) -> String {
    let (mut adds, mut raises) = (false, false);
    for statement in statements {
        adds |= statement.mentions_constant("Nat.add");
        raises |= statement.mentions_constant("Nat.pow");
    }
    let mut laws = Vec::new();
    if raises {
        laws.push("Nat.pow_succ, Nat.pow_zero");
    }
    if adds {
        laws.push("Nat.mul_add, Nat.add_mul");
    }
    laws.push("Nat.mul_assoc, Nat.mul_comm, Nat.mul_left_comm");
    laws.join(", ")
}

fn multiplies(t: &Term) -> bool {
    ["Nat.mul", "Nat.pow"].iter().any(|c| t.mentions_constant(c))
}

/// Proposes tactics that close a goal about numbers or fail.
pub(super) fn closers(s: &Situation, out: &mut Proposals) {
    let is_pi = matches!(s.target, Term::Pi(..)) || s.target.denied().is_some();
    if is_pi && !s.is_arithmetic(&s.target) {
        return;
    }
    if s.is_arithmetic(&s.target) {
        out.add(-0.03, "omega");
    }
    match s.target.constant() {
        Some(("Eq", _)) => out.add(-0.04, "rfl"),
        Some(("Iff", _)) => out.add(-0.3, "exact Iff.rfl"),
        _ => {}
    }
    let is_closed = !s.target.any(|t| matches!(t, Term::Local(_) | Term::Meta(_)));
    if is_closed && !matches!(s.target.constant(), Some(("False", _))) {
        out.add(-0.05, "decide");
    }
}

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    let arithmetic = s.is_arithmetic(&s.target);
    if !arithmetic {
        if s.proofs().any(|l| s.is_arithmetic(&l.ty)) {
            out.add(-1.6, "omega");
        }
        return;
    }
    if let Some(tactic) = chaining::with_instances(s) {
        out.add(-0.4, tactic);
    }
    let involved = multiplies(&s.target) || s.proofs().any(|l| multiplies(&l.ty));
    if !involved {
        return;
    }
    // It decides at once, while rewriting large products takes its time.
    if s.target.app_of::<3>("Eq").is_some() {
        out.add(-0.45, "ring");
    }
    let laws = polynomials(std::iter::once(&s.target));
    let everywhere = polynomials(std::iter::once(&s.target).chain(s.proofs().map(|l| &l.ty)));
    out.add(-0.5, format!("simp only [{laws}] <;> omega"));
    out.add(-0.7, format!("simp only [{everywhere}] at * <;> omega"));
    let equations: Vec<&str> = s
        .proofs()
        .filter(|l| l.ty.telescope().1.app_of::<3>("Eq").is_some())
        .map(|l| l.name.as_str())
        .take(4)
        .collect();
    if !equations.is_empty() {
        out.add(-0.9, format!("simp only [{}, {everywhere}] <;> omega", equations.join(", ")));
    }
    out.add(-1.7, "simp [Nat.mul_comm, Nat.mul_left_comm, Nat.mul_assoc]");
}
