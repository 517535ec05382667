//! Introducing, applying, and closing goals.

use std::sync::Arc;

use super::Tactics;
use crate::elab::context::{Local, Result, fail};
use crate::elab::whnf::constant;
use crate::kernel::term::{Kind, Level, MetaId, Name, Term, deeper};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::{Location, Pattern};

impl Tactics<'_, '_> {
    /// Introduces the argument of a goal that is a function type.
    pub(super) fn intro_one(&mut self, goal: MetaId, name: Option<&Name>) -> Result<(MetaId, Local)> {
        let decl = self.decl(goal);
        let mut ty = decl.ty.clone();
        if !matches!(ty.kind(), Kind::Pi(..) | Kind::Let(..)) {
            ty = self.ctx.whnf(&ty)?;
        }
        let named = |given: Option<&Name>, own: &Name| match given {
            Some(name) => (Arc::clone(name), true),
            None => (Arc::clone(own), false),
        };
        let (local, body) = match ty.kind() {
            Kind::Pi(binder, from, to) => {
                let (name, accessible) = named(name, &binder.name);
                let local = self.ctx.new_local(&name, accessible, from.clone(), None);
                let body = to.instantiated(&local.term());
                (local, body)
            }
            Kind::Let(binder, ty, value, body) => {
                let (name, accessible) = named(name, &binder.name);
                let local = self.ctx.new_local(&name, accessible, ty.clone(), Some(value.clone()));
                let body = body.instantiated(&local.term());
                (local, body)
            }
            _ => {
                let shown = self.ctx.show(&decl.ty);
                return fail(format!("there is nothing to introduce in the goal\n  {shown}"));
            }
        };
        let (new, value) = self.goal_below(&decl.scope, std::slice::from_ref(&local), body, decl.tag)?;
        self.replace(goal, value, [new])?;
        Ok((new, local))
    }

    pub(super) fn intro(&mut self, goal: MetaId, patterns: &[Pattern]) -> Result<()> {
        if patterns.is_empty() {
            return self.intro_one(goal, None).map(|_| ());
        }
        let tag = self.decl(goal).tag;
        let goals = self.rintro(goal, patterns)?;
        // Unlike `rintro`, `intro` keeps the tag of a single goal.
        if let [only] = goals[..] {
            self.with_tag(only, &tag)?;
        }
        Ok(())
    }

    /// Introduces variables and destructures them. Returns the resulting goals.
    pub(super) fn rintro(&mut self, goal: MetaId, patterns: &[Pattern]) -> Result<Vec<MetaId>> {
        let mut goals = vec![goal];
        for pattern in patterns {
            let mut next = Vec::new();
            for goal in goals {
                next.extend(self.intro_pattern(goal, pattern)?);
            }
            goals = next;
        }
        Ok(goals)
    }

    fn intro_pattern(&mut self, goal: MetaId, pattern: &Pattern) -> Result<Vec<MetaId>> {
        match pattern {
            Pattern::Name(name) => Ok(vec![self.intro_one(goal, Some(name))?.0]),
            Pattern::Wildcard => Ok(vec![self.intro_one(goal, None)?.0]),
            pattern => {
                let (goal, local) = self.intro_one(goal, None)?;
                self.destruct(goal, &local, pattern)
            }
        }
    }

    pub(super) fn intros(&mut self, goal: MetaId, names: &[Name]) -> Result<()> {
        let mut goal = goal;
        for name in names {
            goal = self.intro_one(goal, (&**name != "_").then_some(name))?.0;
        }
        while names.is_empty() {
            let ty = self.decl(goal).ty;
            if !matches!(self.ctx.whnf_core(&ty)?.kind(), Kind::Pi(..) | Kind::Let(..)) {
                break;
            }
            goal = self.intro_one(goal, None)?.0;
        }
        Ok(())
    }

    pub(super) fn assumption(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        for local in decl.scope.iter().rev() {
            if self.ctx.unify(&local.ty, &decl.ty)? {
                return self.replace(goal, local.term(), []);
            }
        }
        let shown = self.ctx.show(&decl.ty);
        fail(format!("no hypothesis matches the goal\n  {shown}"))
    }

    pub(super) fn exfalso(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let (new, value) = self.goal_below(&decl.scope, &[], constant("False"), decl.tag)?;
        let value = self.absurdity(value, &decl.ty)?;
        self.replace(goal, value, [new])
    }

    /// A proof of any proposition from a proof of `False`.
    pub(super) fn absurdity(&mut self, proof: Term, ty: &Term) -> Result<Term> {
        let level = self.ctx.level_of(ty)?;
        let motive = Term::lambda(crate::kernel::term::Binder::explicit("x"), constant("False"), ty.clone());
        let rec = Term::constant("False.rec", self.ctx.rec_levels("False", &[], level));
        Ok(Term::apps(rec, [motive, proof]))
    }

    pub(super) fn absurd(&mut self, goal: MetaId, expr: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let proof = self.closed_term(&decl.scope, expr, None)?;
        let ty = self.ctx.infer(&proof)?;
        let (new, opposite) = self.goal_below(&decl.scope, &[], Term::app(constant("Not"), ty), decl.tag)?;
        let value = self.absurdity(Term::app(opposite, proof), &decl.ty)?;
        self.replace(goal, value, [new])
    }

    /// `rfl`, a hypothesis, `True`, contradictory hypotheses, or a conjunction of such.
    pub(super) fn trivial(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        if self.attempt(|t| t.assumption(goal))?.is_ok() || self.attempt(|t| t.rfl(goal))?.is_ok() {
            return Ok(());
        }
        if self.attempt(|t| t.contradiction(goal))?.is_ok() {
            return Ok(());
        }
        let ty = self.ctx.whnf(&decl.ty)?;
        match ty.head().kind() {
            Kind::Const(name, _) if matches!(&**name, "True" | "And") => self.focused(goal, |t| {
                t.constructor(goal)?;
                t.goals.clone().into_iter().try_for_each(|part| deeper(|| t.trivial(part)))
            }),
            _ => {
                let shown = self.ctx.show(&decl.ty);
                fail(format!("`trivial` does not close the goal\n  {shown}"))
            }
        }
    }

    /// Closes `a = b` or `p ↔ q`, both sides equal by computation, and `n ≤ n`.
    pub(super) fn rfl(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let mut ty = self.ctx.whnf_core(&decl.ty)?;
        loop {
            let (head, args) = ty.head_args();
            if let Kind::Const(name, levels) = head.kind() {
                let refl = match (&**name, args.as_slice()) {
                    ("Eq", [alpha, a, b]) => {
                        let (a, b) = ((*a).clone(), (*b).clone());
                        let refl = Term::constant("Eq.refl", Arc::<[Level]>::clone(levels));
                        self.ctx.unify(&a, &b)?.then(|| Term::apps(refl, [(*alpha).clone(), a]))
                    }
                    ("Iff", [p, q]) => {
                        let (p, q) = ((*p).clone(), (*q).clone());
                        self.ctx.unify(&p, &q)?.then(|| Term::app(constant("Iff.refl"), p))
                    }
                    ("Nat.le", [a, b]) => {
                        let (a, b) = ((*a).clone(), (*b).clone());
                        self.ctx.unify(&a, &b)?.then(|| Term::app(constant("Nat.le_refl"), a))
                    }
                    _ => {
                        if let Some(next) = self.ctx.unfold(&ty)? {
                            ty = next;
                            continue;
                        }
                        None
                    }
                };
                if let Some(value) = refl {
                    return self.replace(goal, value, []);
                }
            }
            let shown = self.ctx.show(&decl.ty);
            return fail(format!("the sides are not equal by computation\n  {shown}"));
        }
    }

    pub(super) fn symm(&mut self, goal: MetaId, at: &Location) -> Result<()> {
        let mut goal = goal;
        for name in &at.hypotheses {
            let decl = self.decl(goal);
            let local = self.local_named(&decl.scope, name)?;
            let (ty, lemma) = self.turned(&local.ty)?;
            let value = Term::app(lemma, local.term());
            goal = self.replace_hypothesis(goal, &local, ty, value)?;
        }
        if !at.goal {
            return Ok(());
        }
        let decl = self.decl(goal);
        let (ty, _) = self.turned(&decl.ty)?;
        let (_, lemma) = self.turned(&ty)?;
        let (new, value) = self.goal_below(&decl.scope, &[], ty, decl.tag)?;
        self.replace(goal, Term::app(lemma, value), [new])
    }

    /// A symmetric relation with its sides exchanged, and the lemma for it.
    fn turned(&mut self, ty: &Term) -> Result<(Term, Term)> {
        let ty = self.ctx.whnf_core(ty)?;
        let (head, args) = ty.head_args();
        if let Kind::Const(name, levels) = head.kind() {
            let lemma = |name: &str| Term::constant(name, Arc::<[Level]>::clone(levels));
            let owned: Vec<Term> = args.iter().map(|a| (*a).clone()).collect();
            match (&**name, owned.as_slice()) {
                ("Eq" | "Ne", [alpha, a, b]) => {
                    let turned = Term::apps(head.clone(), [alpha.clone(), b.clone(), a.clone()]);
                    return Ok((turned, Term::apps(lemma(&format!("{name}.symm")), owned)));
                }
                ("Iff", [p, q]) => {
                    let turned = Term::apps(head.clone(), [q.clone(), p.clone()]);
                    return Ok((turned, Term::apps(lemma("Iff.symm"), owned)));
                }
                _ => {}
            }
        }
        let shown = self.ctx.show(&ty);
        fail(format!("`symm` needs `a = b`, `a ≠ b` or `p ↔ q`, not\n  {shown}"))
    }

    pub(super) fn sorry(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let level = self.ctx.level_of(&decl.ty)?;
        let value = Term::app(Term::constant("sorryAx", vec![level]), decl.ty);
        self.replace(goal, value, [])
    }
}
