//! Forward reasoning: consequences of hypotheses.

use super::Proposals;
use super::safe::{pattern, written_arguments};
use super::situation::{Local, Situation, compares_numbers};
use super::term::{Term, matches};

/// Maximum number of instances of a hypothesis.
const MOST: usize = 10;

/// Hypotheses with more binders are ignored.
const MOST_BINDERS: usize = 6;

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    if s.has_metas {
        return;
    }
    for l in s.proofs() {
        let instances = instances(s, l);
        for (index, instance) in instances.iter().enumerate() {
            consequence(s, l, instance, index, out);
        }
    }
}

/// A term that closes the goal: a hypothesis whose premises are all known.
pub(super) fn closes(s: &Situation) -> Option<String> {
    if s.has_metas {
        return None;
    }
    s.proofs().find_map(|l| {
        let (binders, end) = l.ty.telescope();
        let refutes = matches!(end.constant(), Some(("False" | "Not" | "Ne", _)));
        let fits = refutes || is_bound(end) || end.head_args().0 == s.target.head_args().0;
        let mut found = vec![None; binders.len()];
        if !fits || binders.is_empty() || binders.len() > MOST_BINDERS || binders.iter().all(|b| b.2) {
            return None;
        }
        let mut instances = Vec::new();
        by_premises(s, &l.ty, 0, &mut found, &mut instances);
        instances.iter().find_map(|i| closer(s, l, i))
    })
}

/// The proof of the target by an instance, if it is one.
fn closer(s: &Situation, l: &Local, instance: &Instance) -> Option<String> {
    let term = format!("{}{}", l.name, written_arguments(&instance.args)?);
    if instance.says == s.target {
        return Some(format!("exact {term}"));
    }
    if matches!(instance.says.constant(), Some(("False", []))) {
        return Some(format!("exact False.elim ({term})"));
    }
    let known = instance.says.denied().and_then(|d| s.proof_of(&d).map(str::to_owned))?;
    Some(format!("exact absurd {known} ({term})"))
}

/// A hypothesis with arguments for all its binders.
struct Instance {
    args: Vec<Term>,
    says: Term,
    /// Whether the arguments follow from premises, rather than being guessed.
    found: bool,
}

fn consequence(s: &Situation, l: &Local, instance: &Instance, index: usize, out: &mut Proposals) {
    let Some(args) = written_arguments(&instance.args) else { return };
    let term = format!("{}{args}", l.name);
    if let Some(tactic) = closer(s, l, instance) {
        return out.add(-0.01, tactic);
    }
    if matches!(instance.says.constant(), Some(("Eq", [_, a, b])) if a == b) {
        return;
    }
    if s.proof_of(&instance.says).is_some() {
        return;
    }
    let base = if instance.found { -1.2 } else { -1.8 };
    let says = &instance.says;
    let splits = matches!(says.constant(), Some(("And" | "Exists" | "Or", _)));
    // Known consequences are not repeated.
    if splits && has_parts(s, says) {
        return;
    }
    let pattern = pattern(s, says, &mut Vec::new(), false);
    let tactic = match says.constant() {
        Some(("And" | "Exists", _)) => format!("obtain {pattern} := {term}"),
        Some(("Or", _)) => format!("rcases {term} with {pattern}"),
        _ => format!("have {} := {term}", s.fresh("h", &[])),
    };
    out.add(base - 0.15 * index as f64, tactic);
}

/// Whether the parts of a conjunction, a side of a disjunction, or a witness of an existential are known.
fn has_parts(s: &Situation, says: &Term) -> bool {
    match says.constant() {
        Some(("And", [p, q])) => has_parts(s, p) && has_parts(s, q),
        Some(("Or", [p, q])) => has_parts(s, p) || has_parts(s, q),
        Some(("Exists", [_, Term::Lambda(_, _, body)])) => {
            let conjuncts = conjuncts(body);
            s.objects().any(|o| {
                let x = Term::Local(o.name.as_str().into());
                conjuncts.iter().all(|c| has_parts(s, &c.instantiate(&x)))
            })
        }
        _ => s.proof_of(says).is_some(),
    }
}

/// The parts of a conjunction.
pub(super) fn conjuncts(term: &Term) -> Vec<&Term> {
    match term.constant() {
        Some(("And", [p, q])) => conjuncts(p).into_iter().chain(conjuncts(q)).collect(),
        _ => vec![term],
    }
}

/// The instances of a hypothesis whose premises are known, followed by guesses.
fn instances(s: &Situation, l: &Local) -> Vec<Instance> {
    let (binders, _) = l.ty.telescope();
    let quantified = binders.iter().filter(|b| b.2).count();
    if binders.is_empty() || binders.len() > MOST_BINDERS {
        return Vec::new();
    }
    let mut instances = Vec::new();
    if binders.len() > quantified {
        let mut found = vec![None; binders.len()];
        by_premises(s, &l.ty, 0, &mut found, &mut instances);
    } else if quantified <= 3 {
        by_guesses(s, &l.ty, &mut Vec::new(), &mut instances);
        let statements: Vec<&Term> = s.statements().collect();
        let mut triggered = by_triggers(l, &statements);
        instances.retain(|i| triggered.iter().all(|t| t.args != i.args));
        let near = |i: &Instance| i.args.iter().filter(|a| occurs(s, a)).count();
        instances.sort_by_key(|i| std::cmp::Reverse(near(i)));
        instances.truncate(if quantified > 1 { MOST / 2 + 1 } else { MOST });
        triggered.append(&mut instances);
        instances = triggered;
    }
    instances
}

/// The instances that mention a term of these statements.
fn by_triggers(l: &Local, statements: &[&Term]) -> Vec<Instance> {
    const MOST_TRIGGERED: usize = 6;
    let (binders, end) = l.ty.telescope();
    let statements = || statements.iter().copied().filter(|statement| !std::ptr::eq(*statement, &l.ty));
    let mut instances: Vec<Instance> = Vec::new();
    // Whole sides of a relation match no better than their parts, and connectives are poor triggers.
    let parts = end.subterms().into_iter().skip(1);
    let triggers = parts.filter(|(t, depth)| *depth == 0 && matches!(t, Term::App(..)) && t.is_open());
    for (trigger, _) in triggers {
        for (part, _) in statements().flat_map(Term::subterms).filter(|(t, _)| !t.is_open()) {
            let mut found = vec![None; binders.len()];
            if instances.len() >= MOST_TRIGGERED || !matches(trigger, part, &mut found) {
                continue;
            }
            let Some(args) = found.into_iter().rev().collect::<Option<Vec<Term>>>() else { continue };
            if instances.iter().any(|i| i.args == args) {
                continue;
            }
            let says = args.iter().fold(l.ty.clone(), |says, arg| match says {
                Term::Pi(_, _, body) => body.instantiate(arg),
                says => says,
            });
            instances.push(Instance { args, says, found: false });
        }
    }
    instances
}

/// Linear arithmetic with the instances of hypotheses about numbers that mention terms of the goal, and with those that
/// mention terms of these instances.
pub(super) fn with_instances(s: &Situation) -> Option<String> {
    const MOST_INSTANCES: usize = 10;
    let general = |l: &&Local| {
        let (binders, end) = l.ty.telescope();
        let quantified = !binders.is_empty() && binders.iter().all(|b| b.2);
        quantified && binders.len() <= 3 && compares_numbers(end)
    };
    let general: Vec<&Local> = s.proofs().filter(general).collect();
    let mut instances: Vec<Instance> = Vec::new();
    let mut text = String::new();
    let mut names: Vec<String> = Vec::new();
    for _ in 0..2 {
        let mut new: Vec<Instance> = Vec::new();
        let statements: Vec<&Term> = s.statements().chain(instances.iter().map(|i| &i.says)).collect();
        for l in &general {
            for instance in by_triggers(l, &statements) {
                let is_known = instances.iter().chain(&new).any(|known| known.says == instance.says);
                if is_known || names.len() >= MOST_INSTANCES {
                    continue;
                }
                let Some(args) = written_arguments(&instance.args) else { continue };
                let name = s.fresh("h", &names);
                text += &format!("have {name} := {}{args}; ", l.name);
                names.push(name);
                new.push(instance);
            }
        }
        instances.extend(new);
    }
    (!instances.is_empty()).then(|| format!("{text}omega"))
}

fn occurs(s: &Situation, term: &Term) -> bool {
    s.target.subterms().into_iter().any(|(t, _)| t == term)
}

/// Finds hypotheses that match the premises among the first `at` binders. `found` holds the arguments so far, with
/// that of the last binder first, in the order of bound variables.
fn by_premises(
    s: &Situation,
    ty: &Term,
    at: usize,
    found: &mut Vec<Option<Term>>,
    instances: &mut Vec<Instance>,
) {
    let (binders, end) = ty.telescope();
    let count = binders.len();
    if instances.len() >= MOST {
        return;
    }
    let Some((_, premise, dependent)) = binders.get(at) else {
        complete(s, ty, end, found, instances);
        return;
    };
    if *dependent {
        return by_premises(s, ty, at + 1, found, instances);
    }
    // In the premise, the variables of the first `at` binders are bound.
    let behind = count - at;
    let may_fit = |l: &&Local| match (l.ty.head_args().0, premise.head_args().0) {
        (Term::Pi(..), Term::Pi(..)) => true,
        (head, wanted) => head == wanted || is_bound(premise),
    };
    for l in s.proofs().filter(may_fit) {
        let mut inner: Vec<Option<Term>> = found[behind..].to_vec();
        if !matches(premise, &l.ty, &mut inner) {
            continue;
        }
        let mut next = found.clone();
        next[behind..].clone_from_slice(&inner);
        next[behind - 1] = Some(Term::Local(l.name.as_str().into()));
        by_premises(s, ty, at + 1, &mut next, instances);
    }
}

fn is_bound(premise: &Term) -> bool {
    matches!(premise.head_args().0, Term::Bound(_))
}

/// An instance, if all arguments are known; otherwise guesses for a single missing one.
fn complete(s: &Situation, ty: &Term, end: &Term, found: &[Option<Term>], instances: &mut Vec<Instance>) {
    let count = found.len();
    let open: Vec<usize> = (0..count).filter(|i| found[*i].is_none()).collect();
    let choices: Vec<Vec<Option<Term>>> = match open[..] {
        [] => vec![found.to_vec()],
        [place] => {
            let (binders, _) = ty.telescope();
            let (_, wanted, _) = binders[count - 1 - place];
            let objects = s.objects().filter(|o| o.ty == *wanted).take(4);
            objects
                .map(|o| {
                    let mut found = found.to_vec();
                    found[place] = Some(Term::Local(o.name.as_str().into()));
                    found
                })
                .collect()
        }
        _ => return,
    };
    for choice in choices {
        let args: Vec<Term> = choice.into_iter().rev().flatten().collect();
        let mut says = ty.clone();
        for arg in &args {
            let Term::Pi(_, _, body) = says else { return };
            says = body.instantiate(arg);
        }
        debug_assert!(!end.is_open() || !says.is_open());
        instances.push(Instance { args, says, found: open.is_empty() });
    }
}

/// Objects of the right types for all binders.
fn by_guesses(s: &Situation, says: &Term, args: &mut Vec<Term>, instances: &mut Vec<Instance>) {
    const MOST_TRIED: usize = 64;
    let Term::Pi(_, ty, body) = says else {
        instances.push(Instance { args: args.clone(), says: says.clone(), found: false });
        return;
    };
    for candidate in things(s, ty) {
        if instances.len() >= MOST_TRIED {
            return;
        }
        args.push(candidate.clone());
        by_guesses(s, &body.instantiate(&candidate), args, instances);
        args.pop();
    }
}

/// Locals and terms of the goal with a given type.
pub(super) fn things(s: &Situation, ty: &Term) -> Vec<Term> {
    const MOST_THINGS: usize = 8;
    let mut found: Vec<Term> =
        s.objects().filter(|o| o.ty == *ty).map(|o| Term::Local(o.name.as_str().into())).collect();
    let statements = std::iter::once(&s.target).chain(s.proofs().map(|l| &l.ty));
    for (part, _) in statements.flat_map(Term::subterms) {
        let compound = matches!(part, Term::App(..) | Term::Literal(_));
        if compound && !part.is_open() && !found.contains(part) && s.type_of(part).as_ref() == Some(ty) {
            found.push(part.clone());
        }
    }
    found.truncate(MOST_THINGS);
    found
}
