//! Connectives in target and hypotheses that require a choice.

use super::Proposals;
use super::situation::{Local, Situation};
use super::term::{Term, matches, write};

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    target(s, out);
    for l in s.proofs() {
        use_hypothesis(s, l, out);
    }
    classical(s, out);
}

fn target(s: &Situation, out: &mut Proposals) {
    if s.proofs().any(|l| l.ty.denied().is_some() || l.ty.app_of::<3>("Eq").is_some()) {
        out.add(-0.4, "contradiction");
    }
    if s.has_metas {
        out.add(-0.2, "assumption");
        out.add(-0.5, "rfl");
        out.add(-2.0, "trivial");
    }
    if s.proofs().any(|l| l.ty.head_args().0 == s.target.head_args().0) {
        // Up to computation.
        out.add(-0.9, "assumption");
    }
    match s.target.constant() {
        Some(("Or", [p, q])) => {
            for (side, tactic) in [(p, "left"), (q, "right")] {
                let near = s.proofs().any(|l| leads_to(l, side));
                out.add(if near { -0.9 } else { -1.4 }, tactic);
            }
        }
        Some(("False", [])) => {}
        Some(("And" | "Iff", _)) => out.add(-0.8, "constructor"),
        Some(("Nat.le" | "Nat.lt" | "List.Mem", _)) => out.add(-3.5, "constructor"),
        Some((name, _)) if s.own.iter().any(|o| o == name) => out.add(-1.0, format!("unfold {name}")),
        _ => {}
    }
    let is_false = matches!(s.target.constant(), Some(("False", _)));
    if !is_false && s.proofs().any(|l| gives_negation(&l.ty)) {
        out.add(-2.2, "exfalso");
    }
}

fn gives_negation(ty: &Term) -> bool {
    let (_, end) = ty.telescope();
    matches!(end.constant(), Some(("Not" | "Ne" | "False", _)))
}

/// Whether a hypothesis is, or implies, something like `statement`.
fn leads_to(l: &Local, statement: &Term) -> bool {
    let (_, end) = l.ty.telescope();
    let (head, wanted) = (end.head_args().0, statement.head_args().0);
    head == wanted || matches!(head, Term::Bound(_))
}

/// Ways to use a hypothesis for the target.
fn use_hypothesis(s: &Situation, l: &Local, out: &mut Proposals) {
    let h = &l.name;
    let (binders, end) = l.ty.telescope();
    let is_false = matches!(s.target.constant(), Some(("False", _)));
    if is_false && gives_negation(&l.ty) {
        // Without premises this is a negation, whose statement must be proved.
        out.add(if binders.is_empty() { -0.8 } else { -1.2 }, format!("apply {h}"));
        return;
    }
    if binders.is_empty() {
        return;
    }
    let mut found = vec![None; binders.len()];
    if matches(end, &s.target, &mut found) {
        let count = binders.len();
        let known =
            binders.iter().enumerate().filter(|(i, b)| b.2 && found[count - 1 - i].is_none()).count() == 0;
        let premises = binders.iter().filter(|b| !b.2).count();
        let log_prior = match (known, premises) {
            (true, 0) => -0.01,
            (true, 1) => -0.5,
            (true, _) => -0.7,
            // The remaining arguments must be found later.
            (false, _) => -1.6,
        };
        out.add(log_prior, format!("apply {h}"));
    } else if matches!(end, Term::Bound(_)) || end.head_args().0 == s.target.head_args().0 {
        out.add(-2.6, format!("apply {h}"));
    }
    if let (Some(("Iff", [p, q])), Some(_)) = (end.constant(), s.target.head_name()) {
        let holes = " _".repeat(binders.len());
        let fits = |side: &Term| matches(side, &s.target, &mut vec![None; binders.len()]);
        if fits(q) {
            out.add(-1.2, format!("apply ({h}{holes}).mp"));
        }
        if fits(p) {
            out.add(-1.2, format!("apply ({h}{holes}).mpr"));
        }
    }
}

/// Excluded middle, if there is no direct way.
fn classical(s: &Situation, out: &mut Proposals) {
    let mut found: Vec<&Term> = Vec::new();
    let statements = std::iter::once(&s.target).chain(s.proofs().map(|l| &l.ty));
    let mut is_propositional = true;
    for statement in statements {
        is_propositional &= decisions(s, statement, &mut found);
    }
    let undecided = |p: &&&Term| {
        **p != &s.target
            && s.proof_of(p).is_none()
            && !s.proofs().any(|l| l.ty.denied().as_ref() == Some(**p))
    };
    let atoms: Vec<String> = found.iter().filter(undecided).filter_map(|p| write(p)).collect();
    if is_propositional && !found.contains(&&s.target) && (1..=4).contains(&atoms.len()) {
        let mut names = Vec::new();
        let mut text = String::new();
        for atom in &atoms {
            let name = s.fresh("h", &names);
            text += &format!("by_cases {name} : {atom} <;> ");
            names.push(name);
        }
        out.add(-1.7, format!("{text}simp_all"));
    }
    let h = s.fresh("h", &[]);
    let is_choice = matches!(s.target.constant(), Some(("Or" | "Exists", _)));
    let base = if is_choice { -1.9 } else { -2.6 };
    for (index, atom) in atoms.iter().enumerate().take(4) {
        out.add(base - 0.25 * index as f64, format!("by_cases {h} : {atom}"));
    }
    match s.target.constant() {
        Some(("False", _)) => {}
        Some(("Exists", _)) => {
            out.add(-2.2, format!("apply Classical.byContradiction; intro {h}"));
        }
        _ => out.add(-2.9, format!("apply Classical.byContradiction; intro {h}")),
    }
}

/// Collects the propositions in a statement that can be decided by cases: closed ones that are not connectives.
/// Returns whether the statement consists only of those and connectives.
fn decisions<'t>(s: &Situation, statement: &'t Term, found: &mut Vec<&'t Term>) -> bool {
    let mut is_propositional = true;
    let mut todo = vec![statement];
    while let Some(term) = todo.pop() {
        match (term, term.constant()) {
            (_, Some(("And" | "Or" | "Iff" | "Not", parts))) => todo.extend(parts),
            (_, Some(("False" | "True", []))) => {}
            (Term::Pi(_, p, q), _) if !q.mentions_bound() && s.is_proposition(p) => {
                todo.extend([&**p, &**q]);
            }
            _ => {
                let closed = !term.is_open();
                // A quantified side of the target is better proved than decided.
                let quantified = matches!(term, Term::Pi(..)) || term.app_of::<2>("Exists").is_some();
                if closed && !quantified && s.is_proposition(term) && !found.contains(&term) {
                    found.push(term);
                }
                is_propositional &= closed && !quantified;
                // Closed parts of quantified statements can be decided too.
                for (part, _) in term.subterms().into_iter().skip(1) {
                    let quantified = matches!(part, Term::Pi(..)) || part.app_of::<2>("Exists").is_some();
                    let atom = matches!(part, Term::Local(_)) || quantified;
                    if atom && !part.is_open() && s.is_proposition(part) && !found.contains(&part) {
                        found.push(part);
                    }
                }
            }
        }
    }
    is_propositional
}
