//! Tactics that replace goals and hypotheses by forms that are equal by computation or by extensionality.

use super::Tactics;
use crate::budget;
use crate::elab::context::{MetaDecl, Result, Scope, beta, fail};
use crate::kernel::term::{Kind, MetaId, Name, Term};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::Location;

impl Tactics<'_, '_> {
    pub(super) fn show(&mut self, goal: MetaId, ty: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let new = self.changed(&decl.scope, ty, &decl.ty)?;
        self.retyped(goal, decl, new)
    }

    /// A type equal to another by computation.
    pub(super) fn changed(&mut self, scope: &Scope, ty: &Expr, old: &Term) -> Result<Term> {
        let mut elaborator = self.elaborator(scope);
        let new = elaborator.whole_type(ty)?;
        if !self.ctx.unify(&new, old)? {
            let (new, old) = (self.ctx.show(&new), self.ctx.show(old));
            return fail(format!("the type\n  {new}\nis not equal by computation to\n  {old}"));
        }
        let new = self.ctx.instantiate(&new);
        self.elaborator(scope).no_holes(&new, ty.span())?;
        Ok(new)
    }

    pub(super) fn retyped(&mut self, goal: MetaId, decl: MetaDecl, ty: Term) -> Result<()> {
        let new = self.new_goal(decl.scope, ty, decl.tag);
        self.replace(goal, Term::meta(new), [new])
    }

    pub(super) fn change(&mut self, goal: MetaId, ty: &Expr, at: &Location) -> Result<()> {
        if at.goal {
            return self.show(goal, ty);
        }
        let mut goal = goal;
        for name in &at.hypotheses {
            let decl = self.decl(goal);
            let local = self.local_named(&decl.scope, name)?;
            let new = self.changed(&decl.scope, ty, &local.ty)?;
            goal = self.replace_hypothesis(goal, &local, new, local.term())?;
        }
        Ok(())
    }

    pub(super) fn unfold(&mut self, goal: MetaId, names: &[Name], at: &Location) -> Result<()> {
        let mut goal = goal;
        for name in &at.hypotheses {
            let decl = self.decl(goal);
            let local = self.local_named(&decl.scope, name)?;
            let ty = self.unfolded(&local.ty, names)?;
            goal = self.replace_hypothesis(goal, &local, ty, local.term())?;
        }
        if at.goal {
            let decl = self.decl(goal);
            let ty = self.unfolded(&decl.ty, names)?;
            self.retyped(goal, decl, ty)?;
        }
        Ok(())
    }

    /// A term with definitions unfolded.
    pub(super) fn unfolded(&mut self, term: &Term, names: &[Name]) -> Result<Term> {
        let term = self.ctx.instantiate(term);
        let mut failure = None;
        let mut n = 0;
        let unfolded = term.replace(&mut |t, _| {
            let Kind::Const(name, _) = t.head().kind() else { return None };
            if !names.contains(name) || failure.is_some() {
                return None;
            }
            match self.ctx.unfold(t) {
                Ok(Some(next)) => {
                    n += 1;
                    Some(next)
                }
                Ok(None) => None,
                Err(f) => {
                    failure = Some(f);
                    None
                }
            }
        });
        match failure {
            Some(failure) => Err(failure),
            None if n == 0 => fail(format!("there is nothing to unfold of {}", names.join(", "))),
            None => Ok(unfolded),
        }
    }

    /// `funext x y`; without names, for as long as the goal equates functions.
    pub(super) fn funext(&mut self, goal: MetaId, names: &[Name]) -> Result<()> {
        let mut goal = goal;
        for name in names {
            goal = self.funext_one(goal, Some(name))?;
        }
        if names.is_empty() {
            goal = self.funext_one(goal, None)?;
            while let Ok(next) = self.attempt(|t| t.funext_one(goal, None))? {
                budget::step();
                goal = next;
            }
        }
        Ok(())
    }

    fn funext_one(&mut self, goal: MetaId, name: Option<&Name>) -> Result<MetaId> {
        let decl = self.decl(goal);
        let head = self.elaborator(&decl.scope).constant("funext")?;
        let before = self.goals.clone();
        self.apply_term(goal, head, Vec::new())?;
        let made: Vec<MetaId> = self.goals.iter().filter(|g| !before.contains(g)).copied().collect();
        let [new] = made.as_slice() else { return fail("`funext` needs an equation of functions") };
        let goal = self.intro_one(*new, name)?.0;
        self.beta_reduce(goal)
    }

    /// The goal with applied functions in it reduced.
    pub(super) fn beta_reduce(&mut self, goal: MetaId) -> Result<MetaId> {
        let decl = self.decl(goal);
        let ty = decl.ty.replace(&mut |t, _| {
            let (head, args) = t.head_args();
            let is_redex = matches!(head.kind(), Kind::Lambda(..)) && !args.is_empty();
            is_redex.then(|| beta(head, &args.into_iter().cloned().collect::<Vec<_>>()))
        });
        let new = self.new_goal(decl.scope, ty, decl.tag);
        self.replace(goal, Term::meta(new), [new])?;
        Ok(new)
    }
}
