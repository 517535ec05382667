//! The consequences that `omega` derives from assumed facts.

use super::formula::{Form, Formula};
use super::omega::{Alternative, Omega};
use super::refute::Fact;
use super::{lemma, operation};
use crate::budget;
use crate::elab::context::Result;
use crate::elab::whnf::constant;
use crate::kernel::term::{Term, deeper};

impl Omega<'_, '_> {
    /// Assumes a proposition, or the parts of a conjunction that are about numbers.
    pub(super) fn assume_parts(&mut self, proposition: &Term, proof: Term) -> Result<()> {
        if let Some([p, q]) = self.ctx.application_of::<2>(proposition, "And") {
            let projection = |name: &str| lemma(name, [p.clone(), q.clone(), proof.clone()]);
            let (left, right) = (projection("And.left"), projection("And.right"));
            budget::step();
            deeper(|| self.assume_parts(&p, left))?;
            return deeper(|| self.assume_parts(&q, right));
        }
        match Formula::read(self.ctx, proposition)? {
            Some(formula) => self.assume(&formula, proof),
            None => Ok(()),
        }
    }

    pub(super) fn assume(&mut self, formula: &Formula, proof: Term) -> Result<()> {
        budget::step();
        let projection = |name: &str, p: &Formula, q: &Formula, proof: &Term| {
            lemma(name, [p.proposition.clone(), q.proposition.clone(), proof.clone()])
        };
        match &formula.form {
            Form::True => Ok(()),
            Form::False => {
                self.absurd = Some(proof);
                Ok(())
            }
            Form::Le(a, b) => self.fact((a.clone(), b.clone()), (proof, None)),
            Form::Lt(a, b) => {
                let next = operation("Nat.add", a, &Term::lit(1u32));
                self.fact((next, b.clone()), (proof, None))
            }
            Form::Eq(a, b) => {
                let direction = |name: &str| lemma(name, [a.clone(), b.clone(), proof.clone()]);
                let proofs = (direction("Nat.le_of_eq"), Some(direction("Nat.ge_of_eq")));
                self.fact((a.clone(), b.clone()), proofs)
            }
            Form::And(p, q) => {
                self.assume(p, projection("And.left", p, q, &proof))?;
                self.assume(q, projection("And.right", p, q, &proof))
            }
            Form::Or(p, q) => self.alternative((**p).clone(), (**q).clone(), proof),
            Form::Imp(p, q) => {
                let terms = [p.proposition.clone(), q.proposition.clone(), p.decided(), proof];
                let proof = lemma("Nat.Linear.or_of_imp", terms);
                self.alternative(Formula::not((**p).clone()), (**q).clone(), proof)
            }
            Form::Iff(p, q) => {
                let there = Formula::imp((**p).clone(), (**q).clone());
                self.assume(&there, projection("Iff.mp", p, q, &proof))?;
                let back = Formula::imp((**q).clone(), (**p).clone());
                self.assume(&back, projection("Iff.mpr", p, q, &proof))
            }
            Form::Not(negated) => self.assume_not(negated, proof),
        }
    }

    /// Assumes the negation of a formula.
    fn assume_not(&mut self, formula: &Formula, proof: Term) -> Result<()> {
        let (not, name) = (|p: &Formula| Formula::not(p.clone()), |n: &str| format!("Nat.Linear.{n}"));
        match &formula.form {
            Form::True => {
                self.absurd = Some(Term::app(proof, constant("True.intro")));
                Ok(())
            }
            Form::False => Ok(()),
            Form::Le(a, b) => {
                let proof = lemma("Nat.lt_of_not_le", [a.clone(), b.clone(), proof]);
                self.assume(&Formula::lt(b.clone(), a.clone()), proof)
            }
            Form::Lt(a, b) => {
                let proof = lemma("Nat.le_of_not_lt", [a.clone(), b.clone(), proof]);
                self.assume(&Formula::le(b.clone(), a.clone()), proof)
            }
            Form::Eq(a, b) => {
                let proof = lemma("Nat.lt_or_gt_of_ne", [a.clone(), b.clone(), proof]);
                let (less, more) = (Formula::lt(a.clone(), b.clone()), Formula::lt(b.clone(), a.clone()));
                self.alternative(less, more, proof)
            }
            Form::Not(p) => {
                let negated = formula.proposition.clone();
                let terms = [p.proposition.clone(), negated, p.decided(), proof];
                self.assume(p, lemma("Or.resolve_right", terms))
            }
            Form::And(p, q) => {
                let terms = [p.proposition.clone(), q.proposition.clone(), p.decided(), proof];
                self.alternative(not(p), not(q), lemma(&name("or_of_not_and"), terms))
            }
            Form::Or(p, q) => {
                let terms = [p.proposition.clone(), q.proposition.clone(), proof];
                self.assume(&Formula::and(not(p), not(q)), lemma(&name("and_of_not_or"), terms))
            }
            Form::Imp(p, q) => {
                let terms = [p.proposition.clone(), q.proposition.clone(), p.decided(), proof];
                let both = Formula::and((**p).clone(), not(q));
                self.assume(&both, lemma(&name("and_of_not_imp"), terms))
            }
            Form::Iff(p, q) => {
                let (x, y) = (p.proposition.clone(), q.proposition.clone());
                let first = lemma(&name("imp_not_of_not_iff"), [x.clone(), y.clone(), proof.clone()]);
                self.assume(&Formula::imp((**p).clone(), not(q)), first)?;
                let second = lemma(&name("not_imp_of_not_iff"), [x, y, q.decided(), proof]);
                self.assume(&Formula::imp(not(p), (**q).clone()), second)
            }
        }
    }

    fn fact(&mut self, sides: (Term, Term), proofs: (Term, Option<Term>)) -> Result<()> {
        let fact = Fact::new(self.ctx, &mut self.evaluator, sides, proofs)?;
        self.facts.push(fact);
        Ok(())
    }

    pub(super) fn alternative(&mut self, left: Formula, right: Formula, proof: Term) -> Result<()> {
        // Its atoms are variables from here on.
        self.holds(&left, &[])?;
        self.holds(&right, &[])?;
        self.alternatives.push(Alternative { left, right, proof });
        Ok(())
    }
}
