//! Tactics that state something new: claims, definitions, cases.

use std::sync::Arc;

use super::{Tactics, tag_with};
use crate::elab::context::{Result, fail};
use crate::elab::whnf::constant;
use crate::kernel::term::{Kind, MetaId, Name, Term};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::Pattern;

impl Tactics<'_, '_> {
    pub(super) fn have(
        &mut self,
        goal: MetaId,
        pattern: Option<&Pattern>,
        ty: Option<&Expr>,
        value: Option<&Expr>,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let ty = ty.map(|ty| self.closed_type(&decl.scope, ty)).transpose()?;
        let name: Name = match pattern {
            Some(Pattern::Name(name)) => Arc::clone(name),
            _ => "this".into(),
        };
        let (value, ty, made) = match (value, ty) {
            (Some(value), ty) => {
                let mut elaborator = self.elaborator(&decl.scope);
                let term = elaborator.whole(value, ty.as_ref())?;
                elaborator.no_holes(&term, value.span())?;
                let made = std::mem::take(&mut elaborator.goals);
                let found = self.ctx.infer(&term)?;
                let ty = ty.unwrap_or(found);
                (term, self.ctx.instantiate(&ty), made)
            }
            (None, Some(ty)) => {
                let first = self.new_goal(Arc::clone(&decl.scope), ty.clone(), Arc::clone(&name));
                (Term::meta(first), ty, Vec::new())
            }
            (None, None) => return fail("`have` needs a type or a value"),
        };
        let first = match value.kind() {
            Kind::Meta(id) if !self.ctx.is_assigned(*id) && made.is_empty() => Some(*id),
            _ => None,
        };
        let is_named = matches!(pattern, None | Some(Pattern::Name(_)));
        // The holes of the value are numbered, and the goal after them.
        let mut made = made;
        made.retain(|g| !self.ctx.is_assigned(*g));
        let n_holes = self.n_untagged(&made);
        let numbered = |at: usize| tag_with(&decl.tag, &format!("refine_{at}"));
        let tag = if n_holes == 0 { Arc::clone(&decl.tag) } else { numbered(n_holes + 1) };
        let made = self.with_tags(made, numbered);
        let (new, local) = self.assert(goal, &name, is_named, ty, value)?;
        let new = if tag == decl.tag { new } else { self.with_tag(new, &tag)? };
        if let Some(first) = first {
            let at = self.goals.iter().position(|g| *g == new).unwrap_or(0);
            self.goals.insert(at, first);
        }
        let goals = match pattern {
            None | Some(Pattern::Name(_)) => vec![new],
            Some(pattern) => match self.destruct(new, &local, pattern)?[..] {
                // A single goal keeps the tag.
                [only] => vec![self.with_tag(only, &tag)?],
                ref several => several.to_vec(),
            },
        };
        if let Some(last) = goals.last() {
            let at = self.goals.iter().position(|g| g == last).map_or(self.goals.len(), |at| at + 1);
            self.goals.splice(at..at, made);
        }
        Ok(())
    }

    pub(super) fn let_in(
        &mut self,
        goal: MetaId,
        name: &Name,
        ty: Option<&Expr>,
        value: &Expr,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let ty = ty.map(|ty| self.closed_type(&decl.scope, ty)).transpose()?;
        let value = self.closed_term(&decl.scope, value, ty.as_ref())?;
        let ty = match ty {
            Some(ty) => ty,
            None => self.ctx.infer(&value)?,
        };
        let local = self.ctx.new_local(name, true, ty, Some(value));
        let (new, body) = self.goal_below(&decl.scope, &[local], decl.ty, decl.tag)?;
        self.replace(goal, body, [new])
    }

    pub(super) fn suffices(
        &mut self,
        goal: MetaId,
        name: Option<&Name>,
        ty: &Expr,
        from: Option<&Expr>,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let ty = self.closed_type(&decl.scope, ty)?;
        let claim = self.new_goal(Arc::clone(&decl.scope), ty.clone(), Arc::clone(&decl.tag));
        let name = name.cloned().unwrap_or_else(|| "this".into());
        let (new, local) = self.assert(goal, &name, true, ty, Term::meta(claim))?;
        if let Some(from) = from {
            let decl = self.decl(new);
            let term = self.closed_term(&decl.scope, from, Some(&decl.ty))?;
            let _ = local;
            return self.replace(new, term, [claim]);
        }
        let at = self.goals.iter().position(|g| *g == new).map_or(self.goals.len(), |at| at + 1);
        self.goals.insert(at, claim);
        Ok(())
    }

    pub(super) fn by_cases(&mut self, goal: MetaId, name: Option<&Name>, proposition: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let p = self.closed_type(&decl.scope, proposition)?;
        if !self.ctx.is_proposition(&p)? || !self.ctx.is_proposition(&decl.ty)? {
            return fail(
                "unsupported: `by_cases` on something that is not a proposition, or for a goal that is not a proposition",
            );
        }
        let not_p = Term::app(constant("Not"), p.clone());
        let (name, accessible) = (name.cloned().unwrap_or_else(|| "h".into()), name.is_some());
        let mut goals = Vec::new();
        let mut cases = Vec::new();
        for (ty, tag) in [(&p, "pos"), (&not_p, "neg")] {
            let local = self.ctx.new_local(&name, accessible, ty.clone(), None);
            let (new, case) = self.goal_below(&decl.scope, &[local], decl.ty.clone(), tag.into())?;
            goals.push(new);
            cases.push(case);
        }
        let em = Term::app(constant("Classical.em"), p.clone());
        let args = [p, not_p, decl.ty, em].into_iter().chain(cases);
        self.replace(goal, Term::apps(constant("Or.elim"), args), goals)
    }

    pub(super) fn by_contra(&mut self, goal: MetaId, name: Option<&Name>) -> Result<()> {
        let decl = self.decl(goal);
        let (name, accessible) = (name.cloned().unwrap_or_else(|| "x".into()), name.is_some());
        let ty = self.ctx.whnf_core(&decl.ty)?;
        let is_negation = self.ctx.application_of::<1>(&ty, "Not");
        let (assumed, direct) = match is_negation {
            Some([p]) => (p, true),
            None => (Term::app(constant("Not"), decl.ty.clone()), false),
        };
        let local = self.ctx.new_local(&name, accessible, assumed, None);
        let (new, function) = self.goal_below(&decl.scope, &[local], constant("False"), decl.tag)?;
        let value = if direct {
            function
        } else {
            Term::apps(constant("Classical.byContradiction"), [decl.ty, function])
        };
        self.replace(goal, value, [new])
    }
}
