//! Tactics: from goals to fewer or simpler goals.
//!
//! [`state`] represents a proof in progress as a value; each family of tactics is in a file of its own, and works on
//! the goals of a [`Tactics`]. Tactics are not trusted: they build terms, and the kernel checks the finished proof.

mod apply;
mod arith;
mod basic;
mod calc;
mod change;
mod claim;
mod combinators;
mod context;
mod contradiction;
mod eliminate;
mod pattern;
mod rewrite;
pub(crate) mod simp;
pub mod state;

use std::sync::Arc;

use crate::budget::{self, Account};
use crate::elab::context::{Failure, Local, MetaContext, MetaDecl, MetaKind, Result, Scope, fail, lambdas};
use crate::elab::term::Elaborator;
use crate::kernel::term::{MetaId, Name, Term};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::{Block, Tactic, TacticKind};

/// Closes a goal by tactics.
pub fn prove(ctx: &mut MetaContext<'_>, goal: MetaId, block: &Block) -> Result<()> {
    let mut tactics = Tactics { ctx, goals: vec![goal] };
    tactics.block(block)?;
    tactics.done()
}

/// The state of running tactics: a list of goals.
pub struct Tactics<'c, 't> {
    /// Metavariables.
    pub ctx: &'c mut MetaContext<'t>,
    /// The open goals; tactics apply to the first.
    pub goals: Vec<MetaId>,
}

impl<'t> Tactics<'_, 't> {
    /// Runs tactics one after the other.
    pub fn block(&mut self, block: &Block) -> Result<()> {
        block.iter().try_for_each(|tactic| self.run(tactic))
    }

    /// Fails if goals are open.
    pub fn done(&mut self) -> Result<()> {
        self.drop_assigned();
        if self.goals.is_empty() {
            return Ok(());
        }
        /// Maximum number of goals in a message.
        const MAX_SHOWN: usize = 20;
        let first: Vec<MetaId> = self.goals.iter().take(MAX_SHOWN).copied().collect();
        let mut goals: Vec<String> = first.into_iter().map(|g| self.show_goal(g)).collect();
        if let Some(more) = self.goals.len().checked_sub(MAX_SHOWN + 1) {
            goals.push(format!("and {} more", more + 1));
        }
        fail(format!("unsolved goals\n{}", goals.join("\n\n")))
    }

    /// Runs a tactic.
    pub fn run(&mut self, tactic: &Tactic) -> Result<()> {
        budget::step();
        budget::visits(self.goals.len());
        crate::kernel::term::deeper(|| self.dispatch(tactic)).map_err(|f| f.at(tactic.span))?;
        self.drop_assigned();
        Ok(())
    }

    fn drop_assigned(&mut self) {
        let ctx = &*self.ctx;
        self.goals.retain(|g| !ctx.is_assigned(*g));
    }

    fn dispatch(&mut self, tactic: &Tactic) -> Result<()> {
        use TacticKind as T;
        if self.is_structural(&tactic.kind)? {
            return Ok(());
        }
        let goal = self.first()?;
        match &tactic.kind {
            T::Intro(patterns) => self.intro(goal, patterns),
            T::RIntro(patterns) => self.rintro(goal, patterns).map(|_| ()),
            T::Intros(names) => self.intros(goal, names),
            T::Exact(term) => self.exact(goal, term),
            T::Apply(term) => self.apply(goal, term),
            T::Refine(term) => self.refine(goal, term),
            T::Assumption => self.assumption(goal),
            T::Constructor => self.constructor(goal),
            T::Left => self.nth_constructor(goal, 0, "left"),
            T::Right => self.nth_constructor(goal, 1, "right"),
            T::Exists(witnesses) | T::Use(witnesses) => self.exists(goal, witnesses),
            T::Exfalso => self.exfalso(goal),
            T::Contradiction => self.contradiction(goal),
            T::Absurd(term) => self.absurd(goal, term),
            T::Trivial => self.trivial(goal),
            T::Rfl => self.rfl(goal),
            T::Symm(at) => self.symm(goal, at),
            T::Cases { equation, target, alternatives } => {
                self.cases(goal, equation.as_ref(), target, alternatives.as_deref())
            }
            T::Induction { target, generalizing, alternatives } => {
                self.induction(goal, target, generalizing, alternatives.as_deref())
            }
            T::RCases(term, pattern) => self.rcases(goal, term, pattern),
            T::Obtain(pattern, ty) => self.obtain(goal, pattern, ty),
            T::Generalize { equation, term, name } => self.generalize(goal, equation.as_ref(), term, name),
            T::Subst(equations) => self.subst_all(goal, equations),
            T::Rewrite { rules, at, closes } => self.rewrite(goal, rules, at, *closes),
            T::Simp { only, arguments, at } => self.simp(goal, *only, arguments, at),
            T::SimpAll { only, arguments } => self.simp_all(goal, *only, arguments),
            T::Simpa { only, arguments, using } => self.simpa(goal, *only, arguments, using.as_ref()),
            T::Unfold(names, at) => self.unfold(goal, names, at),
            T::Show(ty) => self.show(goal, ty),
            T::Change(ty, at) => self.change(goal, ty, at),
            T::Have { pattern, ty, value } => self.have(goal, pattern.as_ref(), ty.as_ref(), value.as_ref()),
            T::Let { name, ty, value } => self.let_in(goal, name, ty.as_ref(), value),
            T::Suffices { name, ty, from } => self.suffices(goal, name.as_ref(), ty, from.as_ref()),
            T::ByCases(name, proposition) => self.by_cases(goal, name.as_ref(), proposition),
            T::ByContra(name) => self.by_contra(goal, name.as_ref()),
            T::Decide => self.decide(goal),
            T::Omega => self.omega(goal),
            T::Ring => self.ring(goal),
            T::Funext(names) => self.funext(goal, names),
            T::Injection(term, names) => self.injection(goal, term, names),
            T::Specialize(term) => self.specialize(goal, term),
            T::Clear(names) => self.clear(goal, names),
            T::Revert(names) => self.revert(goal, names),
            T::RenameI(names) => self.rename_inaccessible(goal, names),
            T::Calc(steps) => self.calc(goal, steps),
            T::Sorry => self.sorry(goal),
            // The others transform the list of goals.
            _ => fail("this tactic does not work on a single goal"),
        }
    }

    /// The first goal.
    pub(crate) fn first(&self) -> Result<MetaId> {
        match self.goals.first() {
            Some(goal) => Ok(*goal),
            None => fail("no goals"),
        }
    }

    /// The declaration of a goal, with its type instantiated.
    pub(crate) fn decl(&mut self, goal: MetaId) -> MetaDecl {
        let decl = MetaDecl::clone(self.ctx.meta(goal));
        self.ctx.enter(&decl.scope);
        let ty = self.ctx.instantiate(&decl.ty);
        MetaDecl { ty, ..decl }
    }

    /// A new goal.
    pub(crate) fn new_goal(&mut self, scope: Scope, ty: Term, tag: Name) -> MetaId {
        self.ctx.new_meta(scope, ty, MetaKind::Goal, tag)
    }

    /// Assigns a goal, and replaces it by others.
    pub(crate) fn replace(
        &mut self,
        goal: MetaId,
        value: Term,
        by: impl IntoIterator<Item = MetaId>,
    ) -> Result<()> {
        self.ctx.assign(goal, value);
        let at = self.goals.iter().position(|g| *g == goal);
        let by: Vec<MetaId> = by.into_iter().collect();
        budget::visits(self.goals.len() + by.len());
        match at {
            Some(at) => {
                self.goals.splice(at..=at, by);
            }
            None => {
                self.goals.splice(0..0, by);
            }
        }
        Ok(())
    }

    /// A goal under new variables: the new goal, and the function that abstracts them.
    pub(crate) fn goal_below(
        &mut self,
        scope: &Scope,
        over: &[Local],
        ty: Term,
        tag: Name,
    ) -> Result<(MetaId, Term)> {
        let mut inner = Vec::clone(scope);
        inner.extend(over.iter().cloned());
        let goal = self.new_goal(Arc::new(inner), ty, tag);
        let body = self.ctx.abstract_over(&Term::meta(goal), over)?;
        Ok((goal, lambdas(over, body)))
    }

    /// An elaborator in a goal's scope.
    pub(crate) fn elaborator<'e>(&'e mut self, scope: &Scope) -> Elaborator<'e, 't> {
        Elaborator::new(self.ctx, Arc::clone(scope))
    }

    /// Elaborates a term in a goal's scope, without remaining holes.
    pub(crate) fn closed_term(&mut self, scope: &Scope, expr: &Expr, ty: Option<&Term>) -> Result<Term> {
        let mut elaborator = self.elaborator(scope);
        let term = elaborator.whole(expr, ty)?;
        elaborator.no_holes(&term, expr.span())?;
        if !elaborator.goals.is_empty() {
            return fail("`?_` is not allowed here; `refine` makes goals of them");
        }
        Ok(term)
    }

    /// Elaborates a proposition or type in a goal's scope, without remaining holes.
    pub(crate) fn closed_type(&mut self, scope: &Scope, expr: &Expr) -> Result<Term> {
        let mut elaborator = self.elaborator(scope);
        let ty = elaborator.whole_type(expr)?;
        elaborator.no_holes(&ty, expr.span())?;
        Ok(ty)
    }

    /// A variable of a scope, by name.
    pub(crate) fn local_named(&self, scope: &Scope, name: &str) -> Result<Local> {
        let found = scope.iter().rev().find(|l| l.accessible && &*l.name == name);
        found.cloned().ok_or_else(|| Failure::new(format!("unknown hypothesis `{name}`")))
    }

    /// Runs `f`, and restores the state if it fails.
    pub(crate) fn attempt<R>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<std::result::Result<R, Failure>> {
        let mark = self.ctx.mark();
        let goals = self.goals.clone();
        budget::visits(goals.len());
        match f(self) {
            Ok(value) => Ok(Ok(value)),
            Err(failure) => {
                self.ctx.undo(mark);
                self.goals = goals;
                Ok(Err(failure))
            }
        }
    }

    /// A goal as text.
    pub(crate) fn show_goal(&mut self, goal: MetaId) -> String {
        state::goal_of(self.ctx, goal, &Account::default()).to_string()
    }
}

/// A tag with a suffix.
pub(crate) fn tag_with(tag: &Name, suffix: &str) -> Name {
    match (&**tag, suffix) {
        (_, "") => Arc::clone(tag),
        ("", suffix) => suffix.into(),
        (tag, suffix) => format!("{tag}.{suffix}").into(),
    }
}
