//! The arguments in `simp [a, ← b, -c, *]`.

use std::sync::Arc;

use super::lemma::Source;
use super::rewrite::Rules;
use crate::elab::context::{Failure, Local, MetaKind, Result, Scope, fail};
use crate::kernel::env::Body;
use crate::kernel::term::{Binder, Kind, Level, MetaId, Name, Term};
use crate::syntax::ast::ExprKind;
use crate::syntax::tactic::{Rule as Written, SimpArgument};
use crate::tactic::Tactics;

impl Tactics<'_, '_> {
    /// The rules that a tactic is to use.
    pub(super) fn simp_rules(
        &mut self,
        scope: &Scope,
        only: bool,
        arguments: &[SimpArgument],
    ) -> Result<Rules> {
        let mut rules = Rules { default: !only, ..Rules::default() };
        for argument in arguments {
            match argument {
                SimpArgument::Rule(rule) => self.add_rule(&mut rules, scope, rule)?,
                SimpArgument::Without(name) => {
                    rules.without.insert(Arc::clone(name));
                }
                SimpArgument::Hypotheses => {}
            }
        }
        if arguments.contains(&SimpArgument::Hypotheses) {
            for local in scope.iter() {
                if local.value.is_some() || rules.without.contains(&local.name) {
                    continue;
                }
                let ty = self.ctx.instantiate(&local.ty);
                if self.ctx.is_proposition(&ty)? {
                    let source = Source::new("".into(), Some(local.id), local.term(), ty);
                    source.rules().into_iter().for_each(|rule| rules.add(rule));
                }
            }
        }
        Ok(rules)
    }

    fn add_rule(&mut self, rules: &mut Rules, scope: &Scope, rule: &Written) -> Result<()> {
        let source = match rule.term.kind() {
            ExprKind::Ident(name) if is_procedure(name) => return Ok(()),
            ExprKind::Ident(name) => {
                let local = scope.iter().rev().find(|l| l.accessible && l.name == *name).cloned();
                match (local, self.ctx.theory.env.get_key(name)) {
                    (Some(local), _) => self.of_local(&local)?,
                    (None, Some((name, declaration))) => {
                        let is_definition = matches!(declaration.body, Body::Definition(..));
                        if is_definition && !self.ctx.is_proposition(&declaration.ty)? {
                            if rule.reversed {
                                return fail("unsupported: `simp [← f]` with a definition");
                            }
                            rules.unfold.insert(Arc::clone(name));
                            return Ok(());
                        }
                        Source::lemma(name, declaration)
                    }
                    (None, None) => self.of_term(scope, rule)?,
                }
            }
            _ => self.of_term(scope, rule)?,
        };
        let source = Source { reversed: rule.reversed, ..source };
        let found = source.rules();
        if found.is_empty() {
            return Err(Failure::new("this rewrites nothing, so it is not a simp lemma").at(rule.term.span()));
        }
        found.into_iter().for_each(|rule| rules.add(rule));
        Ok(())
    }

    fn of_local(&mut self, local: &Local) -> Result<Source> {
        let ty = self.ctx.instantiate(&local.ty);
        if let Some(value) = &local.value {
            // A local definition equals its value.
            let value = self.ctx.instantiate(value);
            let equation = self.ctx.make_equation(&ty, local.term(), value)?;
            let proof = self.ctx.reflexivity(&ty, local.term())?;
            let source = Source::new("".into(), None, proof, equation);
            return Ok(Source { by_computation: true, ..source });
        }
        if !self.ctx.is_proposition(&ty)? {
            return fail(format!("`{}` is not a proof, so it is not a simp lemma", local.name));
        }
        Ok(Source::new("".into(), Some(local.id), local.term(), ty))
    }

    /// A term whose holes become parameters.
    fn of_term(&mut self, scope: &Scope, rule: &Written) -> Result<Source> {
        // Earlier holes do not belong to this term.
        let first = self.ctx.next_id();
        let mut elaborator = self.elaborator(scope);
        let term = elaborator.whole(&rule.term, None)?;
        let goals = std::mem::take(&mut elaborator.goals);
        let term = self.ctx.instantiate(&term);
        let ty = self.ctx.infer(&term)?;
        let ty = self.ctx.instantiate(&ty);
        if !goals.is_empty() || !self.ctx.is_proposition(&ty)? {
            return Err(Failure::new("this is not a proof, so it is not a simp lemma").at(rule.term.span()));
        }
        let mut holes: Vec<MetaId> = self.ctx.open_metas(&term);
        holes.retain(|id| {
            let decl = self.ctx.meta(*id);
            id.0 >= first && decl.kind == MetaKind::Natural && self.ctx.delayed(*id).is_none()
        });
        let mut levels: Vec<Level> = Vec::new();
        let mut prepared = |term: &Term, before: usize| {
            let term = term.map_levels(&mut |level| {
                level.replaced(&mut |leaf| match leaf {
                    Level::Meta(_) => {
                        let at = levels.iter().position(|l| l == leaf).unwrap_or_else(|| {
                            levels.push(leaf.clone());
                            levels.len() - 1
                        });
                        u32::try_from(at).ok().map(Level::Meta)
                    }
                    _ => None,
                })
            });
            below_holes(&term, &holes[..before])
        };
        let n = holes.len();
        let (proof, statement) = (prepared(&term, n), prepared(&ty, n));
        let mut params = Vec::new();
        for (at, hole) in holes.iter().enumerate() {
            let ty = self.ctx.instantiate(&self.ctx.meta(*hole).ty.clone());
            params.push((Binder::explicit("x"), prepared(&ty, at)));
        }
        let source = Source::new("".into(), None, proof, statement);
        Ok(Source { params, n_levels: levels.len(), ..source })
    }
}

/// The term below parameters in the place of holes.
fn below_holes(term: &Term, holes: &[MetaId]) -> Term {
    let n = holes.len();
    term.replace(&mut |t, depth| match t.kind() {
        _ if !t.has_meta() => Some(t.clone()),
        Kind::Meta(id) => {
            let at = holes.iter().position(|h| h == id)?;
            Some(Term::bound(u32::try_from(n - 1 - at).ok()? + depth))
        }
        _ => None,
    })
}

/// Whether a name is one of Lean's simplification procedures for literals, which are always active here.
fn is_procedure(name: &Name) -> bool {
    name.starts_with("Nat.reduce") || &**name == "reduceIte"
}
