//! Rewriting by equations and equivalences.

use std::sync::Arc;

use super::{Tactics, tag_with};
use crate::elab::context::{MetaKind, Result, Scope, Transparency, fail};
use crate::elab::whnf::constant;
use crate::kernel::term::{BinderInfo, Kind, Level, MetaId, Term};
use crate::syntax::ast::ExprKind;
use crate::syntax::tactic::{Location, Rule};

/// An equation ready to rewrite by: `proof : from = to` in a type.
struct Equation {
    alpha: Term,
    from: Term,
    to: Term,
    proof: Term,
    open: Open,
}

/// The arguments of an equation that become goals.
#[derive(Default)]
struct Open {
    arguments: Vec<MetaId>,
    /// Whether the equation has no other argument.
    is_only: bool,
}

impl Tactics<'_, '_> {
    pub(super) fn rewrite(
        &mut self,
        goal: MetaId,
        rules: &[Rule],
        at: &Location,
        closes: bool,
    ) -> Result<()> {
        let mut goal = goal;
        let names = if at.everywhere {
            return fail("unsupported: `rw … at *`");
        } else {
            &at.hypotheses
        };
        for rule in rules {
            for name in names {
                let decl = self.decl(goal);
                let local = self.local_named(&decl.scope, name)?;
                let ty = self.ctx.instantiate(&local.ty);
                let (motive, equation) = self.rewritten(&decl.scope, rule, &ty)?;
                let ty = motive.instantiated(&equation.to);
                let old = motive.instantiated(&equation.from);
                let value =
                    self.ctx.transported(&equation.alpha, &motive, &equation.proof, local.term(), &old)?;
                goal = self.replace_hypothesis(goal, &local, ty, value)?;
                self.add_behind(goal, equation.open);
            }
            if at.goal {
                let decl = self.decl(goal);
                let (motive, equation) = self.rewritten(&decl.scope, rule, &decl.ty)?;
                let ty = motive.instantiated(&equation.to);
                let new = self.new_goal(decl.scope, ty.clone(), decl.tag);
                let proof = self.ctx.symmetric(&equation.proof)?;
                let value = self.ctx.transported(&equation.alpha, &motive, &proof, Term::meta(new), &ty)?;
                self.replace(goal, value, [new])?;
                self.add_behind(new, equation.open);
                goal = new;
            }
        }
        if closes && at.goal {
            let _ = self.attempt(|t| t.rfl_reducible(goal))?;
        }
        Ok(())
    }

    /// `rfl` without unfolding definitions.
    pub(super) fn rfl_reducible(&mut self, goal: MetaId) -> Result<()> {
        let ty = self.decl(goal).ty;
        let ty = self.ctx.whnf_reducible(&ty)?;
        let sides = match self.ctx.equation(&ty)? {
            Some((_, a, b)) => Some((a, b)),
            None => self
                .ctx
                .application_of::<2>(&ty, "Iff")
                .or_else(|| self.ctx.application_of::<2>(&ty, "Nat.le"))
                .map(|[a, b]| (a, b)),
        };
        match sides {
            Some((a, b)) if self.ctx.unify_reducible(&a, &b)? => self.rfl(goal),
            _ => fail("the sides are not the same"),
        }
    }

    /// Puts goals for the arguments of an equation behind the main goal. That of an only argument inherits its tag.
    fn add_behind(&mut self, goal: MetaId, equation: Open) {
        let tag = self.decl(goal).tag;
        let tagged = |id: MetaId| {
            let own = self.decl(id);
            let tag = if equation.is_only { Arc::clone(&tag) } else { tag_with(&tag, &own.tag) };
            let new = self.ctx.new_meta(own.scope, own.ty, own.kind, tag);
            self.ctx.assign(id, Term::meta(new));
            new
        };
        let open: Vec<MetaId> = equation.arguments.into_iter().map(tagged).collect();
        let at = self.goals.iter().position(|g| *g == goal).map_or(self.goals.len(), |at| at + 1);
        self.goals.splice(at..at, open);
    }

    /// Finds the instance of a rule in a term: the term as a function of the instance, and the equation.
    fn rewritten(&mut self, scope: &Scope, rule: &Rule, term: &Term) -> Result<(Term, Equation)> {
        let mut unfolded = None;
        if let ExprKind::Ident(name) = rule.term.kind() {
            // A definition is rewritten to its value.
            let is_local = scope.iter().any(|l| l.accessible && l.name == *name);
            if !is_local && let Some(value) = self.definition(name) {
                unfolded = Some((Arc::clone(name), value));
            }
        }
        if let Some((name, value)) = unfolded {
            return self.by_definition(&name, value, rule.reversed, term);
        }
        let mut elaborator = self.elaborator(scope);
        let proof = elaborator.whole(&rule.term, None)?;
        let equation = self.as_equation(scope, proof, rule.reversed)?;
        let pattern = self.ctx.instantiate(&equation.from);
        if matches!(pattern.head().kind(), Kind::Meta(_)) {
            let pattern = self.ctx.show(&pattern);
            return fail(format!("the pattern is a metavariable\n  {pattern}\nwhich anything is"));
        }
        let motive = self.ctx.abstract_term(term, &equation.from)?;
        if motive.is_closed() {
            let (pattern, term) = (self.ctx.show(&equation.from), self.ctx.show(term));
            return fail(format!("did not find an instance of the pattern\n  {pattern}\nin\n  {term}"));
        }
        let instantiate = |t: &Self, term: &Term| t.ctx.instantiate(term);
        let mut equation = Equation {
            alpha: instantiate(self, &equation.alpha),
            from: instantiate(self, &equation.from),
            to: instantiate(self, &equation.to),
            proof: instantiate(self, &equation.proof),
            open: equation.open,
        };
        equation.open.arguments.retain(|id| !self.ctx.is_assigned(*id));
        let motive = self.ctx.instantiate(&motive);
        Ok((motive, equation))
    }

    /// The value of a definition that takes no arguments, or of one that takes some as a function.
    fn definition(&self, name: &str) -> Option<Term> {
        match &self.ctx.theory.env.get(name)?.body {
            crate::kernel::env::Body::Definition(value, _) => Some(value.clone()),
            _ => None,
        }
    }

    fn by_definition(
        &mut self,
        name: &crate::kernel::term::Name,
        value: Term,
        reversed: bool,
        term: &Term,
    ) -> Result<(Term, Equation)> {
        let declared = Term::constant(Arc::clone(name), Vec::new());
        if reversed || matches!(value.kind(), Kind::Lambda(..)) {
            let unfolded = self.unfolded(term, std::slice::from_ref(name))?;
            let alpha = Term::prop();
            let proof = self.ctx.reflexivity(&alpha, unfolded.clone())?;
            let equation = Equation { alpha, from: term.clone(), to: unfolded, proof, open: Open::default() };
            return Ok((Term::bound(0), equation));
        }
        let alpha = self.ctx.infer(&declared)?;
        let motive = self.ctx.abstract_term(term, &declared)?;
        if motive.is_closed() {
            let term = self.ctx.show(term);
            return fail(format!("did not find `{name}` in\n  {term}"));
        }
        let proof = self.ctx.reflexivity(&alpha, declared.clone())?;
        Ok((motive, Equation { alpha, from: declared, to: value, proof, open: Open::default() }))
    }

    /// A proof of an equation or equivalence with metavariables for its arguments.
    fn as_equation(&mut self, scope: &Scope, proof: Term, reversed: bool) -> Result<Equation> {
        let mut proof = proof;
        let mut open: Vec<MetaId> = self.ctx.open_metas(&proof);
        open.retain(|id| self.ctx.meta(*id).kind == MetaKind::Natural && self.ctx.delayed(*id).is_none());
        // Undetermined implicit arguments do not become goals.
        let mut explicit = Open::default();
        let mut n_arguments = 0;
        let mut ty = self.ctx.infer(&proof)?;
        loop {
            ty = self.ctx.whnf_core(&ty)?;
            if let Kind::Pi(binder, from, to) = ty.kind() {
                let id = self.ctx.new_meta(
                    Arc::clone(scope),
                    from.clone(),
                    MetaKind::Natural,
                    Arc::clone(&binder.name),
                );
                if binder.info == BinderInfo::Explicit {
                    explicit.arguments.push(id);
                }
                n_arguments += 1;
                explicit.is_only = n_arguments == 1;
                proof = Term::app(proof, Term::meta(id));
                ty = to.instantiated(&Term::meta(id));
                continue;
            }
            if let Some([p, q]) = self.ctx.application_of::<2>(&ty, "Iff") {
                let proof = Term::apps(constant("propext"), [p.clone(), q.clone(), proof]);
                let equation = Equation { alpha: Term::prop(), from: p, to: q, proof, open: explicit };
                return self.turned_if(equation, reversed);
            }
            if let Some([alpha, from, to]) = self.ctx.application_of::<3>(&ty, "Eq") {
                let equation = Equation { alpha, from, to, proof, open: explicit };
                return self.turned_if(equation, reversed);
            }
            match self.ctx.with_transparency(Transparency::Reducible, |c| c.unfold(&ty))? {
                Some(next) if self.ctx.application_of::<1>(&ty, "Not").is_none() => ty = next,
                _ => break,
            }
        }
        // A proposition that holds equals `True`; one that does not equals `False`.
        if self.ctx.is_proposition(&ty)? {
            let (from, to, lemma) = match self.ctx.application_of::<1>(&ty, "Not") {
                Some([p]) => (p, "False", "eq_false"),
                None => (ty.clone(), "True", "eq_true"),
            };
            let proof = Term::apps(constant(lemma), [from.clone(), proof]);
            let equation = Equation { alpha: Term::prop(), from, to: constant(to), proof, open: explicit };
            return self.turned_if(equation, reversed);
        }
        let ty = self.ctx.show(&ty);
        fail(format!("`rw` needs an equation or equivalence, not\n  {ty}"))
    }

    fn turned_if(&mut self, equation: Equation, reversed: bool) -> Result<Equation> {
        if !reversed {
            return Ok(equation);
        }
        let level: Level = self.ctx.level_of(&equation.alpha)?;
        let Equation { alpha, from, to, proof, open } = equation;
        let symm = Term::constant("Eq.symm", vec![level]);
        let proof = Term::apps(symm, [alpha.clone(), from.clone(), to.clone(), proof]);
        Ok(Equation { alpha, from: to, to: from, proof, open })
    }
}
