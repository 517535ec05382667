//! Rewriting rules, prepared from lemmas and hypotheses.

use std::sync::Arc;

use crate::budget;
use crate::elab::whnf::constant;
use crate::kernel::env::{Body, Declaration};
use crate::kernel::term::{Binder, Kind, Level, LocalId, Name, Term, deeper};

/// The head of a term, as a lookup key for rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A constant.
    Const(Name),
    /// A variable.
    Local(LocalId),
    /// A function type: an implication or a universal statement.
    Pi,
    /// Something else.
    Other,
}

impl Key {
    /// The key of a term.
    pub(crate) fn of(term: &Term) -> Self {
        match term.head().kind() {
            Kind::Const(name, _) => Self::Const(Arc::clone(name)),
            Kind::Local(id) => Self::Local(*id),
            Kind::Pi(..) => Self::Pi,
            _ => Self::Other,
        }
    }
}

/// A rewriting rule: for all parameters, `proof : from = to`. The terms are below the parameters, the last of which is
/// bound variable 0; the levels `Level::Meta(i)` with `i < n_levels` match any level.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The lemma; empty for a hypothesis.
    pub(crate) name: Name,
    /// The hypothesis.
    pub(crate) origin: Option<LocalId>,
    /// The parameters, each type below those before.
    pub(crate) params: Vec<(Binder, Term)>,
    /// The number of level parameters.
    pub(crate) n_levels: usize,
    /// The left side.
    pub(crate) from: Term,
    /// The right side.
    pub(crate) to: Term,
    /// The proof of equality; `None` if both sides are equal by computation.
    pub(crate) proof: Option<Term>,
    /// Whether both sides differ only by a permutation of parameters, so that it would loop.
    pub(crate) is_permutation: bool,
    /// Whether the types of arguments determine something that the pattern does not.
    pub(crate) checks_types: bool,
}

/// The source of rules: a proof of a statement, both below parameters.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The lemma; empty for a hypothesis.
    pub(crate) name: Name,
    /// The hypothesis.
    pub(crate) origin: Option<LocalId>,
    /// The parameters, each type below those before.
    pub(crate) params: Vec<(Binder, Term)>,
    /// The number of level parameters.
    pub(crate) n_levels: usize,
    /// The proof.
    pub(crate) proof: Term,
    /// The statement.
    pub(crate) ty: Term,
    /// Whether it is an equation by computation.
    pub(crate) by_computation: bool,
    /// Whether it is used from right to left.
    pub(crate) reversed: bool,
}

impl Source {
    /// A proof without parameters.
    pub(crate) fn new(name: Name, origin: Option<LocalId>, proof: Term, ty: Term) -> Self {
        let params = Vec::new();
        Self { name, origin, params, n_levels: 0, proof, ty, by_computation: false, reversed: false }
    }

    /// A declared lemma.
    pub(crate) fn lemma(name: &Name, declaration: &Declaration) -> Self {
        let n_levels = declaration.n_levels;
        let levels: Vec<Level> = (0u32..).map(Level::Meta).take(n_levels).collect();
        let ty = declaration.ty.with_levels(&levels);
        let by_computation = match &declaration.body {
            Body::Theorem(proof) => is_computation(proof),
            _ => false,
        };
        let proof = Term::constant(Arc::clone(name), levels);
        Self { n_levels, by_computation, ..Self::new(Arc::clone(name), None, proof, ty) }
    }

    /// The rules that a statement gives: one for each side of a conjunction.
    pub(crate) fn rules(mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        let (proof, ty) = (self.proof.clone(), self.ty.clone());
        self.collect(proof, &ty, &mut rules);
        rules
    }

    fn collect(&mut self, proof: Term, ty: &Term, rules: &mut Vec<Rule>) {
        if let Kind::Pi(binder, from, to) = ty.kind() {
            self.params.push((binder.clone(), from.clone()));
            deeper(|| self.collect(Term::app(proof.lifted(0, 1), Term::bound(0)), to, rules));
            self.params.pop();
            return;
        }
        let (head, args) = ty.head_args();
        let name = match head.kind() {
            Kind::Const(name, _) => &**name,
            _ => "",
        };
        let proof_of = |lemma: &str, args: &[&Term], proof: Term| {
            Term::apps(constant(lemma), args.iter().map(|a| (*a).clone()).chain([proof]))
        };
        match (name, args.as_slice()) {
            ("True" | "False", []) => {}
            ("And", [a, b]) => {
                deeper(|| self.collect(proof_of("And.left", &[a, b], proof.clone()), a, rules));
                deeper(|| self.collect(proof_of("And.right", &[a, b], proof), b, rules));
            }
            ("Iff", [a, b]) => {
                let equal = proof_of("propext", &[a, b], proof.clone());
                self.equation(&prop_level(), &Term::prop(), [a, b], equal, (proof, ty), rules);
            }
            ("Eq", [alpha, a, b]) => {
                let Kind::Const(_, levels) = head.kind() else { return };
                self.equation(levels, alpha, [a, b], proof.clone(), (proof, ty), rules);
            }
            ("Not", [p]) => self.holds_not((*p).clone(), proof, rules),
            ("Ne", [alpha, a, b]) => {
                let Kind::Const(_, levels) = head.kind() else { return };
                let eq = Term::constant("Eq", Arc::clone(levels));
                let equal = Term::apps(eq, [alpha, a, b].map(|t| (**t).clone()));
                self.holds_not(equal, proof, rules);
            }
            ("GE.ge", [a, b]) => {
                self.holds(Term::apps(constant("Nat.le"), [(*b).clone(), (*a).clone()]), proof, rules);
            }
            ("GT.gt", [a, b]) => {
                self.holds(Term::apps(constant("Nat.lt"), [(*b).clone(), (*a).clone()]), proof, rules);
            }
            _ => self.holds(ty.clone(), proof, rules),
        }
    }

    fn holds(&self, p: Term, proof: Term, rules: &mut Vec<Rule>) {
        let proof = Term::apps(constant("eq_true"), [p.clone(), proof]);
        rules.extend(self.rule(p, constant("True"), Some(proof)));
    }

    fn holds_not(&self, p: Term, proof: Term, rules: &mut Vec<Rule>) {
        let proof = Term::apps(constant("eq_false"), [p.clone(), proof]);
        rules.extend(self.rule(p, constant("False"), Some(proof)));
    }

    /// An equation. If it cannot be used as a rule, it is treated like any other proposition.
    fn equation(
        &self,
        levels: &[Level],
        alpha: &Term,
        [a, b]: [&Term; 2],
        equal: Term,
        (proof, ty): (Term, &Term),
        rules: &mut Vec<Rule>,
    ) {
        let (from, to) = if self.reversed { (b, a) } else { (a, b) };
        if from == to {
            return;
        }
        let equal = match (self.by_computation, self.reversed) {
            (true, _) => None,
            (false, false) => Some(equal),
            (false, true) => {
                let symm = Term::constant("Eq.symm", levels.to_vec());
                Some(Term::apps(symm, [alpha.clone(), a.clone(), b.clone(), equal]))
            }
        };
        match self.rule(from.clone(), to.clone(), equal) {
            Some(rule) => rules.push(rule),
            None => self.holds(ty.clone(), proof, rules),
        }
    }

    fn rule(&self, from: Term, to: Term, proof: Option<Term>) -> Option<Rule> {
        let (from, to) = (without_eta(from), without_eta(to));
        let determines = |i: u32| from.uses_bound(i) || !to.uses_bound(i);
        let n = u32::try_from(self.params.len()).ok()?;
        let is_pattern = !matches!(from.head().kind(), Kind::Bound(_) | Kind::Meta(_) | Kind::Lambda(..));
        if !is_pattern || !(0..n).all(determines) {
            return None;
        }
        budget::visits(self.params.len());
        Some(Rule {
            name: Arc::clone(&self.name),
            origin: self.origin,
            params: self.params.clone(),
            n_levels: self.n_levels,
            is_permutation: is_permutation(&from, &to),
            checks_types: from.any(|t| matches!(t.kind(), Kind::Pi(..))),
            from,
            to,
            proof,
        })
    }
}

fn is_computation(proof: &Term) -> bool {
    let mut body = proof;
    while let Kind::Lambda(_, _, inner) = body.kind() {
        body = inner;
    }
    matches!(body.head().kind(), Kind::Const(name, _)
        if matches!(&**name, "rfl" | "Eq.refl" | "Iff.rfl" | "Iff.refl"))
}

fn prop_level() -> [Level; 1] {
    [Level::Num(1)]
}

/// `fun x => f x` as `f`.
fn without_eta(term: Term) -> Term {
    let mut term = term;
    while let Kind::Lambda(_, _, body) = term.kind()
        && let Kind::App(f, x) = body.kind()
        && matches!(x.kind(), Kind::Bound(0))
        && !f.uses_variable()
    {
        term = f.instantiated(&Term::prop());
    }
    term
}

/// Whether two terms below parameters are equal up to a permutation of parameters.
fn is_permutation(from: &Term, to: &Term) -> bool {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut waiting = vec![(from, to, 0u32)];
    while let Some((a, b, depth)) = waiting.pop() {
        budget::visits(1);
        match (a.kind(), b.kind()) {
            (Kind::Bound(i), Kind::Bound(j)) if *i >= depth && *j >= depth => {
                let pair = (i - depth, j - depth);
                if pairs.iter().any(|(x, y)| (*x == pair.0) != (*y == pair.1)) {
                    return false;
                }
                pairs.push(pair);
            }
            (Kind::App(a, b), Kind::App(c, d)) => waiting.extend([(a, c, depth), (b, d, depth)]),
            (Kind::Lambda(_, a, b), Kind::Lambda(_, c, d)) | (Kind::Pi(_, a, b), Kind::Pi(_, c, d)) => {
                waiting.extend([(a, c, depth), (b, d, depth + 1)]);
            }
            _ if a == b => {}
            _ => return false,
        }
    }
    true
}

/// A fixed order of terms, by which commuted sums are sorted.
pub(crate) fn is_before(a: &Term, b: &Term) -> bool {
    use std::cmp::Ordering;

    budget::step();
    let ((head, args), (other, others)) = (a.head_args(), b.head_args());
    if others.iter().any(|x| a == *x || deeper(|| is_before(a, x))) {
        return true;
    }
    if args.iter().any(|x| b == *x || deeper(|| is_before(b, x))) {
        return false;
    }
    match weight(head, args.len()).cmp(&weight(other, others.len())) {
        Ordering::Less => return true,
        Ordering::Greater => return false,
        Ordering::Equal => {}
    }
    let heads = match (head.kind(), other.kind()) {
        (Kind::Local(x), Kind::Local(y)) => x.cmp(y),
        (Kind::Meta(x), Kind::Meta(y)) => x.cmp(y),
        (Kind::Lit(x), Kind::Lit(y)) => x.cmp(y),
        (Kind::Const(x, _), Kind::Const(y, _)) => x.cmp(y),
        _ => Ordering::Equal,
    };
    match heads.then(args.len().cmp(&others.len())) {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => {
            args.iter().zip(&others).find(|(x, y)| x != y).is_some_and(|(x, y)| deeper(|| is_before(x, y)))
        }
    }
}

/// Variables come before constants, and these before applications; literals are applications in Lean.
fn weight(head: &Term, n_args: usize) -> u8 {
    match head.kind() {
        Kind::Lit(_) => 5,
        _ if n_args > 0 => 5,
        Kind::Bound(_) => 0,
        Kind::Local(_) => 1,
        Kind::Meta(_) => 2,
        Kind::Sort(_) => 3,
        Kind::Const(..) => 4,
        Kind::App(..) => 5,
        Kind::Lambda(..) => 6,
        Kind::Pi(..) => 7,
        Kind::Let(..) => 8,
    }
}
