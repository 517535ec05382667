//! `omega`: linear arithmetic on natural numbers.

use super::evaluate::Evaluator;
use super::formula::{Form, Formula};
use super::refute::{Certificate, Fact};
use super::search::{Outcome, Row, search};
use super::{lemma, operation};
use crate::budget::{self, Account};
use crate::elab::context::{Failure, Local, MetaContext, Result, fail, lambdas};
use crate::elab::whnf::constant;
use crate::kernel::term::{Binder, Kind, MetaId, Term, deeper};
use crate::tactic::Tactics;
use crate::tactic::context::mentions;

/// Maximum number of case distinctions.
const MAX_SPLITS: u32 = 400;

/// One of two alternatives, with its proof.
#[derive(Clone)]
pub(super) struct Alternative {
    pub(super) left: Formula,
    pub(super) right: Formula,
    pub(super) proof: Term,
}

/// The facts of the current case.
pub(super) struct Omega<'c, 't> {
    pub(super) ctx: &'c mut MetaContext<'t>,
    pub(super) evaluator: Evaluator,
    pub(super) facts: Vec<Fact>,
    pub(super) alternatives: Vec<Alternative>,
    /// A proof of `False`, if one was found.
    pub(super) absurd: Option<Term>,
    /// Atoms before this were already searched for subtractions.
    n_seen: usize,
    splits_left: u32,
    /// Values that satisfy all facts, if some were found.
    counterexample: Vec<i128>,
}

impl Tactics<'_, '_> {
    /// Proves a goal by linear arithmetic on natural numbers, from hypotheses.
    pub(in crate::tactic) fn omega(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let mut omega = Omega {
            ctx: &mut *self.ctx,
            evaluator: Evaluator::linear(),
            facts: Vec::new(),
            alternatives: Vec::new(),
            absurd: None,
            n_seen: 0,
            splits_left: MAX_SPLITS,
            counterexample: Vec::new(),
        };
        for local in decl.scope.iter() {
            let ty = omega.ctx.instantiate(&local.ty);
            omega.assume_parts(&ty, local.term())?;
        }
        let example = match omega.prove(&decl.ty) {
            Ok(Some(proof)) => return self.replace(goal, proof, []),
            Ok(None) => omega.shown_counterexample(),
            Err(Failure { what, .. }) => what,
        };
        let ty = self.ctx.show(&decl.ty);
        fail(format!("`omega` does not prove\n  {ty}\n{example}"))
    }
}

impl Omega<'_, '_> {
    /// A proof of a proposition; `None` if none was found.
    fn prove(&mut self, goal: &Term) -> Result<Option<Term>> {
        budget::step();
        if let Kind::Pi(binder, from, to) = goal.kind() {
            let local = self.ctx.new_binder(binder, from.clone());
            let to = to.instantiated(&local.term());
            let proof = self.below(|o| {
                o.assume_parts(from, local.term())?;
                deeper(|| o.prove(&to))
            })?;
            return Ok(proof.map(|proof| lambdas(&[local], proof)));
        }
        match Formula::read(self.ctx, goal)? {
            Some(formula) => self.prove_formula(&formula),
            None => {
                let Some(proof) = self.refute()? else { return Ok(None) };
                let level = self.ctx.level_of(goal)?;
                let rec = Term::constant("False.rec", self.ctx.rec_levels("False", &[], level));
                let motive = Term::lambda(Binder::explicit("x"), constant("False"), goal.lifted(0, 1));
                Ok(Some(Term::apps(rec, [motive, proof])))
            }
        }
    }

    fn prove_formula(&mut self, goal: &Formula) -> Result<Option<Term>> {
        let by_contradiction = |o: &mut Self, name: &str, (a, b): (&Term, &Term), opposite: Formula| {
            let refutation = o.refute_assuming(opposite)?;
            Ok(refutation.map(|r| lemma(name, [b.clone(), a.clone(), r])))
        };
        match &goal.form {
            Form::True => Ok(Some(constant("True.intro"))),
            Form::False => self.refute(),
            Form::Le(a, b) => {
                let opposite = Formula::lt(b.clone(), a.clone());
                by_contradiction(self, "Nat.le_of_not_lt", (a, b), opposite)
            }
            Form::Lt(a, b) => {
                let opposite = Formula::le(b.clone(), a.clone());
                by_contradiction(self, "Nat.lt_of_not_le", (a, b), opposite)
            }
            Form::Eq(a, b) => {
                let Some(first) = self.prove_formula(&Formula::le(a.clone(), b.clone()))? else {
                    return Ok(None);
                };
                let second = self.prove_formula(&Formula::le(b.clone(), a.clone()))?;
                Ok(second.map(|s| lemma("Nat.le_antisymm", [a.clone(), b.clone(), first, s])))
            }
            Form::Not(p) => self.refute_assuming((**p).clone()),
            Form::And(p, q) => self.both("And.intro", p, q),
            Form::Iff(p, q) => {
                let (there, back) =
                    (Formula::imp((**p).clone(), (**q).clone()), Formula::imp((**q).clone(), (**p).clone()));
                let Some(there) = self.prove_formula(&there)? else { return Ok(None) };
                let back = self.prove_formula(&back)?;
                let propositions = [p.proposition.clone(), q.proposition.clone()];
                Ok(back.map(|b| Term::apps(lemma("Iff.intro", propositions), [there, b])))
            }
            Form::Imp(p, q) => {
                let local = self.hypothesis(p);
                let proof = self.below(|o| {
                    o.assume(p, local.term())?;
                    o.prove_formula(q)
                })?;
                Ok(proof.map(|proof| lambdas(&[local], proof)))
            }
            Form::Or(..) => {
                let opposite = Formula::not(goal.clone());
                let negated = opposite.proposition.clone();
                let refutation = self.refute_assuming(opposite)?;
                let name = "Or.resolve_right";
                Ok(refutation.map(|r| lemma(name, [goal.proposition.clone(), negated, goal.decided(), r])))
            }
        }
    }

    fn both(&mut self, name: &str, p: &Formula, q: &Formula) -> Result<Option<Term>> {
        let Some(first) = self.prove_formula(p)? else { return Ok(None) };
        let second = self.prove_formula(q)?;
        Ok(second.map(|s| lemma(name, [p.proposition.clone(), q.proposition.clone(), first, s])))
    }

    fn hypothesis(&mut self, formula: &Formula) -> Local {
        self.ctx.new_local(&"h".into(), false, formula.proposition.clone(), None)
    }

    /// A proof of `p → False`.
    fn refute_assuming(&mut self, formula: Formula) -> Result<Option<Term>> {
        let local = self.hypothesis(&formula);
        let proof = self.below(|o| {
            o.assume(&formula, local.term())?;
            o.refute()
        })?;
        Ok(proof.map(|proof| lambdas(&[local], proof)))
    }

    /// Runs `f` in a separate case: its assumptions are dropped afterwards.
    fn below<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let (n_facts, n_seen) = (self.facts.len(), self.n_seen);
        let (alternatives, absurd) = (self.alternatives.clone(), self.absurd.clone());
        let result = f(self);
        self.facts.truncate(n_facts);
        (self.alternatives, self.absurd, self.n_seen) = (alternatives, absurd, n_seen);
        result
    }

    /// Adds facts about subtractions.
    fn look_at_subtractions(&mut self) -> Result<()> {
        while let Some(atom) = self.evaluator.atoms.get(self.n_seen).cloned() {
            self.n_seen += 1;
            let Some([a, b]) = self.ctx.application_of::<2>(&atom, "Nat.sub") else { continue };
            let sum = operation("Nat.add", &atom, &b);
            let left = Formula::and(Formula::le(b.clone(), a.clone()), Formula::eq(sum, a.clone()));
            let zero = Formula::eq(atom, Term::lit(0u32));
            let right = Formula::and(Formula::lt(a.clone(), b.clone()), zero);
            self.alternative(left, right, lemma("Nat.sub_cases", [a, b]))?;
        }
        Ok(())
    }

    /// Whether a formula holds for these values.
    pub(super) fn holds(&mut self, formula: &Formula, values: &[i128]) -> Result<bool> {
        Ok(match &formula.form {
            Form::True => true,
            Form::False => false,
            Form::Le(a, b) => self.difference(a, b, values)?.is_some_and(|d| d <= 0),
            Form::Lt(a, b) => self.difference(a, b, values)?.is_some_and(|d| d < 0),
            Form::Eq(a, b) => self.difference(a, b, values)? == Some(0),
            Form::Not(p) => !self.holds(p, values)?,
            // Both are always evaluated, so that all atoms are known.
            Form::And(p, q) => self.holds(p, values)? & self.holds(q, values)?,
            Form::Or(p, q) => self.holds(p, values)? | self.holds(q, values)?,
            Form::Imp(p, q) => !self.holds(p, values)? | self.holds(q, values)?,
            Form::Iff(p, q) => self.holds(p, values)? == self.holds(q, values)?,
        })
    }

    fn difference(&mut self, a: &Term, b: &Term, values: &[i128]) -> Result<Option<i128>> {
        let (x, _) = self.evaluator.evaluate(self.ctx, a)?;
        let (y, _) = self.evaluator.evaluate(self.ctx, b)?;
        budget::visits(self.evaluator.atoms.len());
        let coefficients = vec![0; self.evaluator.atoms.len()];
        let mut row = Row { coefficients, constant: 0, is_equation: false };
        Ok(row.add(&x, 1).and_then(|()| row.add(&y, -1)).and_then(|()| row.value(values)))
    }

    /// A proof of `False` from the facts; `None` if none was found.
    fn refute(&mut self) -> Result<Option<Term>> {
        self.look_at_subtractions()?;
        if let Some(proof) = &self.absurd {
            return Ok(Some(proof.clone()));
        }
        let n_variables = self.evaluator.atoms.len();
        let memory = Account::default();
        budget::visits(self.facts.len() * n_variables);
        memory.take(self.facts.len() * n_variables * size_of::<i128>());
        let rows: Option<Vec<Row>> = self.facts.iter().map(|f| f.row(n_variables)).collect();
        let Some(rows) = rows else { return fail("The numbers are too large") };
        let (outcome, roundings) = search(n_variables, &rows);
        match outcome {
            Outcome::Contradiction(of) => {
                let (facts, atoms) = (&self.facts[..], &self.evaluator.atoms[..]);
                let certificate = Certificate { facts, atoms, roundings: &roundings };
                certificate.contradiction(self.ctx, &of).map(Some)
            }
            Outcome::Model(values) => {
                for at in 0..self.alternatives.len() {
                    let Alternative { left, right, .. } = self.alternatives[at].clone();
                    if !(self.holds(&left, &values)? || self.holds(&right, &values)?) {
                        return self.split(at);
                    }
                }
                self.counterexample = values;
                Ok(None)
            }
            Outcome::Split(variable, at) if at >= 0 => {
                let x = self.evaluator.atoms[variable].clone();
                let next = Term::lit(at.unsigned_abs() + 1);
                let proof = lemma("Nat.lt_or_ge", [x.clone(), next.clone()]);
                let (left, right) = (Formula::lt(x.clone(), next.clone()), Formula::le(next, x));
                self.alternatives.push(Alternative { left, right, proof });
                self.split(self.alternatives.len() - 1)
            }
            Outcome::Split(..) | Outcome::TooHard => {
                fail("It is too hard: too many facts, or too large numbers")
            }
        }
    }

    /// Distinguishes two cases.
    fn split(&mut self, at: usize) -> Result<Option<Term>> {
        match self.splits_left.checked_sub(1) {
            Some(left) => self.splits_left = left,
            None => return fail("It is too hard: too many cases"),
        }
        self.below(|o| {
            let Alternative { left, right, proof } = o.alternatives.remove(at);
            let mut branches = Vec::new();
            for formula in [&left, &right] {
                let local = o.hypothesis(formula);
                let refutation = o.below(|o| {
                    o.assume(formula, local.term())?;
                    deeper(|| o.refute())
                })?;
                match refutation {
                    None => return Ok(None),
                    // The proof does not need this case.
                    Some(refutation) if !mentions(&refutation, &[local.id]) => return Ok(Some(refutation)),
                    Some(refutation) => branches.push(lambdas(&[local], refutation)),
                }
            }
            let propositions = [left.proposition, right.proposition, constant("False"), proof];
            Ok(Some(Term::apps(lemma("Or.elim", propositions), branches)))
        })
    }

    fn shown_counterexample(&mut self) -> String {
        let atoms: Vec<Term> = self.evaluator.atoms.clone();
        let values = std::mem::take(&mut self.counterexample);
        let shown: Vec<String> =
            atoms.iter().zip(&values).map(|(a, v)| format!("{} = {v}", self.ctx.show(a))).collect();
        match shown.is_empty() {
            true => "No fact about natural numbers contradicts it".to_owned(),
            false => format!("What it knows holds for {}, where the goal may fail", shown.join(", ")),
        }
    }
}
