//! Induction and cases.

use super::Proposals;
use super::situation::{Local, Situation};
use super::term::{Term, write};

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    if s.has_metas {
        return;
    }
    let concerned = |l: &&Local| s.target.mentions(&l.name) || s.proofs().any(|p| p.ty.mentions(&l.name));
    for (index, l) in s.objects().filter(concerned).enumerate() {
        let malus = 0.2 * index as f64 + if s.target.mentions(&l.name) { 0.0 } else { 1.2 };
        match l.ty.constant() {
            Some(("Nat", [])) => number(s, l, malus, out),
            Some(("List", [_])) => list(s, l, malus, out),
            Some(("Bool", [])) => out.add(-0.9 - malus, format!("cases {}", l.name)),
            Some(("Prod", [_, _])) => {
                let (a, b) = (s.fresh("a", &[]), s.fresh("b", &[]));
                out.add(-1.1 - malus, format!("obtain ⟨{a}, {b}⟩ := {}", l.name));
            }
            Some(("Option", [_])) => {
                let x = s.fresh("x", &[]);
                out.add(-1.1 - malus, format!("cases {} with | none => ?_ | some {x} => ?_", l.name));
            }
            _ => {}
        }
    }
}

/// The other objects of the target that no hypothesis mentions, over which an induction hypothesis can be
/// generalised.
fn others<'s>(s: &'s Situation, l: &Local) -> Vec<&'s str> {
    let general = ["Nat", "List"];
    let candidates = s.objects().filter(|o| o.name != l.name && s.target.mentions(&o.name));
    candidates
        .filter(|o| o.ty.constant().is_some_and(|(c, _)| general.contains(&c)))
        .map(|o| o.name.as_str())
        .collect()
}

/// How promising an induction on the variable is: recursive functions recurse on this argument.
fn promise(s: &Situation, l: &Local) -> f64 {
    let is_it = |t: &Term| matches!(t, Term::Local(n) if **n == *l.name);
    let recursive = s.target.subterms().into_iter().any(|(t, _)| match t.constant() {
        Some(("Nat.add" | "Nat.mul" | "Nat.pow" | "Nat.sub", [_, last])) => is_it(last),
        Some(("List.append", [_, first, _])) => is_it(first),
        Some(("List.map" | "List.length" | "List.reverse" | "List.foldr" | "List.foldl", [.., last])) => {
            is_it(last)
        }
        Some(("List.replicate", [_, n, _])) => is_it(n),
        _ => false,
    });
    if recursive { 0.4 } else { 0.0 }
}

fn number(s: &Situation, l: &Local, malus: f64, out: &mut Proposals) {
    let n = &l.name;
    let ih = s.fresh("ih", &[]);
    let base = -1.8 - malus + promise(s, l);
    let cases = format!("with | zero => ?_ | succ {n} {ih} => ?_");
    let fixed = s.proofs().any(|p| p.ty.mentions(n));
    out.add(if fixed { base - 0.4 } else { base }, format!("induction {n} {cases}"));
    let others = others(s, l);
    if !others.is_empty() {
        out.add(base - 0.9, format!("induction {n} generalizing {} {cases}", others.join(" ")));
    }
    out.add(-2.2 - malus, format!("cases {n} with | zero => ?_ | succ {n} => ?_"));
    stronger(s, l, malus, out);
}

/// Stronger statements that are easier to prove by induction: for all numbers below a bound, or for two consecutive
/// numbers.
fn stronger(s: &Situation, l: &Local, malus: f64, out: &mut Proposals) {
    let n = &l.name;
    if !s.target.mentions(n) || s.proofs().any(|p| p.ty.mentions(n)) {
        return;
    }
    let Some(target) = write(&s.target) else { return };
    let [h, k] = [s.fresh("h", &[]), s.fresh("k", &[])];
    let ih = s.fresh("ih", &[]);
    let induction = format!("intro {k}; induction {k} with | zero => ?_ | succ {k} {ih} => ?_");
    let Some(at_k) = rename(&s.target, n, &k) else { return };
    let Some(next) = replace_by_successor(&s.target, n, &k) else { return };
    out.add(
        -2.3 - malus,
        format!(
            "suffices {h} : ∀ {k} : Nat, ∀ {n} : Nat, {n} ≤ {k} → {target} from {h} {n} {n} (Nat.le_refl {n}); clear {n}; {induction}"
        ),
    );
    out.add(
        -2.5 - malus,
        format!("suffices {h} : ∀ {k} : Nat, ({at_k}) ∧ ({next}) from ({h} {n}).1; clear {n}; {induction}"),
    );
}

fn rename(term: &Term, from: &str, to: &str) -> Option<String> {
    write(&term.replace_local(from, &Term::Local(to.into())))
}

fn replace_by_successor(term: &Term, from: &str, to: &str) -> Option<String> {
    let one = Term::Literal("1".into());
    let next = Term::App(Box::new(Term::Const("Nat.add".into())), vec![Term::Local(to.into()), one]);
    write(&term.replace_local(from, &next))
}

fn list(s: &Situation, l: &Local, malus: f64, out: &mut Proposals) {
    let xs = &l.name;
    let ih = s.fresh("ih", &[]);
    let x = s.fresh("x", &[]);
    let base = -1.5 - malus + promise(s, l);
    let cases = format!("with | nil => ?_ | cons {x} {xs} {ih} => ?_");
    out.add(base, format!("induction {xs} {cases}"));
    let others = others(s, l);
    if !others.is_empty() {
        out.add(base - 0.8, format!("induction {xs} generalizing {} {cases}", others.join(" ")));
    }
    out.add(-2.0 - malus, format!("cases {xs} with | nil => ?_ | cons {x} {xs} => ?_"));
}
