//! Equations between constructors: false if they differ, and equations of their arguments otherwise.

use super::rewrite::{Simplified, Simplifier};
use crate::elab::context::{Result, lambdas};
use crate::elab::whnf::constant;
use crate::kernel::env::Body;
use crate::kernel::term::{Kind, Term};
use crate::tactic::Tactics;
use crate::tactic::contradiction::Constructors;

impl Simplifier<'_, '_, '_> {
    /// The meaning of an equation between constructors.
    pub(super) fn constructors(&mut self, term: &Term) -> Result<Option<Simplified>> {
        let (head, args) = term.head_args();
        let [_, a, b] = args.as_slice() else { return Ok(None) };
        let is_equation = matches!(head.kind(), Kind::Const(name, _) if &**name == "Eq");
        if !is_equation || !self.is_constructor(a) || !self.is_constructor(b) {
            return Ok(None);
        }
        let equation = self.ctx.new_local(&"h".into(), false, term.clone(), None);
        let mut tactics = Tactics { ctx: self.ctx, goals: Vec::new() };
        let found = tactics.constructors_of(&equation.term(), term)?;
        let over = std::slice::from_ref(&equation);
        let equal = match found {
            Constructors::Unknown => return Ok(None),
            Constructors::Different(falsity) => {
                let proof = lambdas(over, falsity);
                let proof = Term::apps(constant("eq_false"), [term.clone(), proof]);
                return Ok(Some(Simplified { term: constant("False"), proof: Some(proof) }));
            }
            Constructors::Same(equal) => equal.into_iter().map(|(_, proof)| proof).collect::<Vec<_>>(),
        };
        // Only where every field has its equation, of which there is at least one.
        let (constructor, xs) = a.head_args();
        let ys = b.head_args().1;
        let Some(first) = xs.len().checked_sub(equal.len()).filter(|_| !equal.is_empty()) else {
            return Ok(None);
        };
        if self.n_params(constructor) != Some(first) {
            return Ok(None);
        }
        let mut equations = Vec::new();
        for proof in &equal {
            let ty = self.ctx.infer(proof)?;
            equations.push(self.ctx.instantiate(&ty));
        }
        let (statement, forward) = conjunction(&equations, &equal);
        let all = self.ctx.new_local(&"h".into(), false, statement.clone(), None);
        let changed: Vec<(usize, Simplified)> = parts(&equations, &all.term())
            .into_iter()
            .enumerate()
            .map(|(at, proof)| (first + at, Simplified { term: ys[first + at].clone(), proof: Some(proof) }))
            .collect();
        let constructor_ty = self.ctx.infer(constructor)?;
        let new: Vec<Term> = ys.into_iter().cloned().collect();
        let Some(back) = self.congruence(constructor, constructor_ty, &xs, &new, changed)? else {
            return Ok(None);
        };
        let (forward, back) = (lambdas(over, forward), lambdas(std::slice::from_ref(&all), back));
        let iff = Term::apps(constant("Iff.intro"), [term.clone(), statement.clone(), forward, back]);
        let proof = Term::apps(constant("propext"), [term.clone(), statement.clone(), iff]);
        Ok(Some(Simplified { term: statement, proof: Some(proof) }))
    }

    fn is_constructor(&self, term: &Term) -> bool {
        matches!(term.head().kind(), Kind::Const(..)) && self.n_params(term.head()).is_some()
    }

    fn n_params(&self, constructor: &Term) -> Option<usize> {
        let Kind::Const(name, _) = constructor.kind() else { return None };
        match self.ctx.theory.env.get(name).map(|d| &d.body) {
            Some(Body::Constructor { n_params, .. }) => Some(*n_params),
            _ => None,
        }
    }
}

/// `p ∧ q ∧ r` and its proof.
fn conjunction(statements: &[Term], proofs: &[Term]) -> (Term, Term) {
    match (statements, proofs) {
        ([p, rest @ ..], [h, others @ ..]) if !rest.is_empty() => {
            let (q, k) = conjunction(rest, others);
            let proof = Term::apps(constant("And.intro"), [p.clone(), q.clone(), h.clone(), k]);
            (Term::apps(constant("And"), [p.clone(), q]), proof)
        }
        ([p], [h]) => (p.clone(), h.clone()),
        _ => (constant("True"), constant("trivial")),
    }
}

/// The proofs of the parts of `p ∧ q ∧ r` from one of the whole.
fn parts(statements: &[Term], whole: &Term) -> Vec<Term> {
    let mut whole = whole.clone();
    let mut proofs = Vec::new();
    for (at, p) in statements.iter().enumerate() {
        let rest = &statements[at + 1..];
        if rest.is_empty() {
            proofs.push(whole.clone());
            break;
        }
        let (q, _) = conjunction(rest, rest);
        let part = |side: &str| Term::apps(constant(side), [p.clone(), q.clone(), whole.clone()]);
        proofs.push(part("And.left"));
        whole = part("And.right");
    }
    proofs
}
