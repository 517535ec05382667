//! Tactics that change the context, and those that add statements to it.

use std::sync::Arc;

use super::Tactics;
use crate::elab::context::{Local, Result, Scope, fail, lambdas, pis};
use crate::elab::delab::shown_names;
use crate::kernel::term::{Kind, LocalId, MetaId, Name, Term};
use crate::syntax::ast::Expr;

/// Whether a term mentions one of some variables.
pub(super) fn mentions(term: &Term, ids: &[LocalId]) -> bool {
    term.has_local() && term.any(|t| matches!(t.kind(), Kind::Local(id) if ids.contains(id)))
}

impl Tactics<'_, '_> {
    /// The variables of a scope whose types depend on some others, not those themselves.
    pub(super) fn dependents(&mut self, scope: &Scope, of: &[LocalId]) -> Vec<Local> {
        let mut ids = of.to_vec();
        let mut found = Vec::new();
        for local in scope.iter() {
            if ids.contains(&local.id) {
                continue;
            }
            let ty = self.ctx.instantiate(&local.ty);
            let value = local.value.as_ref().map(|v| self.ctx.instantiate(v));
            if mentions(&ty, &ids) || value.is_some_and(|v| mentions(&v, &ids)) {
                ids.push(local.id);
                found.push(Local { ty, ..local.clone() });
            }
        }
        found
    }

    /// A scope without some variables.
    pub(super) fn without(scope: &Scope, ids: &[LocalId]) -> Scope {
        Arc::new(scope.iter().filter(|l| !ids.contains(&l.id)).cloned().collect())
    }

    /// Moves variables from the scope into the goal. They must include all that depend on them.
    pub(super) fn revert_locals(&mut self, goal: MetaId, locals: &[Local]) -> Result<MetaId> {
        if locals.is_empty() {
            return Ok(goal);
        }
        let decl = self.decl(goal);
        let ids: Vec<LocalId> = locals.iter().map(|l| l.id).collect();
        let scope = Self::without(&decl.scope, &ids);
        let ty = self.ctx.abstract_over(&decl.ty, locals)?;
        let new = self.new_goal(scope, pis(locals, ty), decl.tag);
        let args = locals.iter().filter(|l| l.value.is_none()).map(Local::term);
        self.replace(goal, Term::apps(Term::meta(new), args), [new])?;
        Ok(new)
    }

    pub(super) fn revert(&mut self, goal: MetaId, names: &[Name]) -> Result<()> {
        let decl = self.decl(goal);
        let named = names.iter().map(|n| self.local_named(&decl.scope, n)).collect::<Result<Vec<_>>>()?;
        let ids: Vec<LocalId> = named.iter().map(|l| l.id).collect();
        let dependents = self.dependents(&decl.scope, &ids);
        let is_out = |l: &&Local| ids.contains(&l.id) || dependents.iter().any(|d| d.id == l.id);
        let out: Vec<Local> = decl.scope.iter().filter(is_out).cloned().collect();
        self.revert_locals(goal, &out).map(|_| ())
    }

    /// Introduces the arguments of a goal again, with the names of the earlier variables.
    pub(super) fn intro_again(&mut self, goal: MetaId, locals: &[Local]) -> Result<MetaId> {
        let mut goal = goal;
        for local in locals {
            let (next, new) = self.intro_one(goal, Some(&local.name))?;
            goal = next;
            if !local.accessible {
                goal = self.with_names(goal, &[(new.id, Arc::clone(&local.name), false)])?;
            }
        }
        Ok(goal)
    }

    /// The goal with variables renamed.
    pub(super) fn with_names(&mut self, goal: MetaId, names: &[(LocalId, Name, bool)]) -> Result<MetaId> {
        let decl = self.decl(goal);
        let rename = |l: &Local| match names.iter().find(|(id, ..)| *id == l.id) {
            Some((_, name, accessible)) => {
                Local { name: Arc::clone(name), accessible: *accessible, ..l.clone() }
            }
            None => l.clone(),
        };
        let scope = Arc::new(decl.scope.iter().map(rename).collect());
        let new = self.new_goal(scope, decl.ty, decl.tag);
        self.replace(goal, Term::meta(new), [new])?;
        Ok(new)
    }

    /// The goal with one variable renamed.
    pub(super) fn with_name(&mut self, goal: MetaId, local: &Local, name: &Name) -> Result<MetaId> {
        self.with_names(goal, &[(local.id, Arc::clone(name), true)])
    }

    /// The goal with names for its last inaccessible variables.
    pub(super) fn renamed(&mut self, goal: MetaId, names: &[Name]) -> Result<MetaId> {
        if names.is_empty() {
            return Ok(goal);
        }
        let decl = self.decl(goal);
        let shown = shown_names(&decl.scope);
        let hidden: Vec<LocalId> =
            decl.scope.iter().filter(|l| shown.contains_key(&l.id)).map(|l| l.id).collect();
        let Some(skip) = hidden.len().checked_sub(names.len()) else {
            return fail(format!("there are {} names, and {} variables without", names.len(), hidden.len()));
        };
        let pairs = hidden[skip..].iter().zip(names).filter(|(_, name)| &***name != "_");
        let pairs: Vec<_> = pairs.map(|(id, name)| (*id, Arc::clone(name), true)).collect();
        self.with_names(goal, &pairs)
    }

    pub(super) fn rename_inaccessible(&mut self, goal: MetaId, names: &[Name]) -> Result<()> {
        self.renamed(goal, names).map(|_| ())
    }

    /// Removes variables on which nothing depends.
    pub(super) fn cleared(&mut self, goal: MetaId, ids: &[LocalId]) -> Result<MetaId> {
        let decl = self.decl(goal);
        if mentions(&decl.ty, ids) || !self.dependents(&decl.scope, ids).is_empty() {
            return fail("something depends on a hypothesis that is to be cleared");
        }
        let new = self.new_goal(Self::without(&decl.scope, ids), decl.ty, decl.tag);
        self.replace(goal, Term::meta(new), [new])?;
        Ok(new)
    }

    pub(super) fn clear(&mut self, goal: MetaId, names: &[Name]) -> Result<()> {
        let decl = self.decl(goal);
        let ids =
            names.iter().map(|n| Ok(self.local_named(&decl.scope, n)?.id)).collect::<Result<Vec<_>>>()?;
        self.cleared(goal, &ids).map(|_| ())
    }

    /// The goal with a new hypothesis after the others.
    pub(super) fn assert(
        &mut self,
        goal: MetaId,
        name: &Name,
        accessible: bool,
        ty: Term,
        value: Term,
    ) -> Result<(MetaId, Local)> {
        let decl = self.decl(goal);
        let local = self.ctx.new_local(name, accessible, ty, None);
        let (new, function) =
            self.goal_below(&decl.scope, std::slice::from_ref(&local), decl.ty, decl.tag)?;
        self.replace(goal, Term::app(function, value), [new])?;
        Ok((new, local))
    }

    /// The goal with a hypothesis replaced by another of the same name, at the same position if possible.
    pub(super) fn replace_hypothesis(
        &mut self,
        goal: MetaId,
        old: &Local,
        ty: Term,
        value: Term,
    ) -> Result<MetaId> {
        let decl = self.decl(goal);
        let ty = self.ctx.instantiate(&ty);
        let is_used = mentions(&decl.ty, &[old.id]) || !self.dependents(&decl.scope, &[old.id]).is_empty();
        let new = self.ctx.new_local(&old.name, old.accessible, ty.clone(), None);
        let mut scope = Vec::clone(&decl.scope);
        let at = scope.iter().position(|l| l.id == old.id).unwrap_or(scope.len());
        if is_used {
            scope.push(new.clone());
        } else {
            scope.remove(at);
            // Behind the last variable that it mentions.
            let last = scope[at..].iter().rposition(|l| mentions(&ty, &[l.id]));
            scope.insert(last.map_or(at, |last| at + last + 1), new.clone());
        }
        let next = self.new_goal(Arc::new(scope), decl.ty, decl.tag);
        let body = self.ctx.abstract_over(&Term::meta(next), std::slice::from_ref(&new))?;
        let function = lambdas(&[new], body);
        self.replace(goal, Term::app(function, value), [next])?;
        Ok(next)
    }

    pub(super) fn generalize(
        &mut self,
        goal: MetaId,
        equation: Option<&Name>,
        term: &Expr,
        name: &Name,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let term = self.closed_term(&decl.scope, term, None)?;
        let goal = self.generalized(goal, &term, equation.is_some())?;
        let (goal, _) = self.intro_one(goal, Some(name))?;
        if let Some(equation) = equation {
            self.intro_one(goal, Some(equation))?;
        }
        Ok(())
    }

    /// Generalizes a term in the goal to a variable `x`; optionally with an equation between both.
    pub(super) fn generalized(&mut self, goal: MetaId, term: &Term, with_equation: bool) -> Result<MetaId> {
        let decl = self.decl(goal);
        let alpha = self.ctx.infer(term)?;
        let body = self.ctx.abstract_term(&decl.ty, term)?;
        let local = self.ctx.new_local(&"x".into(), false, alpha.clone(), None);
        let mut ty = body.instantiated(&local.term());
        let mut args = vec![term.clone()];
        if with_equation {
            let equation = self.ctx.make_equation(&alpha, term.clone(), local.term())?;
            ty = Term::arrow(equation, ty);
            args.push(self.ctx.reflexivity(&alpha, term.clone())?);
        }
        let new = self.new_goal(decl.scope, pis(&[local], ty), decl.tag);
        self.replace(goal, Term::apps(Term::meta(new), args), [new])?;
        Ok(new)
    }

    pub(super) fn specialize(&mut self, goal: MetaId, expr: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let term = self.closed_term(&decl.scope, expr, None)?;
        let Kind::Local(id) = term.head().kind() else {
            return fail("`specialize` needs a hypothesis applied to arguments");
        };
        let Some(old) = decl.scope.iter().find(|l| l.id == *id).cloned() else {
            return fail("`specialize` needs a hypothesis applied to arguments");
        };
        let ty = self.ctx.infer(&term)?;
        let ty = self.ctx.instantiate(&ty);
        self.replace_hypothesis(goal, &old, ty, term).map(|_| ())
    }
}
