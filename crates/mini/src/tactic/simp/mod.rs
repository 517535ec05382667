//! `simp` and its relatives: exhaustive simplification by left-to-right rules.

mod arguments;
mod arith;
mod congruence;
mod constructors;
pub(crate) mod lemma;
mod matching;
mod rewrite;

use self::lemma::Source;
use self::rewrite::{Rules, Simplified, Simplifier, proof_of};
use super::Tactics;
use crate::elab::context::{Local, Result, fail};
use crate::elab::whnf::constant;
use crate::kernel::term::{MetaId, Term};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::{Location, SimpArgument};

/// Maximum number of passes of `simp_all` over all hypotheses.
const MAX_ROUNDS: usize = 16;

/// The result for a goal.
enum Outcome {
    Closed,
    Same,
    Changed(MetaId),
}

/// A hypothesis in `simp_all`.
struct Fact {
    local: Local,
    /// Its current statement.
    ty: Term,
    /// Its proof.
    proof: Term,
    is_changed: bool,
}

impl Tactics<'_, '_> {
    pub(super) fn simp(
        &mut self,
        goal: MetaId,
        only: bool,
        arguments: &[SimpArgument],
        at: &Location,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let rules = self.simp_rules(&decl.scope, only, arguments)?;
        let mut locals = Vec::new();
        if at.everywhere {
            for local in decl.scope.iter().filter(|l| l.value.is_none()) {
                let ty = self.ctx.instantiate(&local.ty);
                if self.ctx.is_proposition(&ty)? {
                    locals.push(local.clone());
                }
            }
        } else {
            for name in &at.hypotheses {
                locals.push(self.local_named(&decl.scope, name)?);
            }
        }
        let mut goal = goal;
        let mut is_any = false;
        let mut asserted: Vec<(Local, Option<(Term, Term)>)> = Vec::new();
        for local in locals {
            let ty = self.ctx.instantiate(&local.ty);
            let simplified = Simplifier::new(self.ctx, &rules, Some(local.id)).simplify(&ty)?;
            if simplified.term == ty {
                continue;
            }
            is_any = true;
            if simplified.is_false() {
                return self.close_by(goal, carried(&local.term(), &ty, simplified));
            }
            if simplified.is_true() {
                asserted.push((local, None));
            } else if simplified.proof.is_none() {
                goal = self.replace_hypothesis(goal, &local, simplified.term, local.term())?;
            } else {
                let new = simplified.term.clone();
                let proof = carried(&local.term(), &ty, simplified);
                asserted.push((local, Some((new, proof))));
            }
        }
        if at.goal || at.everywhere {
            match self.simplified_goal(goal, &rules)? {
                Outcome::Closed => return Ok(()),
                Outcome::Same => {}
                Outcome::Changed(new) => (goal, is_any) = (new, true),
            }
        }
        if !is_any {
            return fail("simp made no progress");
        }
        self.with_facts(goal, asserted).map(|_| ())
    }

    /// Appends simplified hypotheses to the others, and removes the originals.
    fn with_facts(&mut self, goal: MetaId, facts: Vec<(Local, Option<(Term, Term)>)>) -> Result<MetaId> {
        let mut goal = goal;
        let mut old = Vec::new();
        for (local, new) in facts {
            old.push(local.id);
            if let Some((ty, proof)) = new {
                goal = self.assert(goal, &local.name, local.accessible, ty, proof)?.0;
            }
        }
        for id in old.into_iter().rev() {
            if let Ok(cleared) = self.attempt(|t| t.cleared(goal, &[id]))? {
                goal = cleared;
            }
        }
        Ok(goal)
    }

    /// Closes a goal by a proof of `False`.
    fn close_by(&mut self, goal: MetaId, falsity: Term) -> Result<()> {
        let ty = self.decl(goal).ty;
        let value = self.absurdity(falsity, &ty)?;
        self.replace(goal, value, [])
    }

    fn simplified_goal(&mut self, goal: MetaId, rules: &Rules) -> Result<Outcome> {
        let decl = self.decl(goal);
        let simplified = Simplifier::new(self.ctx, rules, None).simplify(&decl.ty)?;
        if simplified.term == decl.ty {
            return Ok(Outcome::Same);
        }
        if simplified.is_true() {
            self.replace(goal, proof_of(&decl.ty, simplified.proof), [])?;
            return Ok(Outcome::Closed);
        }
        let new = self.new_goal(decl.scope, simplified.term.clone(), decl.tag);
        let value = match simplified.proof {
            Some(proof) => Term::apps(constant("Eq.mpr"), [decl.ty, simplified.term, proof, Term::meta(new)]),
            None => Term::meta(new),
        };
        self.replace(goal, value, [new])?;
        Ok(Outcome::Changed(new))
    }

    pub(super) fn simp_all(&mut self, goal: MetaId, only: bool, arguments: &[SimpArgument]) -> Result<()> {
        let decl = self.decl(goal);
        let given = self.simp_rules(&decl.scope, only, arguments)?;
        let mut facts = Vec::new();
        for local in decl.scope.iter().filter(|l| l.value.is_none()) {
            let ty = self.ctx.instantiate(&local.ty);
            if self.ctx.is_proposition(&ty)? {
                facts.push(Fact { local: local.clone(), proof: local.term(), ty, is_changed: false });
            }
        }
        let mut rules = with_rules_of(&given, &facts);
        let mut rounds = 0;
        let mut again = true;
        while std::mem::take(&mut again) && rounds < MAX_ROUNDS {
            rounds += 1;
            for at in 0..facts.len() {
                let Fact { local, ty, proof, .. } = &facts[at];
                let simplified = Simplifier::new(self.ctx, &rules, Some(local.id)).simplify(ty)?;
                if simplified.term == *ty {
                    continue;
                }
                let (new, is_false) = (simplified.term.clone(), simplified.is_false());
                let proof = carried(proof, ty, simplified);
                if is_false {
                    return self.close_by(goal, proof);
                }
                let fact = &mut facts[at];
                (fact.ty, fact.proof, fact.is_changed, again) = (new, proof, true, true);
                rules = with_rules_of(&given, &facts);
            }
        }
        let outcome = self.simplified_goal(goal, &rules)?;
        let goal = match outcome {
            Outcome::Closed => return Ok(()),
            Outcome::Changed(new) => new,
            Outcome::Same if rounds > 1 => goal,
            Outcome::Same => return fail("simp_all made no progress"),
        };
        let changed = facts.into_iter().filter(|f| f.is_changed).map(|f| {
            let is_true = rewrite::is_constant(&f.ty, "True");
            (f.local, (!is_true).then_some((f.ty, f.proof)))
        });
        self.with_facts(goal, changed.collect()).map(|_| ())
    }

    pub(super) fn simpa(
        &mut self,
        goal: MetaId,
        only: bool,
        arguments: &[SimpArgument],
        using: Option<&Expr>,
    ) -> Result<()> {
        let scope = self.decl(goal).scope;
        let rules = self.simp_rules(&scope, only, arguments)?;
        let goal = match self.simplified_goal(goal, &rules)? {
            Outcome::Closed => return Ok(()),
            Outcome::Same => goal,
            Outcome::Changed(new) => new,
        };
        let this = scope.iter().rev().find(|l| l.accessible && &*l.name == "this").map(Local::term);
        let term = match (using, this) {
            (Some(using), _) => {
                let mut elaborator = self.elaborator(&scope);
                let term = elaborator.whole(using, None)?;
                if !elaborator.goals.is_empty() {
                    return fail("`?_` is not allowed here; `refine` makes goals of them");
                }
                term
            }
            (None, Some(this)) => this,
            (None, None) => return self.assumption(goal),
        };
        let term = self.ctx.instantiate(&term);
        let ty = self.ctx.infer(&term)?;
        let ty = self.ctx.instantiate(&ty);
        let simplified = Simplifier::new(self.ctx, &rules, None).simplify(&ty)?;
        if simplified.is_false() {
            return self.close_by(goal, carried(&term, &ty, simplified));
        }
        let target = self.decl(goal).ty;
        let new = simplified.term.clone();
        let proof = carried(&term, &ty, simplified);
        if !self.ctx.unify_reducible(&new, &target)? && !self.ctx.unify(&new, &target)? {
            let (new, target) = (self.ctx.show(&new), self.ctx.show(&target));
            return fail(format!(
                "after simplification the term proves\n  {new}\nbut the goal is\n  {target}"
            ));
        }
        let proof = self.ctx.instantiate(&proof);
        if let Some(using) = using {
            self.elaborator(&scope).no_holes(&proof, using.span())?;
        }
        self.replace(goal, proof, [])
    }
}

/// The proof of a simplified proposition.
fn carried(proof: &Term, ty: &Term, simplified: Simplified) -> Term {
    match simplified.proof {
        Some(equation) => {
            Term::apps(constant("Eq.mp"), [ty.clone(), simplified.term, equation, proof.clone()])
        }
        None => proof.clone(),
    }
}

fn with_rules_of(given: &Rules, facts: &[Fact]) -> Rules {
    let mut rules = given.clone();
    for fact in facts {
        let id = fact.local.id;
        let source = Source::new("".into(), Some(id), fact.proof.clone(), fact.ty.clone());
        source.rules().into_iter().for_each(|rule| rules.add(rule));
    }
    rules
}
