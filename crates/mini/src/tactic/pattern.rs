//! Destructs hypotheses by patterns: `rcases`, `obtain`, and patterns of `intro`.

use std::sync::Arc;

use super::Tactics;
use super::contradiction::arguments;
use crate::budget;
use crate::elab::context::{Local, Result, fail};
use crate::kernel::term::{BinderInfo, Kind, MetaId, Name, Term, deeper};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::Pattern;

/// A field of a constructor that is taken apart.
struct Field {
    /// Its name until then.
    mark: Name,
    /// Its name in the constructor's type.
    own: Name,
    /// How it is supplied.
    info: BinderInfo,
}

impl Tactics<'_, '_> {
    pub(super) fn rcases(&mut self, goal: MetaId, expr: &Expr, pattern: &Pattern) -> Result<()> {
        let decl = self.decl(goal);
        let term = self.closed_term(&decl.scope, expr, None)?;
        if let Pattern::Name(name) = pattern {
            let ty = self.ctx.infer(&term)?;
            let ty = self.ctx.instantiate(&ty);
            if self.ctx.is_proposition(&ty)? {
                return self.assert(goal, name, true, ty, term).map(|_| ());
            }
        }
        let (goal, local) = self.as_major(goal, &term, None)?;
        self.destruct(goal, &local, pattern).map(|_| ())
    }

    pub(super) fn obtain(&mut self, goal: MetaId, pattern: &Pattern, ty: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let ty = self.closed_type(&decl.scope, ty)?;
        let claim = self.new_goal(Arc::clone(&decl.scope), ty.clone(), "".into());
        let (new, local) = self.assert(goal, &"this".into(), false, ty, Term::meta(claim))?;
        let at = self.goals.iter().position(|g| *g == new).unwrap_or(0);
        self.goals.insert(at, claim);
        self.destruct(new, &local, pattern).map(|_| ())
    }

    /// Destructures a variable by a pattern. Returns the resulting goals.
    pub(super) fn destruct(&mut self, goal: MetaId, local: &Local, pattern: &Pattern) -> Result<Vec<MetaId>> {
        budget::step();
        deeper(|| self.destructed(goal, local, pattern))
    }

    fn destructed(&mut self, goal: MetaId, local: &Local, pattern: &Pattern) -> Result<Vec<MetaId>> {
        match pattern {
            Pattern::Name(name) => Ok(vec![self.with_name(goal, local, name)?]),
            Pattern::Wildcard => Ok(vec![goal]),
            Pattern::Clear => match self.attempt(|t| t.cleared(goal, &[local.id]))? {
                Ok(goal) => Ok(vec![goal]),
                Err(_) => Ok(vec![goal]),
            },
            Pattern::Rfl => Ok(self.substituted(goal, local)?.into_iter().collect()),
            Pattern::Typed(inner, ty) => {
                let decl = self.decl(goal);
                let ty = self.closed_type(&decl.scope, ty)?;
                if !self.ctx.unify(&ty, &local.ty)? {
                    let (ty, old) = (self.ctx.show(&ty), self.ctx.show(&local.ty));
                    return fail(format!("the pattern's type\n  {ty}\nis not\n  {old}"));
                }
                let goal = self.replace_hypothesis(goal, local, ty, local.term())?;
                let decl = self.decl(goal);
                let new = decl.scope.iter().rfind(|l| l.name == local.name).cloned();
                match new {
                    Some(new) => self.destruct(goal, &new, inner),
                    None => Ok(vec![goal]),
                }
            }
            Pattern::Tuple(parts) => self.destruct_cases(goal, local, &[Pattern::Tuple(parts.clone())]),
            Pattern::Alternatives(alternatives) => self.destruct_cases(goal, local, alternatives),
        }
    }

    /// One pattern per constructor; the last constructor gets all remaining ones.
    fn destruct_cases(&mut self, goal: MetaId, local: &Local, patterns: &[Pattern]) -> Result<Vec<MetaId>> {
        let whnf = self.ctx.whnf(&local.ty)?;
        let is_equation = matches!(whnf.head().kind(), Kind::Const(name, _) if &**name == "Eq");
        if is_equation && matches!(patterns, [Pattern::Tuple(parts)] if parts.is_empty()) {
            return Ok(self.substituted(goal, local)?.into_iter().collect());
        }
        let tag = self.decl(goal).tag;
        let branches = self.eliminate(goal, local, false, &[])?;
        let n = branches.len();
        let mut left = patterns.to_vec();
        let mut goals = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            let pattern = if at + 1 == n && left.len() > 1 {
                Pattern::Alternatives(std::mem::take(&mut left))
            } else if left.is_empty() {
                Pattern::Wildcard
            } else {
                left.remove(0)
            };
            let parts: Vec<Pattern> = match pattern {
                Pattern::Tuple(parts) => parts,
                Pattern::Wildcard => Vec::new(),
                other => vec![other],
            };
            let own = arguments(&self.decl(branch.goal).ty);
            // Solving equations of indices recreates variables, as substitutions by patterns do. Until it is
            // processed, a field has a unique name, by which it is found.
            let marked = |at: usize| Name::from(format!(" {}.{at}", branch.goal.0));
            let fields: Vec<Field> = own
                .into_iter()
                .take(branch.n_fields)
                .enumerate()
                .map(|(at, (own, info))| Field { mark: marked(at), own, info })
                .collect();
            let marks: Vec<Option<Name>> = fields.iter().map(|f| Some(Name::clone(&f.mark))).collect();
            let Some(goal) = self.enter_branch(branch, &marks, false)? else { continue };
            // A type with one constructor has no cases to tell apart.
            let goal = if n == 1 { self.with_tag(goal, &tag)? } else { goal };
            let n_explicit = fields.iter().filter(|f| f.info == BinderInfo::Explicit).count();
            goals.extend(self.destruct_fields(goal, &fields, folded(parts, n_explicit))?);
        }
        Ok(goals)
    }

    fn destruct_fields(
        &mut self,
        goal: MetaId,
        fields: &[Field],
        parts: Vec<Pattern>,
    ) -> Result<Vec<MetaId>> {
        let mut goals = vec![goal];
        let mut parts = parts.into_iter().peekable();
        for Field { mark, own, info } in fields {
            // Only explicit arguments have patterns.
            let part = parts.next_if(|_| *info == BinderInfo::Explicit).unwrap_or(Pattern::Wildcard);
            let mut next = Vec::new();
            for goal in goals {
                let decl = self.decl(goal);
                match decl.scope.iter().find(|l| l.name == *mark).cloned() {
                    Some(found) => {
                        let goal = self.with_names(goal, &[(found.id, Arc::clone(own), false)])?;
                        let ty = self.ctx.instantiate(&found.ty);
                        let found = Local { name: Arc::clone(own), ty, ..found };
                        next.extend(self.destruct(goal, &found, &part)?);
                    }
                    None => next.push(goal),
                }
            }
            goals = next;
        }
        Ok(goals)
    }

    /// The goal with another tag.
    pub(super) fn with_tag(&mut self, goal: MetaId, tag: &Name) -> Result<MetaId> {
        let decl = self.decl(goal);
        let new = self.new_goal(decl.scope, decl.ty, Arc::clone(tag));
        self.replace(goal, Term::meta(new), [new])?;
        Ok(new)
    }
}

/// As many patterns as there are fields: ⟨a, b, c⟩ is ⟨a, ⟨b, c⟩⟩.
fn folded(mut parts: Vec<Pattern>, n_fields: usize) -> Vec<Pattern> {
    if n_fields > 0 && parts.len() > n_fields {
        let rest = parts.split_off(n_fields - 1);
        parts.push(Pattern::Tuple(rest));
    }
    parts
}
