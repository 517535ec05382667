//! Safe steps: those that close the goal, and those that preserve provability.

use super::situation::{Local, Situation};
use super::term::{Term, apply, matches, write_argument};
use super::{Proposals, chaining, witness};

/// Proposes a step that closes the goal with certainty, if there is one.
pub(super) fn closes(s: &Situation, out: &mut Proposals) -> bool {
    let Some(tactic) = closer(s) else { return false };
    out.add(-0.01, tactic);
    out.add(-2.0, "assumption");
    out.add(-2.1, "contradiction");
    true
}

fn closer(s: &Situation) -> Option<String> {
    if let Some(name) = s.proof_of(&s.target) {
        return Some(format!("exact {name}"));
    }
    match s.target.constant() {
        Some(("True", [])) => return Some("trivial".to_owned()),
        Some(("Eq", [_, a, b])) if a == b => return Some("rfl".to_owned()),
        Some(("Iff", [a, b])) if a == b => return Some("exact Iff.rfl".to_owned()),
        Some((relation @ ("Eq" | "Ne" | "Iff"), [.., a, b])) => {
            let turned = s.proofs().find(|l| match l.ty.constant() {
                Some((r, [.., x, y])) => r == relation && x == b && y == a,
                _ => false,
            });
            if let Some(l) = turned {
                return Some(format!("exact {}.symm", l.name));
            }
        }
        Some(("Or", [p, q])) => {
            if let Some(name) = s.proof_of(p) {
                return Some(format!("exact Or.inl {name}"));
            }
            if let Some(name) = s.proof_of(q) {
                return Some(format!("exact Or.inr {name}"));
            }
        }
        Some(("Exists", _)) => {
            if let Some(tactic) = witness::known(s) {
                return Some(tactic);
            }
        }
        _ => {}
    }
    for l in s.proofs() {
        if matches!(l.ty.constant(), Some(("False", []))) {
            return Some(format!("exact False.elim {}", l.name));
        }
        let Some(denied) = l.ty.denied() else { continue };
        if let Some(name) = s.proof_of(&denied) {
            return Some(format!("exact absurd {name} {}", l.name));
        }
        if let Some([_, a, b]) = denied.app_of("Eq")
            && a == b
        {
            return Some(format!("exact absurd rfl {}", l.name));
        }
        if denied.denied().as_ref() == Some(&s.target) {
            return Some(format!("exact Classical.not_not.mp {}", l.name));
        }
    }
    chaining::closes(s)
}

/// Proposes a step that preserves provability, if there is one.
pub(super) fn propose(s: &Situation, out: &mut Proposals) -> bool {
    let tactic = introduction(s)
        .or_else(|| unfolding(s))
        .or_else(|| s.proofs().find_map(|l| elimination(s, l)))
        .or_else(|| splitting(s))
        .or_else(|| s.proofs().find_map(|l| cases(s, l)));
    let Some(tactic) = tactic else { return false };
    out.add(-0.05, tactic);
    true
}

/// `intro` for all binders and premises of the target.
fn introduction(s: &Situation) -> Option<String> {
    let (binders, end) = s.target.telescope();
    let mut names: Vec<String> = Vec::new();
    let mut types: Vec<Term> = Vec::new();
    for (hint, ty, dependent) in binders {
        let name = if !dependent && s.is_proposition_below(ty, types.clone()) {
            s.fresh("h", &names)
        } else {
            s.fresh_variable(hint, &names)
        };
        names.push(name);
        types.push(ty.clone());
    }
    if end.denied().is_some() {
        names.push(s.fresh("h", &names));
    }
    (!names.is_empty()).then(|| format!("intro {}", names.join(" ")))
}

/// Unfolds propositions defined in the theorem's header.
fn unfolding(s: &Situation) -> Option<String> {
    let defined = |t: &Term| match t.constant() {
        Some((name, _)) if s.own.iter().any(|o| o == name) => Some(name.to_owned()),
        _ => None,
    };
    let heads = |t: &Term| {
        let parts = t.subterms();
        parts.into_iter().find_map(|(t, _)| defined(t).filter(|_| s.is_proposition(t)))
    };
    let name = heads(&s.target).or_else(|| s.proofs().find_map(|l| heads(&l.ty)))?;
    let mut places: Vec<&str> =
        s.proofs().filter(|l| l.ty.mentions_constant(&name)).map(|l| l.name.as_str()).collect();
    places.reverse();
    if s.target.mentions_constant(&name) {
        places.push("⊢");
    }
    Some(match places[..] {
        ["⊢"] => format!("unfold {name}"),
        _ => format!("unfold {name} at {}", places.join(" ")),
    })
}

/// Eliminates a hypothesis without case distinctions.
fn elimination(s: &Situation, l: &Local) -> Option<String> {
    let h = &l.name;
    match l.ty.constant() {
        Some(("And" | "Exists" | "Dvd.dvd", _)) => return Some(take_apart(s, h, &l.ty)),
        Some(("Iff", [_, _])) => {
            let [forth, back] = <[String; 2]>::try_from(s.fresh_hypotheses(2)).ok()?;
            return Some(format!("obtain ⟨{forth}, {back}⟩ := {h}"));
        }
        Some(("Eq", [Term::Sort(sort), _, _])) if &**sort == "Prop" => {
            return Some(format!("have {} := Iff.of_eq {h}; clear {h}", s.fresh("h", &[])));
        }
        Some(("Eq", [ty, a, b])) => return equation(s, l, ty, a, b),
        _ => {}
    }
    if let Some(denied) = l.ty.denied() {
        return negation(s, h, &denied);
    }
    let (premise, _) = l.ty.implication()?;
    if let Some(known) = s.proof_of(premise) {
        return Some(format!("specialize {h} {known}"));
    }
    let fresh = s.fresh_hypotheses(2);
    match premise.constant()? {
        ("And", _) => Some(format!("have {} := and_imp.mp {h}; clear {h}", fresh[0])),
        ("Or", _) => Some(format!("obtain ⟨{}, {}⟩ := or_imp.mp {h}; clear {h}", fresh[0], fresh[1])),
        ("Exists", _) => Some(format!("have {} := exists_imp.mp {h}; clear {h}", fresh[0])),
        _ => None,
    }
}

/// Pushes a negation inwards.
fn negation(s: &Situation, h: &str, denied: &Term) -> Option<String> {
    let fresh = s.fresh_hypotheses(2);
    let (one, two) = (&fresh[0], &fresh[1]);
    Some(match denied.constant() {
        Some(("Or", _)) => format!("obtain ⟨{one}, {two}⟩ := not_or.mp {h}; clear {h}"),
        Some(("And", _)) => format!("have {one} := not_and.mp {h}; clear {h}"),
        Some(("Exists", _)) => format!("have {one} := not_exists.mp {h}; clear {h}"),
        Some(("Not", _)) => format!("have {one} := Classical.not_not.mp {h}; clear {h}"),
        _ => match denied {
            Term::Pi(_, _, body) if body.mentions_bound() => {
                format!("have {one} := Classical.not_forall.mp {h}; clear {h}")
            }
            Term::Pi(..) => format!("obtain ⟨{one}, {two}⟩ := Classical.not_imp.mp {h}; clear {h}"),
            _ => return None,
        },
    })
}

/// Uses an equation with a variable or between constructors.
fn equation(s: &Situation, l: &Local, ty: &Term, a: &Term, b: &Term) -> Option<String> {
    let names = |x: &Term, value: &Term| match x {
        Term::Local(x) => s.objects().any(|o| o.name == **x) && !value.mentions(x),
        _ => false,
    };
    if names(a, b) || names(b, a) {
        return Some(format!("subst {}", l.name));
    }
    let fresh = s.fresh_hypotheses(2);
    match (a.constant()?, b.constant()?) {
        (("List.nil", _), ("List.cons", _)) | (("List.cons", _), ("List.nil", _)) => {
            Some(format!("cases {}", l.name))
        }
        ((f @ ("List.cons" | "Prod.mk"), [.., a, b]), (g, [.., c, d])) if f == g => {
            let types = match ty.constant()? {
                ("Prod", [x, y]) => (x.clone(), y.clone()),
                (_, [x]) => (x.clone(), ty.clone()),
                _ => return None,
            };
            let says = |ty: Term, x: &Term, y: &Term| {
                x == y
                    || s.proof_of(&apply(Term::Const("Eq".into()), vec![ty, x.clone(), y.clone()])).is_some()
            };
            let known = says(types.0, a, c) && says(types.1, b, d);
            (!known).then(|| format!("injection {} with {} {}", l.name, fresh[0], fresh[1]))
        }
        _ => None,
    }
}

/// Splits the target into parts that are all needed.
fn splitting(s: &Situation) -> Option<String> {
    match s.target.constant()? {
        ("And" | "Iff", [_, _]) => Some("constructor".to_owned()),
        ("Eq", [Term::Sort(sort), _, _]) if &**sort == "Prop" => Some("apply propext".to_owned()),
        ("Eq", [Term::Pi(hint, ..), a, b]) => {
            let hint = match (a, b) {
                (Term::Lambda(x, ..), _) | (_, Term::Lambda(x, ..)) => x,
                _ => hint,
            };
            Some(format!("funext {}", s.fresh_variable(hint, &[])))
        }
        _ => None,
    }
}

/// Case distinction on a disjunction.
fn cases(s: &Situation, l: &Local) -> Option<String> {
    l.ty.app_of::<2>("Or").map(|_| take_apart(s, &l.name, &l.ty))
}

/// Destructs a hypothesis until no conjunction, disjunction or existential is left.
fn take_apart(s: &Situation, h: &str, ty: &Term) -> String {
    let pattern = pattern(s, ty, &mut Vec::new(), false);
    match ty.constant() {
        Some(("Or", _)) => format!("rcases {h} with {pattern}"),
        _ => format!("obtain {pattern} := {h}"),
    }
}

/// The pattern that destructs a proof of `ty`, with fresh names.
pub(super) fn pattern(s: &Situation, ty: &Term, names: &mut Vec<String>, nested: bool) -> String {
    match ty.constant() {
        Some(("And", [p, q])) => {
            let p = pattern(s, p, names, true);
            format!("⟨{p}, {}⟩", behind(pattern(s, q, names, true)))
        }
        Some(("Or", [p, q])) => {
            // Both sides may use the same names, but not the earlier ones.
            let mut left = names.clone();
            let p = pattern(s, p, &mut left, true);
            let q = pattern(s, q, names, false);
            names.extend(left);
            if nested { format!("({p} | {q})") } else { format!("{p} | {q}") }
        }
        Some(("Exists", [_, p])) => {
            let hint = match p {
                Term::Lambda(x, ..) => x,
                _ => "x",
            };
            let x = s.fresh_variable(hint, names);
            names.push(x.clone());
            let body = apply(p.clone(), vec![Term::Local(x.as_str().into())]);
            format!("⟨{x}, {}⟩", behind(pattern(s, &body, names, true)))
        }
        Some(("Dvd.dvd", [_, _])) => {
            let x = s.fresh("k", names);
            let h = s.fresh("h", names);
            names.extend([x.clone(), h.clone()]);
            format!("⟨{x}, {h}⟩")
        }
        _ => {
            let h = s.fresh("h", names);
            names.push(h.clone());
            h
        }
    }
}

/// Flattens `⟨a, ⟨b, c⟩⟩` to `⟨a, b, c⟩`.
fn behind(pattern: String) -> String {
    match pattern.strip_prefix('⟨').and_then(|p| p.strip_suffix('⟩')) {
        Some(inner) if is_one_tuple(inner) => inner.to_owned(),
        _ => pattern,
    }
}

/// Whether the brackets in `inner` are balanced in every prefix.
fn is_one_tuple(inner: &str) -> bool {
    let mut depth = 0i32;
    for c in inner.chars() {
        match c {
            '⟨' => depth += 1,
            '⟩' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

/// The witness if `statement` is an instance of `body`, which mentions one variable bound outside.
pub(super) fn instance(body: &Term, statement: &Term) -> Option<Term> {
    let mut found = vec![None];
    matches(body, statement, &mut found).then(|| found.swap_remove(0)).flatten()
}

/// The arguments of an application as text; empty if there are none.
pub(super) fn written_arguments(args: &[Term]) -> Option<String> {
    args.iter().map(|a| write_argument(a).map(|a| format!(" {a}"))).collect()
}
