//! Elaborating terms that bind variables.

use std::sync::Arc;

use super::context::{Local, Result, fail, lambdas, pis};
use super::term::Elaborator;
use crate::kernel::term::{BinderInfo, Kind, Name, Term};
use crate::syntax::ast::{Binders, Expr, ExprKind};

impl Elaborator<'_, '_> {
    /// Adds a variable to the scope.
    pub(super) fn bind(&mut self, name: &Name, info: BinderInfo, ty: Term, value: Option<Term>) -> Local {
        let accessible = &**name != "_";
        let name: Name = if accessible { Arc::clone(name) } else { "x".into() };
        let mut local = self.ctx.new_local(&name, accessible, ty, value);
        local.info = info;
        Arc::make_mut(&mut self.scope).push(local.clone());
        local
    }

    /// Removes a variable from the scope.
    pub(super) fn unbind(&mut self) {
        Arc::make_mut(&mut self.scope).pop();
    }

    /// Wraps a term in a function if a function with implicit arguments is expected and the term is not one.
    pub(super) fn implicit_function(&mut self, expr: &Expr, expected: Option<&Term>) -> Result<Option<Term>> {
        let Some(expected) = expected else { return Ok(None) };
        let Kind::Pi(binder, from, to) = expected.kind() else { return Ok(None) };
        let is_own = match expr.kind() {
            ExprKind::Fun(binders, _) => binders.first().is_some_and(|b| b.implicit),
            ExprKind::Hole | ExprKind::Synthetic(_) | ExprKind::By(_) | ExprKind::Explicit(_) => true,
            ExprKind::App(head, _) => matches!(head.kind(), ExprKind::Explicit(_)),
            _ => false,
        };
        if binder.info == BinderInfo::Explicit || is_own {
            return Ok(None);
        }
        let local = self.bind(&binder.name, BinderInfo::Implicit, from.clone(), None);
        let ty = to.instantiated(&local.term());
        let body = self.typed(expr, &ty)?;
        self.unbind();
        let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
        Ok(Some(lambdas(&[local], body)))
    }

    pub(super) fn function(
        &mut self,
        binders: &[(&Name, Option<&Expr>, BinderInfo)],
        body: &Expr,
        expected: Option<&Term>,
    ) -> Result<Term> {
        let Some(((name, given, info), rest)) = binders.split_first() else {
            return match expected {
                Some(ty) => self.typed(body, ty),
                None => self.term(body, None),
            };
        };
        let expected = expected.map(|ty| self.ctx.whnf(ty)).transpose()?;
        let pi = match expected.as_ref().map(Term::kind) {
            Some(Kind::Pi(_, from, to)) => Some((from.clone(), to.clone())),
            _ => None,
        };
        let ty = match (given, &pi) {
            (Some(given), pi) => {
                let ty = self.ty(given)?;
                if let Some((from, _)) = pi
                    && !self.ctx.unify(&ty, from)?
                {
                    let (ty, from) = (self.ctx.show(&ty), self.ctx.show(from));
                    return fail(format!(
                        "the argument has type\n  {ty}\nbut is expected to have type\n  {from}"
                    ));
                }
                ty
            }
            (None, Some((from, _))) => from.clone(),
            (None, None) => self.type_hole(),
        };
        let local = self.bind(name, *info, ty, None);
        let body_ty = pi.map(|(_, to)| to.instantiated(&local.term()));
        let body = self.function(rest, body, body_ty.as_ref())?;
        self.unbind();
        let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
        Ok(lambdas(&[local], body))
    }

    pub(super) fn forall(
        &mut self,
        binders: &[(&Name, Option<&Expr>, BinderInfo)],
        body: &Expr,
    ) -> Result<Term> {
        let Some(((name, given, info), rest)) = binders.split_first() else { return self.ty(body) };
        let local = self.bound_of(name, *given, *info)?;
        let body = self.forall(rest, body)?;
        self.unbind();
        let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
        Ok(pis(&[local], body))
    }

    pub(super) fn exists(
        &mut self,
        binders: &[(&Name, Option<&Expr>, BinderInfo)],
        body: &Expr,
    ) -> Result<Term> {
        let Some(((name, given, _), rest)) = binders.split_first() else {
            return self.typed(body, &Term::prop());
        };
        let local = self.bound_of(name, *given, BinderInfo::Explicit)?;
        let body = self.exists(rest, body)?;
        self.unbind();
        let ty = local.ty.clone();
        let level = self.ctx.level_of(&ty)?;
        let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
        Ok(Term::apps(Term::constant("Exists", vec![level]), [ty, lambdas(&[local], body)]))
    }

    fn bound_of(&mut self, name: &Name, given: Option<&Expr>, info: BinderInfo) -> Result<Local> {
        let ty = match given {
            Some(given) => self.ty(given)?,
            None => self.type_hole(),
        };
        Ok(self.bind(name, info, ty, None))
    }

    /// Adds the binders of a statement to the scope.
    pub fn bind_all(&mut self, binders: &[Binders]) -> Result<Vec<Local>> {
        flat(binders).into_iter().map(|(name, ty, info)| self.bound_of(name, ty, info)).collect()
    }
}

pub(super) fn flat(binders: &[Binders]) -> Vec<(&Name, Option<&Expr>, BinderInfo)> {
    let info = |implicit: bool| if implicit { BinderInfo::Implicit } else { BinderInfo::Explicit };
    binders.iter().flat_map(|b| b.names.iter().map(move |n| (n, b.ty.as_ref(), info(b.implicit)))).collect()
}
