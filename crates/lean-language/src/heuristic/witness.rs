//! Witnesses for existentials.

use super::Proposals;
use super::chaining::{conjuncts, things};
use super::safe::instance;
use super::situation::Situation;
use super::term::{Term, matches, write, write_argument};

/// The proof of an existential from a hypothesis that states an instance.
pub(super) fn known(s: &Situation) -> Option<String> {
    let [_, Term::Lambda(_, _, body)] = s.target.app_of("Exists")? else { return None };
    let (l, witness) = s.proofs().find_map(|l| Some((l, instance(body, &l.ty)?)))?;
    Some(format!("exact ⟨{}, {}⟩", write(&witness)?, l.name))
}

/// A value of the target's type, if the target is not a proposition: an argument that `apply` could not infer.
pub(super) fn value(s: &Situation, out: &mut Proposals) -> bool {
    let is_data = !s.has_metas && matches!(s.target.constant(), Some(("Nat" | "List" | "Prod", _)));
    let is_type = matches!(&s.target, Term::Local(n) if s.locals.iter().any(|l| l.name == **n && matches!(&l.ty, Term::Sort(t) if &**t != "Prop")));
    if is_data || is_type {
        for (index, thing) in things(s, &s.target).iter().enumerate() {
            if let Some(text) = write(thing) {
                out.add(-0.5 - 0.2 * index as f64, format!("exact {text}"));
            }
        }
        if is_data {
            out.add(-1.5, "exact 0");
        }
    }
    is_data || is_type
}

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    match s.target.constant() {
        Some(("Exists", [ty, Term::Lambda(_, _, body)])) => exists(s, ty, body, out),
        Some(("Dvd.dvd", [a, b])) => {
            let product = Term::App(Box::new(Term::Const("Nat.mul".into())), vec![a.lift(1), Term::Bound(0)]);
            let nat = Term::Const("Nat".into());
            let eq = Term::App(Box::new(Term::Const("Eq".into())), vec![nat.clone(), b.lift(1), product]);
            exists(s, &nat, &eq, out);
        }
        _ => {}
    }
}

fn exists(s: &Situation, ty: &Term, body: &Term, out: &mut Proposals) {
    if matches!(body.constant(), Some(("Eq" | "Iff", _))) {
        out.add(-0.3, "exact ⟨_, rfl⟩");
    }
    // A witness for which part of the body is known.
    let mut seen: Vec<Term> = Vec::new();
    for part in conjuncts(body) {
        for l in s.proofs() {
            if let Some(witness) = instance(part, &l.ty)
                && !seen.contains(&witness)
            {
                if let Some(text) = write(&witness) {
                    out.add(-0.5 - 0.1 * seen.len() as f64, format!("refine ⟨{text}, ?_⟩"));
                }
                seen.push(witness);
            }
        }
    }
    by_hypothesis(s, body, out);
    if let Some(("Nat", [])) = ty.constant() {
        numbers(s, body, out);
    }
    for (index, thing) in things(s, ty).iter().filter(|t| !seen.contains(t)).enumerate() {
        if let Some(text) = write(thing) {
            let malus = if matches!(thing, Term::Local(_)) { 0.0 } else { 0.5 };
            out.add(-1.3 - malus - 0.2 * index as f64, format!("refine ⟨{text}, ?_⟩"));
        }
    }
    match ty.constant() {
        Some(("List", _)) => out.add(-1.8, "refine ⟨[], ?_⟩"),
        Some(("Bool", _)) => {
            out.add(-1.5, "refine ⟨Bool.true, ?_⟩");
            out.add(-1.5, "refine ⟨Bool.false, ?_⟩");
        }
        _ => {}
    }
    predicates(s, ty, out);
}

/// An existential that is an instance of a universally quantified hypothesis.
fn by_hypothesis(s: &Situation, body: &Term, out: &mut Proposals) {
    for l in s.proofs() {
        let (binders, end) = l.ty.telescope();
        if binders.is_empty() || end.head_args().0 != body.head_args().0 {
            continue;
        }
        let arguments: String = binders.iter().map(|b| if b.2 { " _" } else { " ?_" }).collect();
        match arguments.contains('?') {
            false => out.add(-0.6, format!("exact ⟨_, {}{arguments}⟩", l.name)),
            true => out.add(-2.0, format!("refine ⟨_, {}{arguments}⟩", l.name)),
        }
    }
}

/// Numbers built from those in the context. If linear arithmetic can decide, a wrong one costs one attempt.
fn numbers(s: &Situation, body: &Term, out: &mut Proposals) {
    const MOST_VARIABLES: usize = 4;
    let is_nat = |t: &Term| matches!(t.constant(), Some(("Nat", [])));
    // The latest are the likeliest: they come from destructed hypotheses.
    let all: Vec<&str> = s.objects().filter(|o| is_nat(&o.ty)).map(|o| o.name.as_str()).collect();
    let names: Vec<&str> = all.iter().rev().take(MOST_VARIABLES).copied().collect();
    let mut sums: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    sums.extend(names.iter().map(|n| format!("{n} + 1")));
    sums.extend(["0", "1", "2"].map(str::to_owned));
    let mut products = Vec::new();
    for (index, a) in names.iter().enumerate() {
        for b in &names[index + 1..] {
            sums.extend([
                format!("{b} + {a}"),
                format!("{b} + {a} + 1"),
                format!("{b} - {a}"),
                format!("{a} - {b}"),
            ]);
            products.push(format!("{b} * {a}"));
        }
    }
    sums.extend(names.iter().flat_map(|n| [format!("{n} - 1"), format!("{n} + 2"), format!("2 * {n}")]));
    let inner = match body.constant() {
        Some(("Exists", [ty, Term::Lambda(_, _, inner)])) if is_nat(ty) => Some(&**inner),
        _ => None,
    };
    let is_relation = |t: &Term| conjuncts(t).iter().all(|c| s.is_arithmetic(c));
    if is_relation(body) {
        for (index, sum) in sums.iter().enumerate().take(24) {
            out.add(-0.35 - 0.01 * index as f64, format!("exact ⟨{sum}, by omega⟩"));
        }
    }
    if let Some(inner) = inner
        && is_relation(inner)
    {
        for (i, a) in sums.iter().enumerate().take(8) {
            for (j, b) in sums.iter().enumerate().take(8) {
                out.add(-0.35 - 0.005 * (i + j) as f64, format!("exact ⟨{a}, {b}, by omega⟩"));
            }
        }
    }
    for (index, product) in products.iter().enumerate().take(6) {
        out.add(-1.6 - 0.15 * index as f64, format!("refine ⟨{product}, ?_⟩"));
    }
    for (index, sum) in sums.iter().enumerate().take(12) {
        out.add(-1.5 - 0.15 * index as f64, format!("refine ⟨{sum}, ?_⟩"));
    }
    // A factor of a product in the goal.
    let mut factors = Vec::new();
    for (part, _) in body.subterms() {
        if let Some([a, b]) = part.app_of("Nat.mul")
            && let (false, Term::Bound(_)) | (false, _) = (a.is_open(), b)
            && let Some(text) = write_argument(a)
            && !factors.contains(&text)
        {
            factors.push(text);
        }
    }
    for (index, factor) in factors.iter().enumerate().take(3) {
        out.add(-2.2 - 0.2 * index as f64, format!("refine ⟨{factor}, ?_⟩"));
    }
}

/// Predicates: the diagonal of a relation, the constant ones, and those of the context.
fn predicates(s: &Situation, ty: &Term, out: &mut Proposals) {
    let (binders, end) = ty.telescope();
    let ([(_, domain, _)], Term::Sort(sort)) = (&binders[..], end) else { return };
    let Some(domain_text) = write(domain).filter(|_| &**sort == "Prop") else { return };
    let x = s.fresh("x", &[]);
    for l in s.objects() {
        let (binders, end) = l.ty.telescope();
        let is_relation = binders.len() == 2 && binders.iter().all(|b| matches(b.1, domain, &mut Vec::new()));
        if is_relation && *end == Term::Sort(sort.clone()) {
            let f = &l.name;
            out.add(-1.2, format!("refine ⟨fun ({x} : {domain_text}) => ¬ {f} {x} {x}, ?_⟩"));
        }
    }
    for value in ["True", "False"] {
        out.add(-2.4, format!("refine ⟨fun _ => {value}, ?_⟩"));
    }
}
