//! Equations: rewriting and simplification.

use super::safe::written_arguments;
use super::situation::{Local, Situation};
use super::term::{Term, matches};
use super::{Proposals, chaining};

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    let equations: Vec<&Local> = s.proofs().filter(|l| is_equation(&l.ty)).collect();
    for l in &equations {
        rewrite(s, l, out);
        functions(s, l, out);
    }
    joined(s, out);
    simplification(s, &equations, out);
}

/// Whether it is an equation or equivalence under quantifiers.
fn is_equation(ty: &Term) -> bool {
    let (_, end) = ty.telescope();
    end.app_of::<3>("Eq").is_some() || end.app_of::<2>("Iff").is_some()
}

/// Whether an instance of `pattern`, with `count` variables bound outside, occurs in `term`.
fn occurs(pattern: &Term, count: usize, term: &Term) -> bool {
    let trivial = matches!(pattern, Term::Bound(_));
    !trivial
        && term
            .subterms()
            .into_iter()
            .any(|(part, _)| !part.is_open() && matches(pattern, part, &mut vec![None; count]))
}

fn rewrite(s: &Situation, l: &Local, out: &mut Proposals) {
    let h = &l.name;
    let (binders, end) = l.ty.telescope();
    let Some((_, [.., left, right])) = end.constant() else { return };
    let count = binders.len();
    let sides = [(left, right, ""), (right, left, "← ")];
    for (from, to, arrow) in sides {
        // Rewriting a variable or number to a larger term rarely helps.
        let grows = !matches!(from, Term::App(..)) && matches!(to, Term::App(..));
        let malus = if grows { 1.2 } else { 0.0 } + if arrow.is_empty() { 0.0 } else { 0.4 };
        if occurs(from, count, &s.target) {
            out.add(-0.9 - malus, format!("rw [{arrow}{h}]"));
        }
        for other in s.proofs().filter(|o| o.name != *h && occurs(from, count, &o.ty)).take(3) {
            out.add(-2.0 - malus, format!("rw [{arrow}{h}] at {}", other.name));
        }
    }
}

/// Equal functions have equal values.
fn functions(s: &Situation, l: &Local, out: &mut Proposals) {
    let Some([Term::Pi(_, domain, _), f, g]) = l.ty.app_of("Eq") else { return };
    for (index, x) in chaining::things(s, domain).iter().enumerate().take(4) {
        let value = |f: &Term| super::term::apply(f.clone(), vec![x.clone()]);
        let says =
            |t: &Term| matches!(t.constant(), Some((_, [.., a, b])) if *a == value(f) && *b == value(g));
        if s.proofs().any(|l| says(&l.ty)) {
            continue;
        }
        if let Some(text) = written_arguments(std::slice::from_ref(x)) {
            let name = s.fresh("h", &[]);
            out.add(-1.0 - 0.2 * index as f64, format!("have {name} := congrFun {}{text}", l.name));
        }
    }
}

/// Transitive relations, and the lemmas that state it.
const TRANSITIVE: &[(&str, &str)] = &[
    ("Eq", "Eq.trans"),
    ("Iff", "Iff.trans"),
    ("Nat.le", "Nat.le_trans"),
    ("Nat.lt", "Nat.lt_trans"),
    ("Dvd.dvd", "Nat.dvd_trans"),
];

/// Two hypotheses that prove the target by transitivity; the second may be universally quantified.
fn joined(s: &Situation, out: &mut Proposals) {
    let Some((relation, [.., a, c])) = s.target.constant() else { return };
    let Some((_, lemma)) = TRANSITIVE.iter().find(|(r, _)| *r == relation) else { return };
    let sides = |l: &Local| match l.ty.constant() {
        Some((r, [.., x, y])) if r == relation => Some((x.clone(), y.clone())),
        _ => None,
    };
    for first in s.proofs() {
        let Some((x, middle)) = sides(first) else { continue };
        for second in s.proofs() {
            let (binders, end) = second.ty.telescope();
            if x == *a && !binders.is_empty() && end.constant().is_some_and(|(r, _)| r == relation) {
                let holes = " _".repeat(binders.len());
                out.add(-0.4, format!("exact {lemma} {} ({}{holes})", first.name, second.name));
            }
            if x == *a && sides(second).is_some_and(|(y, z)| y == middle && z == *c) {
                out.add(-0.05, format!("exact {lemma} {} {}", first.name, second.name));
            }
        }
    }
}

/// Functions whose defining equations are not simp lemmas.
const RECURSIVE: &[(&str, &str)] = &[("List.replicate", "List.replicate_succ"), ("Nat.pow", "Nat.pow_succ")];

/// Simplification with hypotheses.
fn simplification(s: &Situation, equations: &[&Local], out: &mut Proposals) {
    let lists = ["List", "List.append", "List.length", "List.map"];
    let is_list = lists.iter().any(|c| s.target.mentions_constant(c));
    let names: Vec<&str> = equations.iter().rev().map(|l| l.name.as_str()).take(6).collect();
    if !names.is_empty() {
        out.add(if is_list { -0.5 } else { -1.2 }, format!("simp [{}]", names.join(", ")));
    }
    out.add(if is_list { -0.6 } else { -1.5 }, "simp");
    out.add(if is_list { -0.9 } else { -1.4 }, "simp_all");
    for (index, l) in s.proofs().enumerate().take(4) {
        let complex = l.ty.telescope().1.constant().is_some();
        if complex {
            out.add(-2.3 - 0.15 * index as f64, format!("simp at {}", l.name));
        }
    }
    for (function, equations) in RECURSIVE.iter().filter(|(f, _)| s.target.mentions_constant(f)) {
        let all: Vec<&str> = std::iter::once(*equations).chain(names.iter().copied()).collect();
        let log_prior = if function.starts_with("List") { -0.7 } else { -1.8 };
        out.add(log_prior, format!("simp [{}]", all.join(", ")));
    }
    for name in s.own.iter().filter(|n| s.target.mentions_constant(n)) {
        out.add(-1.0, format!("unfold {name}"));
        out.add(-1.1, format!("simp [{name}]"));
    }
}
