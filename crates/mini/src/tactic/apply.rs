//! Tactics that apply terms, functions and constructors.

use std::sync::Arc;

use super::{Tactics, tag_with};
use crate::elab::app::Given;
use crate::elab::context::{MetaKind, Result, Scope, fail};
use crate::elab::theory::Theory;
use crate::kernel::env::Body;
use crate::kernel::term::{Kind, MetaId, Name, Term};
use crate::syntax::ast::{Expr, ExprKind, Span};

impl Tactics<'_, '_> {
    pub(super) fn exact(&mut self, goal: MetaId, expr: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let term = self.closed_term(&decl.scope, expr, Some(&decl.ty))?;
        self.replace(goal, term, [])
    }

    pub(super) fn refine(&mut self, goal: MetaId, expr: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        let mut elaborator = self.elaborator(&decl.scope);
        let term = elaborator.whole(expr, Some(&decl.ty))?;
        elaborator.no_holes(&term, expr.span())?;
        let made = std::mem::take(&mut elaborator.goals);
        let made = self.tagged_anew(made, &decl.tag, "refine_");
        let term = self.ctx.instantiate(&term);
        self.replace(goal, term, made)
    }

    /// Tags for those of the new goals that have none: a single one inherits the tag, several are numbered.
    pub(super) fn tagged_anew(&mut self, goals: Vec<MetaId>, tag: &Name, prefix: &str) -> Vec<MetaId> {
        let goals: Vec<MetaId> = goals.into_iter().filter(|g| !self.ctx.is_assigned(*g)).collect();
        match self.n_untagged(&goals) {
            1 => self.with_tags(goals, |_| Arc::clone(tag)),
            _ => self.with_tags(goals, |at| tag_with(tag, &format!("{prefix}{at}"))),
        }
    }

    /// The number of goals without a tag.
    pub(super) fn n_untagged(&self, goals: &[MetaId]) -> usize {
        goals.iter().filter(|g| self.ctx.meta(**g).tag.is_empty()).count()
    }

    /// Goals with a tag for each that has none, by its number among these, from 1.
    pub(super) fn with_tags(&mut self, goals: Vec<MetaId>, tag: impl Fn(usize) -> Name) -> Vec<MetaId> {
        let mut at = 0;
        let retagged = |goal: MetaId| {
            let decl = self.decl(goal);
            if !decl.tag.is_empty() {
                return goal;
            }
            at += 1;
            let own = tag(at);
            if own.is_empty() {
                return goal;
            }
            let new = self.new_goal(decl.scope, decl.ty, own);
            self.ctx.assign(goal, Term::meta(new));
            new
        };
        goals.into_iter().map(retagged).collect()
    }

    pub(super) fn apply(&mut self, goal: MetaId, expr: &Expr) -> Result<()> {
        let decl = self.decl(goal);
        // Trailing arguments become goals, so the head is elaborated without an expected type.
        let mut elaborator = self.elaborator(&decl.scope);
        let term = match expr.kind() {
            ExprKind::Anonymous(_) => {
                return fail("`apply` does not know the type of `⟨…⟩`; `exact` and `refine` do");
            }
            ExprKind::Fun(..) | ExprKind::Synthetic(_) => elaborator.whole(expr, Some(&decl.ty))?,
            // The implicit arguments of a bare name are left to `apply`, which turns them into goals with their names.
            ExprKind::Ident(name) if is_whole(elaborator.ctx.theory, &decl.scope, name) => {
                let explicit = Expr::new(ExprKind::Explicit(Arc::clone(name)), expr.span());
                elaborator.whole(&explicit, None)?
            }
            _ => {
                let mark = elaborator.ctx.mark();
                match elaborator.whole(expr, None) {
                    Ok(term) => term,
                    // An argument such as `⟨…⟩` may have to wait for what the goal says.
                    Err(failure) => {
                        elaborator.ctx.undo(mark);
                        elaborator = self.elaborator(&decl.scope);
                        elaborator.whole(expr, Some(&decl.ty)).map_err(|_| failure)?
                    }
                }
            }
        };
        let made = std::mem::take(&mut elaborator.goals);
        self.apply_term(goal, term, made)
    }

    /// Applies a function to as many arguments as needed for its result to match the goal; unassigned ones become
    /// goals.
    pub(super) fn apply_term(&mut self, goal: MetaId, function: Term, made: Vec<MetaId>) -> Result<()> {
        let decl = self.decl(goal);
        let ty = self.ctx.infer(&function)?;
        let n_goal = self.n_arguments(&decl.ty)?;
        let n = self.n_arguments(&ty)?;
        // The result may itself be a function type, with as many arguments as the goal.
        let counts = n.saturating_sub(n_goal)..=n;
        let mut tried = None;
        for count in counts {
            let mark = self.ctx.mark();
            let (args, result) = self.arguments(&decl.scope, &ty, count)?;
            if self.ctx.unify(&result, &decl.ty)? {
                tried = Some(args);
                break;
            }
            self.ctx.undo(mark);
        }
        let Some(args) = tried else {
            let (_, result) = self.arguments(&decl.scope, &ty, n)?;
            let (result, goal) = (self.ctx.show(&result), self.ctx.show(&decl.ty));
            return fail(format!("could not unify the conclusion\n  {result}\nwith the goal\n  {goal}"));
        };
        let value = Term::apps(function, args.iter().map(|id| Term::meta(*id)));
        let open: Vec<MetaId> = args.into_iter().filter(|id| !self.ctx.is_assigned(*id)).collect();
        // Metavariables that occur in a later one's type come last, then those left open in the function itself.
        let mentioned: Vec<MetaId> =
            open.iter().flat_map(|id| self.ctx.open_metas(&self.ctx.meta(*id).ty)).collect();
        let mut rest = self.ctx.open_metas(&value);
        rest.retain(|id| {
            let is_known = open.contains(id) || made.contains(id) || self.ctx.delayed(*id).is_some();
            !is_known && self.ctx.meta(*id).kind == MetaKind::Natural
        });
        // A single goal inherits the tag.
        let is_single = open.len() == 1;
        let (first, last): (Vec<_>, Vec<_>) = open.into_iter().partition(|id| !mentioned.contains(id));
        // Goals that others mention stay assignable, since solving those may assign them.
        let kinds = first.into_iter().map(|id| (id, MetaKind::Goal));
        let kinds = kinds.chain(last.into_iter().chain(rest).map(|id| (id, MetaKind::Natural)));
        let mut goals = made;
        for (id, kind) in kinds {
            let own = self.decl(id);
            let tag = if is_single { Arc::clone(&decl.tag) } else { tag_with(&decl.tag, &own.tag) };
            let new = self.ctx.new_meta(own.scope, own.ty, kind, tag);
            self.ctx.assign(id, Term::meta(new));
            goals.push(new);
        }
        let value = self.ctx.instantiate(&value);
        self.replace(goal, value, goals)
    }

    /// The number of arguments of a function type, definitions unfolded.
    fn n_arguments(&mut self, ty: &Term) -> Result<usize> {
        let (mut n, mut at) = (0, ty.clone());
        loop {
            if !matches!(at.kind(), Kind::Pi(..)) {
                at = self.ctx.whnf(&at)?;
            }
            let Kind::Pi(binder, from, to) = at.kind() else { return Ok(n) };
            let local = self.ctx.new_binder(binder, from.clone());
            at = to.instantiated(&local.term());
            n += 1;
        }
    }

    /// New metavariables for the first arguments of a function type, and the result.
    fn arguments(&mut self, scope: &Scope, ty: &Term, count: usize) -> Result<(Vec<MetaId>, Term)> {
        let (mut args, mut at) = (Vec::new(), ty.clone());
        while args.len() < count {
            if !matches!(at.kind(), Kind::Pi(..)) {
                at = self.ctx.whnf(&at)?;
            }
            let Kind::Pi(binder, from, to) = at.kind() else { break };
            let tag = Arc::clone(&binder.name);
            let id = self.ctx.new_meta(Arc::clone(scope), from.clone(), MetaKind::Natural, tag);
            args.push(id);
            at = to.instantiated(&Term::meta(id));
        }
        Ok((args, at))
    }

    /// The constructors of a goal that is an inductive type.
    pub(super) fn constructors(&mut self, ty: &Term) -> Result<(Term, Vec<Name>)> {
        let whnf = self.ctx.whnf(ty)?;
        if let Kind::Const(family, _) = whnf.head().kind() {
            let theory = self.ctx.theory;
            if let Some(Body::Inductive { constructors, .. }) = theory.env.get(family).map(|d| &d.body) {
                return Ok((whnf, constructors.clone()));
            }
        }
        let shown = self.ctx.show(ty);
        fail(format!("the goal is not an inductive type\n  {shown}"))
    }

    pub(super) fn constructor(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let (_, constructors) = self.constructors(&decl.ty)?;
        let mut failure = None;
        for name in constructors {
            let result = self.attempt(|t| {
                let head = t.elaborator(&decl.scope).constant(&name)?;
                t.apply_term(goal, head, Vec::new())
            })?;
            match result {
                Ok(()) => return Ok(()),
                Err(f) => failure = failure.or(Some(f)),
            }
        }
        match failure {
            Some(failure) => Err(failure),
            None => fail("the type has no constructors"),
        }
    }

    pub(super) fn nth_constructor(&mut self, goal: MetaId, n: usize, word: &str) -> Result<()> {
        let decl = self.decl(goal);
        let (_, constructors) = self.constructors(&decl.ty)?;
        let [_, _] = constructors.as_slice() else {
            return fail(format!("`{word}` needs a goal with two constructors"));
        };
        let head = self.elaborator(&decl.scope).constant(&constructors[n])?;
        self.apply_term(goal, head, Vec::new())
    }

    /// `exists a, b`: provides witnesses, and tries `trivial` on the remaining goal.
    pub(super) fn exists(&mut self, goal: MetaId, witnesses: &[Expr]) -> Result<()> {
        let mut goal = goal;
        for witness in witnesses {
            let decl = self.decl(goal);
            let (ty, constructors) = self.constructors(&decl.ty)?;
            let [constructor] = constructors.as_slice() else {
                return fail("`exists` needs a goal with one constructor");
            };
            let hole = Expr::new(ExprKind::Synthetic(None), Span::default());
            let mut elaborator = self.elaborator(&decl.scope);
            let head = elaborator.constant(constructor)?;
            let given = vec![Given::Expr(witness), Given::Expr(&hole)];
            let term = elaborator.apply(head, given, Vec::new(), false, Some(&ty))?;
            elaborator.run_blocks()?;
            elaborator.no_holes(&term, witness.span())?;
            let made = std::mem::take(&mut elaborator.goals);
            let made = self.tagged_anew(made, &decl.tag, "");
            let term = self.ctx.instantiate(&term);
            self.replace(goal, term, made.clone())?;
            match made.first() {
                Some(next) => goal = *next,
                None => return Ok(()),
            }
        }
        let _ = self.attempt(|t| t.trivial(goal))?;
        Ok(())
    }
}

/// Whether a name is a variable or constant without fields.
fn is_whole(theory: &Theory, scope: &Scope, name: &Name) -> bool {
    theory.env.get(name).is_some() || scope.iter().any(|l| l.accessible && l.name == *name)
}
