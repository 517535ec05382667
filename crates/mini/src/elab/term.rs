//! Elaborating surface terms.

use std::sync::Arc;

use super::app::Given;
use super::binder::flat;
use super::context::{Failure, MetaContext, MetaKind, Result, Scope, fail, lambdas};
use super::infer::nat;
use super::whnf::constant;
use crate::budget;
use crate::kernel::env::Body;
use crate::kernel::term::{Binder, BinderInfo, Kind, Level, MetaId, Term, deeper};
use crate::syntax::ast::{Argument, Expr, ExprKind, Operator, Span, Universe};
use crate::syntax::tactic::Block;

/// Maximum number of universe variables of a declaration, which is checked for every assignment of levels to them.
pub(super) const MAX_LEVELS: usize = 32;

/// Elaborates terms in a scope.
pub struct Elaborator<'c, 't> {
    /// Metavariables.
    pub ctx: &'c mut MetaContext<'t>,
    /// The variables in scope.
    pub scope: Scope,
    /// Whether unknown universe names become parameters.
    pub binds_levels: bool,
    /// Goals made by `?_` and `?x`, in order.
    pub goals: Vec<MetaId>,
    /// Tactic blocks that have not yet run.
    blocks: Vec<(MetaId, Block, Span)>,
}

impl<'c, 't> Elaborator<'c, 't> {
    /// An elaborator in a scope.
    pub fn new(ctx: &'c mut MetaContext<'t>, scope: Scope) -> Self {
        ctx.enter(&scope);
        Self { ctx, scope, binds_levels: false, goals: Vec::new(), blocks: Vec::new() }
    }

    /// Elaborates a term and runs its tactic blocks. Metavariables may remain.
    pub fn whole(&mut self, expr: &Expr, expected: Option<&Term>) -> Result<Term> {
        let term = match expected {
            Some(ty) => self.typed(expr, ty)?,
            None => self.term(expr, None)?,
        };
        self.run_blocks()?;
        Ok(self.ctx.instantiate(&term))
    }

    /// Elaborates a type and runs its tactic blocks. Metavariables may remain.
    pub fn whole_type(&mut self, expr: &Expr) -> Result<Term> {
        let ty = self.ty(expr)?;
        self.run_blocks()?;
        Ok(self.ctx.instantiate(&ty))
    }

    /// Fails if a term has metavariables that cannot be determined.
    pub fn no_holes(&mut self, term: &Term, span: Span) -> Result<()> {
        for id in self.ctx.open_metas(term) {
            if self.ctx.delayed(id).is_some() || self.ctx.meta(id).kind == MetaKind::Goal {
                continue;
            }
            let ty = self.ctx.meta(id).ty.clone();
            let shown = self.ctx.show(&ty);
            return Err(Failure::new(format!(
                "don't know how to synthesize a placeholder of type `{shown}`"
            ))
            .at(span));
        }
        Ok(())
    }

    /// Runs `f`; if it fails, restores the state.
    fn attempt(&mut self, f: impl FnOnce(&mut Self) -> Result<Term>) -> Result<Option<Term>> {
        let mark = self.ctx.mark();
        let (scope, n_goals, n_blocks) = (Arc::clone(&self.scope), self.goals.len(), self.blocks.len());
        match f(self) {
            Ok(term) => Ok(Some(term)),
            Err(_) => {
                self.ctx.undo(mark);
                self.scope = scope;
                self.goals.truncate(n_goals);
                self.blocks.truncate(n_blocks);
                Ok(None)
            }
        }
    }

    /// Runs the tactic blocks collected so far.
    pub fn run_blocks(&mut self) -> Result<()> {
        for (goal, block, span) in std::mem::take(&mut self.blocks) {
            crate::tactic::prove(self.ctx, goal, &block).map_err(|f| f.at(span))?;
        }
        Ok(())
    }

    /// A new metavariable of a type in this scope.
    pub fn hole(&mut self, ty: Term) -> Term {
        Term::meta(self.ctx.new_meta(Arc::clone(&self.scope), ty, MetaKind::Natural, "".into()))
    }

    fn goal(&mut self, ty: Term, tag: &str) -> MetaId {
        self.ctx.new_meta(Arc::clone(&self.scope), ty, MetaKind::Goal, tag.into())
    }

    /// A new metavariable for a type.
    pub(super) fn type_hole(&mut self) -> Term {
        let level = self.ctx.new_level();
        self.hole(Term::sort(level))
    }

    /// Elaborates a term with an expected type.
    pub fn typed(&mut self, expr: &Expr, ty: &Term) -> Result<Term> {
        let term = self.term(expr, Some(ty))?;
        self.ensure(term, ty, expr.span())
    }

    /// Coerces a term to a type.
    pub(super) fn ensure(&mut self, term: Term, ty: &Term, span: Span) -> Result<Term> {
        let found = self.ctx.infer(&term)?;
        if self.ctx.unify(&found, ty)? {
            return Ok(term);
        }
        // A Boolean is coerced to the proposition that it is true.
        let sort = self.ctx.whnf(ty)?;
        if matches!(sort.kind(), Kind::Sort(Level::Num(0))) && self.is_bool(&found)? {
            return Ok(is_true(term));
        }
        let (term, found, ty) = (self.ctx.show(&term), self.ctx.show(&found), self.ctx.show(ty));
        let what =
            format!("type mismatch\n  {term}\nhas type\n  {found}\nbut is expected to have type\n  {ty}");
        Err(Failure::new(what).at(span))
    }

    fn is_bool(&mut self, ty: &Term) -> Result<bool> {
        Ok(matches!(self.ctx.whnf(ty)?.kind(), Kind::Const(name, _) if &**name == "Bool"))
    }

    /// A type.
    pub fn ty(&mut self, expr: &Expr) -> Result<Term> {
        let term = self.term(expr, None)?;
        let sort = self.ctx.infer(&term)?;
        let sort = self.ctx.whnf(&sort)?;
        match sort.kind() {
            Kind::Sort(_) => Ok(term),
            Kind::Meta(_) => {
                self.ctx.level_of(&term).map_err(|f| f.at(expr.span()))?;
                Ok(term)
            }
            _ if self.is_bool(&sort)? => Ok(is_true(term)),
            _ => {
                let (term, sort) = (self.ctx.show(&term), self.ctx.show(&sort));
                Err(Failure::new(format!("type expected, got\n  ({term} : {sort})")).at(expr.span()))
            }
        }
    }

    /// Elaborates a term. The expected type is only a hint.
    pub fn term(&mut self, expr: &Expr, expected: Option<&Term>) -> Result<Term> {
        budget::step();
        deeper(|| self.form(expr, expected)).map_err(|f| f.at(expr.span()))
    }

    fn form(&mut self, expr: &Expr, expected: Option<&Term>) -> Result<Term> {
        if let Some(term) = self.implicit_function(expr, expected)? {
            return Ok(term);
        }
        match expr.kind() {
            ExprKind::Ident(name) => self.applied_name(name, Vec::new(), Vec::new(), false, expected),
            ExprKind::Explicit(name) => self.applied_name(name, Vec::new(), Vec::new(), true, expected),
            ExprKind::Num(n) => Ok(Term::lit(n.clone())),
            ExprKind::Hole => {
                let ty = expected.cloned().unwrap_or_else(|| self.type_hole());
                Ok(self.hole(ty))
            }
            ExprKind::Synthetic(name) => {
                let ty = expected.cloned().unwrap_or_else(|| self.type_hole());
                let goal = self.goal(ty, name.as_deref().unwrap_or_default());
                self.goals.push(goal);
                Ok(Term::meta(goal))
            }
            ExprKind::Sort(level) => self.sort(level),
            ExprKind::App(head, arguments) => self.application(head, arguments, expected),
            ExprKind::Fun(binders, body) => self.function(&flat(binders), body, expected),
            ExprKind::Forall(binders, body) => self.forall(&flat(binders), body),
            ExprKind::Pi(binders, body) => self.forall(&flat(std::slice::from_ref(&**binders)), body),
            ExprKind::Exists(binders, body) => self.exists(&flat(binders), body),
            ExprKind::Arrow(a, b) => {
                let (a, b) = (self.ty(a)?, self.ty(b)?);
                Ok(Term::arrow(a, b))
            }
            ExprKind::Binary(operator, a, b) => self.operation(*operator, a, b, expected),
            ExprKind::Not(a) => Ok(Term::app(constant("Not"), self.typed(a, &Term::prop())?)),
            ExprKind::Anonymous(parts) => self.anonymous(parts, expected, expr.span()),
            ExprKind::Tuple(parts) => self.tuple(parts, expected),
            ExprKind::List(parts) => self.list(parts, expected),
            ExprKind::Project(term, field) => {
                let term = self.term(term, None)?;
                self.field(term, field, Vec::new(), Vec::new(), expected)
            }
            ExprKind::Ascription(term, ty) => {
                let ty = self.ty(ty)?;
                self.typed(term, &ty)
            }
            ExprKind::Let(name, ty, value, body) => {
                let ty = match ty {
                    Some(ty) => self.ty(ty)?,
                    None => self.type_hole(),
                };
                let value = self.typed(value, &ty)?;
                self.bind(name, BinderInfo::Explicit, ty, Some(value.clone()));
                let local = self.scope.last().expect("it was bound").clone();
                let body = self.term(body, expected)?;
                self.unbind();
                let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
                Ok(lambdas(&[local], body))
            }
            ExprKind::Have(name, ty, value, body) => {
                let ty = self.ty(ty)?;
                let value = self.typed(value, &ty)?;
                let name = name.clone().unwrap_or_else(|| "this".into());
                let local = self.bind(&name, BinderInfo::Explicit, ty, None);
                let body = self.term(body, expected)?;
                self.unbind();
                let body = self.ctx.abstract_over(&body, std::slice::from_ref(&local))?;
                Ok(Term::app(lambdas(&[local], body), value))
            }
            ExprKind::Show(ty, term) => {
                let ty = self.ty(ty)?;
                if let Some(expected) = expected {
                    // Each of the two types may determine metavariables of the other.
                    self.ctx.unify(&ty, expected)?;
                }
                self.typed(term, &ty)
            }
            ExprKind::By(block) => {
                let ty = expected.cloned().unwrap_or_else(|| self.type_hole());
                let goal = self.goal(ty, "");
                self.blocks.push((goal, block.clone(), expr.span()));
                Ok(Term::meta(goal))
            }
        }
    }

    fn application(&mut self, head: &Expr, arguments: &[Argument], expected: Option<&Term>) -> Result<Term> {
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for argument in arguments {
            match argument {
                Argument::Positional(term) => positional.push(Given::Expr(term)),
                Argument::Named(name, term) => named.push((Arc::clone(name), Given::Expr(term))),
            }
        }
        match head.kind() {
            ExprKind::Ident(name) => self.applied_name(name, positional, named, false, expected),
            ExprKind::Explicit(name) => self.applied_name(name, positional, named, true, expected),
            ExprKind::Project(term, field) => {
                let term = self.term(term, None)?;
                self.field(term, field, positional, named, expected)
            }
            _ => {
                let head = self.term(head, None)?;
                self.apply(head, positional, named, false, expected)
            }
        }
    }

    fn operation(&mut self, operator: Operator, a: &Expr, b: &Expr, expected: Option<&Term>) -> Result<Term> {
        let (name, operand) = match operator {
            Operator::Iff => ("Iff", Term::prop()),
            Operator::Or => ("Or", Term::prop()),
            Operator::And => ("And", Term::prop()),
            Operator::Le => ("Nat.le", nat()),
            Operator::Ge => ("GE.ge", nat()),
            Operator::Lt => ("Nat.lt", nat()),
            Operator::Gt => ("GT.gt", nat()),
            Operator::Dvd => ("Dvd.dvd", nat()),
            Operator::Add => ("Nat.add", nat()),
            Operator::Sub => ("Nat.sub", nat()),
            Operator::Mul => ("Nat.mul", nat()),
            Operator::Pow => ("Nat.pow", nat()),
            Operator::Div | Operator::Mod => {
                return fail(format!("unsupported: `{}`", operator.symbol()));
            }
            Operator::Eq => return self.equation("Eq", a, b),
            Operator::Ne => return self.equation("Ne", a, b),
            Operator::Prod => return self.of_constant("Prod", &[a, b], expected),
            Operator::Append => return self.of_constant("List.append", &[a, b], expected),
            Operator::Cons => return self.of_constant("List.cons", &[a, b], expected),
            Operator::Subst => return self.substitution(a, b, expected),
        };
        let (a, b) = (self.typed(a, &operand)?, self.typed(b, &operand)?);
        Ok(Term::apps(constant(name), [a, b]))
    }

    fn of_constant(&mut self, name: &str, args: &[&Expr], expected: Option<&Term>) -> Result<Term> {
        let head = self.constant(name)?;
        let given = args.iter().map(|a| Given::Expr(a)).collect();
        self.apply(head, given, Vec::new(), false, expected)
    }

    fn equation(&mut self, name: &str, a: &Expr, b: &Expr) -> Result<Term> {
        let (x, ty, y) = if needs_type(a) && !needs_type(b) {
            let y = self.term(b, None)?;
            let ty = self.ctx.infer(&y)?;
            (self.typed(a, &ty)?, ty, y)
        } else {
            let x = self.term(a, None)?;
            let ty = self.ctx.infer(&x)?;
            let y = self.typed(b, &ty)?;
            (x, ty, y)
        };
        let level = self.ctx.level_of(&ty)?;
        Ok(Term::apps(Term::constant(name, vec![level]), [ty, x, y]))
    }

    /// `h ▸ t`
    fn substitution(&mut self, equation: &Expr, term: &Expr, expected: Option<&Term>) -> Result<Term> {
        let equation = self.term(equation, None)?;
        let ty = self.ctx.infer(&equation)?;
        let Some((alpha, a, b)) = self.ctx.equation(&ty)? else {
            let ty = self.ctx.show(&ty);
            return fail(format!("the left side of `▸` must be a proof of an equation, not of\n  {ty}"));
        };
        let equation = self.ctx.instantiate(&equation);
        if let Some(expected) = expected {
            let goal = self.ctx.instantiate(expected);
            for (from, to, is_forward) in [(&b, &a, true), (&a, &b, false)] {
                let motive = self.ctx.abstract_term(&goal, from)?;
                if motive.is_closed() {
                    continue;
                }
                let from_ty = motive.instantiated(to);
                if let Some(value) = self.attempt(|e| e.typed(term, &from_ty))? {
                    let equation = if is_forward { equation } else { self.ctx.symmetric(&equation)? };
                    return self.ctx.transported(&alpha, &motive, &equation, value, &from_ty);
                }
            }
        }
        let value = self.term(term, None)?;
        let value_ty = self.ctx.infer(&value)?;
        let value_ty = self.ctx.instantiate(&value_ty);
        let motive = self.ctx.abstract_term(&value_ty, &a)?;
        if motive.is_closed() {
            return fail("`▸` finds nothing to rewrite");
        }
        self.ctx.transported(&alpha, &motive, &equation, value, &value_ty)
    }

    fn anonymous(&mut self, parts: &[Expr], expected: Option<&Term>, span: Span) -> Result<Term> {
        let Some(expected) = expected else { return fail("the type of `⟨…⟩` is not known here") };
        let ty = self.ctx.whnf(expected)?;
        let Kind::Const(family, _) = ty.head().kind() else {
            return fail("the type of `⟨…⟩` is not known here");
        };
        let theory = self.ctx.theory;
        let Some(Body::Inductive { constructors, .. }) = theory.env.get(family).map(|d| &d.body) else {
            let ty = self.ctx.show(&ty);
            return fail(format!("`⟨…⟩` makes an inductive type, not\n  {ty}"));
        };
        let [constructor] = constructors.as_slice() else {
            return fail(format!(
                "`⟨…⟩` needs a type with one constructor, but `{family}` has {}",
                constructors.len()
            ));
        };
        let Some(declaration) = theory.env.get(constructor) else { return fail("unknown constructor") };
        let n_fields = explicit_binders(&declaration.ty);
        let head = self.constant(constructor)?;
        let folded;
        let parts: Vec<Given<'_>> = if parts.len() > n_fields && n_fields > 0 {
            // ⟨a, b, c⟩ is ⟨a, ⟨b, c⟩⟩.
            budget::visits(parts.len());
            folded = Expr::new(ExprKind::Anonymous(parts[n_fields - 1..].to_vec()), span);
            parts[..n_fields - 1].iter().chain([&folded]).map(Given::Expr).collect()
        } else {
            parts.iter().map(Given::Expr).collect()
        };
        if parts.len() < n_fields {
            return fail(format!("`⟨…⟩` needs {n_fields} parts here but has {}", parts.len()));
        }
        self.apply(head, parts, Vec::new(), false, Some(&ty))
    }

    fn tuple(&mut self, parts: &[Expr], expected: Option<&Term>) -> Result<Term> {
        match parts {
            [last] => self.term(last, expected),
            [a, b] => self.of_constant("Prod.mk", &[a, b], expected),
            [a, rest @ ..] => {
                budget::visits(rest.len());
                let span = Span { start: rest[0].span().start, end: rest[rest.len() - 1].span().end };
                let rest = Expr::new(ExprKind::Tuple(rest.to_vec()), span);
                self.of_constant("Prod.mk", &[a, &rest], expected)
            }
            [] => fail("unsupported: `()`"),
        }
    }

    fn list(&mut self, parts: &[Expr], expected: Option<&Term>) -> Result<Term> {
        let nil = self.constant("List.nil")?;
        let mut list = self.apply(nil, Vec::new(), Vec::new(), false, expected)?;
        // From left to right, since the first element determines the type of the others.
        let ty = self.ctx.infer(&list)?;
        let Some(alpha) = self.ctx.instantiate(&ty).head_args().1.first().map(|a| (*a).clone()) else {
            return fail("`List` must have an argument");
        };
        let members = parts.iter().map(|p| self.typed(p, &alpha)).collect::<Result<Vec<_>>>()?;
        let cons = match list.head().kind() {
            Kind::Const(_, levels) => Term::constant("List.cons", Arc::clone(levels)),
            _ => return fail("`List.nil` must be a constructor"),
        };
        for member in members.into_iter().rev() {
            list = Term::apps(cons.clone(), [alpha.clone(), member, list]);
        }
        Ok(list)
    }

    fn sort(&mut self, level: &Universe) -> Result<Term> {
        Ok(Term::sort(self.level(level)?))
    }

    fn level(&mut self, level: &Universe) -> Result<Level> {
        Ok(match level {
            Universe::Num(n) => Level::Num(*n),
            Universe::Name(name) => match self.ctx.level_names.iter().position(|n| n == name) {
                Some(place) => Level::Param(u8::try_from(place).unwrap_or(u8::MAX)),
                None if self.binds_levels && self.ctx.level_names.len() == MAX_LEVELS => {
                    return fail(format!("unsupported: more than {MAX_LEVELS} universe variables"));
                }
                None if self.binds_levels => {
                    self.ctx.level_names.push(Arc::clone(name));
                    Level::Param(u8::try_from(self.ctx.level_names.len() - 1).unwrap_or(u8::MAX))
                }
                None => return fail(format!("unknown universe `{name}`")),
            },
            Universe::Succ(level) => self.level(level)?.succ(),
            Universe::Max(a, b) => self.level(a)?.max(self.level(b)?),
            Universe::IMax(a, b) => self.level(a)?.imax(self.level(b)?),
        })
    }
}

/// `t = true`
fn is_true(term: Term) -> Term {
    let eq = Term::constant("Eq", vec![Level::Num(1)]);
    Term::apps(eq, [constant("Bool"), term, constant("Bool.true")])
}

/// Whether elaboration of a term should wait for its type.
pub(super) fn needs_type(expr: &Expr) -> bool {
    match expr.kind() {
        ExprKind::Anonymous(_) | ExprKind::Hole | ExprKind::Synthetic(_) | ExprKind::By(_) => true,
        ExprKind::Fun(binders, _) => binders.iter().any(|b| b.ty.is_none()),
        ExprKind::Binary(Operator::Subst, ..) => true,
        ExprKind::List(parts) => parts.is_empty(),
        _ => false,
    }
}

fn explicit_binders(ty: &Term) -> usize {
    let (mut n, mut at) = (0, ty);
    while let Kind::Pi(Binder { info, .. }, _, to) = at.kind() {
        n += usize::from(*info == BinderInfo::Explicit);
        at = to;
    }
    n
}
