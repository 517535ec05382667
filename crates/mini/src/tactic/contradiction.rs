//! Equations between constructors, substitution, and contradictory hypotheses.

use std::sync::Arc;

use num_bigint::BigUint;

use super::Tactics;
use super::context::mentions;
use crate::elab::context::{Local, MetaContext, Result, fail, lambdas};
use crate::elab::whnf::{constant, with_offset};
use crate::kernel::env::Body;
use crate::kernel::term::{Binder, BinderInfo, Kind, Level, LocalId, MetaId, Name, Term, deeper};
use crate::syntax::ast::Expr;

/// The consequence of an equation between constructors.
pub(super) enum Constructors {
    /// The constructors differ: a proof of `False`.
    Different(Term),
    /// They are equal: proofs that their arguments are equal, with the names of these.
    Same(Vec<(Name, Term)>),
    /// It is not such an equation.
    Unknown,
}

impl Tactics<'_, '_> {
    pub(super) fn contradiction(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        for local in decl.scope.iter().rev() {
            let ty = self.ctx.instantiate(&local.ty);
            if let Some(proof) = self.refuted(&decl.scope, local, &ty)? {
                let value = self.absurdity(proof, &decl.ty)?;
                return self.replace(goal, value, []);
            }
        }
        fail("no hypotheses contradict each other")
    }

    /// A proof of `False` from a hypothesis, possibly with another one.
    fn refuted(&mut self, scope: &[Local], local: &Local, ty: &Term) -> Result<Option<Term>> {
        let whnf = self.ctx.whnf(ty)?;
        if let Kind::Const(name, _) = whnf.head().kind() {
            let theory = self.ctx.theory;
            match theory.env.get(name).map(|d| &d.body) {
                Some(Body::Inductive { constructors, .. }) if constructors.is_empty() => {
                    let level = Vec::from_iter(self.ctx.rec_levels(name, &[], Level::Num(0)));
                    let motive = Term::lambda(Binder::explicit("x"), whnf.clone(), constant("False"));
                    let rec = Term::constant(format!("{name}.rec"), level);
                    return Ok(Some(Term::apps(rec, [motive, local.term()])));
                }
                _ => {}
            }
            if &**name == "Eq"
                && let Some(proof) = self.refuted_equation(local.term(), whnf.clone())?
            {
                return Ok(Some(proof));
            }
            if &**name == "Nat.le"
                && let Some([a, b]) = self.ctx.application_of::<2>(&whnf, "Nat.le")
                && let (Some((base, n)), Some((None, m))) = (self.ctx.offset(&a), self.ctx.offset(&b))
                && n > BigUint::ZERO
                && m == BigUint::ZERO
            {
                // n + 1 ≤ 0
                let before = with_offset(base, n - 1u32);
                return Ok(Some(Term::apps(constant("Nat.not_succ_le_zero"), [before, local.term()])));
            }
        }
        if let Kind::Pi(_, from, to) = whnf.kind()
            && to.is_closed()
        {
            let result = self.ctx.whnf(to)?;
            if matches!(result.kind(), Kind::Const(name, _) if &**name == "False") {
                for other in scope {
                    if self.ctx.is_proof(&other.term())? && self.ctx.unify_reducible(&other.ty, from)? {
                        return Ok(Some(Term::app(local.term(), other.term())));
                    }
                }
                // a ≠ a
                if let Some((alpha, a, b)) = self.ctx.equation(from)?
                    && self.ctx.unify(&a, &b)?
                {
                    let refl = self.ctx.reflexivity(&alpha, a)?;
                    return Ok(Some(Term::app(local.term(), refl)));
                }
            }
        }
        Ok(None)
    }

    /// A proof of `False` from an equation between different constructors or numerals.
    fn refuted_equation(&mut self, mut proof: Term, mut ty: Term) -> Result<Option<Term>> {
        // Numerals are reduced by predecessors.
        for _ in 0..100 {
            match self.constructors_of(&proof, &ty)? {
                Constructors::Different(proof) => return Ok(Some(proof)),
                Constructors::Same(mut of) if is_between_numerals(self.ctx, &ty)? && of.len() == 1 => {
                    proof = of.remove(0).1;
                    ty = self.ctx.infer(&proof)?;
                }
                _ => break,
            }
        }
        Ok(None)
    }

    /// The consequence of an equation about constructors.
    pub(super) fn constructors_of(&mut self, proof: &Term, ty: &Term) -> Result<Constructors> {
        let Some((alpha, a, b)) = self.ctx.equation(ty)? else { return Ok(Constructors::Unknown) };
        let alpha = self.ctx.whnf(&alpha)?;
        let alpha = self.ctx.instantiate(&alpha);
        let (head, params) = alpha.head_args();
        let Kind::Const(family, levels) = head.kind() else { return Ok(Constructors::Unknown) };
        let theory = self.ctx.theory;
        let Some(Body::Inductive { n_params, constructors }) = theory.env.get(family).map(|d| &d.body) else {
            return Ok(Constructors::Unknown);
        };
        if params.len() != *n_params {
            return Ok(Constructors::Unknown);
        }
        let (Some((c, xs)), Some((d, ys))) = (self.constructed(&a)?, self.constructed(&b)?) else {
            return Ok(Constructors::Unknown);
        };
        let params: Vec<Term> = params.into_iter().cloned().collect();
        let discriminate = Discriminate { family, levels, params: &params, constructors };
        if c != d {
            // Transport `True` to `False`.
            let motive = discriminate.predicate(self, &alpha, &c)?;
            let proof =
                self.ctx.transported(&alpha, &motive, proof, constant("True.intro"), &constant("True"))?;
            return Ok(Constructors::Different(proof));
        }
        let names = theory.env.get(&c).map(|d| arguments(&d.ty)).unwrap_or_default();
        let mut equal = Vec::new();
        for (at, (x, y)) in xs.iter().zip(&ys).enumerate().skip(*n_params) {
            let ty = self.ctx.infer(x)?;
            let other = self.ctx.infer(y)?;
            if self.ctx.is_proposition(&ty)? || !self.ctx.unify(&ty, &other)? {
                continue;
            }
            let field = discriminate.projection(self, &alpha, &c, at - n_params, &ty, x)?;
            // Transport x = x to field a = field b, with reduced sides.
            let refl = self.ctx.reflexivity(&ty, x.clone())?;
            let refl_ty = self.ctx.make_equation(&ty, x.clone(), x.clone())?;
            let level = self.ctx.level_of(&ty)?;
            let eq = Term::constant("Eq", vec![level]);
            let motive = Term::apps(eq, [ty.lifted(0, 1), x.lifted(0, 1), field]);
            let carried = self.ctx.transported(&alpha, &motive, proof, refl, &refl_ty)?;
            let name = names.get(at).map_or_else(|| "h".into(), |(name, _)| Name::clone(name));
            equal.push((name, self.ascribed(carried, &ty, x.clone(), y.clone())?));
        }
        Ok(Constructors::Same(equal))
    }

    /// A proof with its type written as `x = y`.
    fn ascribed(&mut self, proof: Term, alpha: &Term, x: Term, y: Term) -> Result<Term> {
        let ty = self.ctx.make_equation(alpha, x, y)?;
        let id = Term::lambda(Binder::explicit("h"), ty, Term::bound(0));
        Ok(Term::app(id, proof))
    }

    /// The constructor and arguments of a term, reduced if necessary.
    pub(super) fn constructed(&mut self, term: &Term) -> Result<Option<(Name, Vec<Term>)>> {
        let whnf = self.ctx.whnf(term)?;
        let whnf = self.ctx.instantiate(&whnf);
        if let Some((base, n)) = self.ctx.offset(&whnf) {
            return Ok(Some(match (base, n) {
                (None, n) if n == BigUint::ZERO => ("Nat.zero".into(), Vec::new()),
                (base, n) => ("Nat.succ".into(), vec![with_offset(base, n - 1u32)]),
            }));
        }
        let (head, args) = whnf.head_args();
        let Kind::Const(name, _) = head.kind() else { return Ok(None) };
        let is_constructor =
            matches!(self.ctx.theory.env.get(name).map(|d| &d.body), Some(Body::Constructor { .. }));
        Ok(is_constructor.then(|| (Arc::clone(name), args.into_iter().cloned().collect())))
    }

    pub(super) fn injection(&mut self, goal: MetaId, expr: &Expr, names: &[Name]) -> Result<()> {
        let decl = self.decl(goal);
        let proof = self.closed_term(&decl.scope, expr, None)?;
        let ty = self.ctx.infer(&proof)?;
        let ty = self.ctx.instantiate(&ty);
        match self.constructors_of(&proof, &ty)? {
            Constructors::Different(proof) => {
                let value = self.absurdity(proof, &decl.ty)?;
                self.replace(goal, value, [])
            }
            Constructors::Same(proofs) => {
                if names.len() > proofs.len() {
                    return fail(format!(
                        "{} equations follow, and there are {} names",
                        proofs.len(),
                        names.len()
                    ));
                }
                let mut goal = goal;
                for (at, (field, proof)) in proofs.into_iter().enumerate() {
                    let ty = self.ctx.infer(&proof)?;
                    let name = names.get(at).filter(|n| &***n != "_");
                    let (own, accessible) = match name {
                        Some(name) => (Arc::clone(name), true),
                        None => (format!("{field}_eq").into(), false),
                    };
                    goal = self.assert(goal, &own, accessible, ty, proof)?.0;
                }
                if let Kind::Local(id) = proof.kind() {
                    goal = self.attempt(|t| t.cleared(goal, &[*id]))?.unwrap_or(goal);
                }
                let _ = self.attempt(|t| t.assumption(goal))?;
                Ok(())
            }
            Constructors::Unknown => {
                let ty = self.ctx.show(&ty);
                fail(format!("`injection` needs an equation between constructors, not\n  {ty}"))
            }
        }
    }

    pub(super) fn subst_all(&mut self, goal: MetaId, equations: &[Expr]) -> Result<()> {
        let mut goal = goal;
        for expr in equations {
            let decl = self.decl(goal);
            let term = self.closed_term(&decl.scope, expr, None)?;
            let Kind::Local(id) = term.kind() else { return fail("`subst` needs a hypothesis") };
            let Some(mut local) = decl.scope.iter().find(|l| l.id == *id).cloned() else {
                return fail("`subst` needs a hypothesis");
            };
            let ty = self.ctx.instantiate(&local.ty);
            if self.ctx.equation(&ty)?.is_none() {
                // A variable: by an equation that has it as one side.
                let of = |c: &mut Self, l: &Local| -> Result<bool> {
                    let ty = c.ctx.instantiate(&l.ty);
                    let Some((_, a, b)) = c.ctx.equation(&ty)? else { return Ok(false) };
                    Ok(a == term || b == term)
                };
                let mut found = None;
                for l in decl.scope.iter() {
                    if of(self, l)? {
                        found = Some(l.clone());
                    }
                }
                match found {
                    Some(equation) => local = equation,
                    None => return fail(format!("no hypothesis says what `{}` is", local.name)),
                }
            }
            match self.substituted(goal, &local)? {
                Some(next) => goal = next,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    /// Uses an equation with a variable on one side, or between constructors. `None` if it closed the goal.
    pub(super) fn substituted(&mut self, goal: MetaId, equation: &Local) -> Result<Option<MetaId>> {
        match self.solve(goal, equation, false)? {
            Some(next) if next == goal => {
                let ty = self.ctx.show(&equation.ty);
                fail(format!("`subst` needs an equation with a variable on one side, not\n  {ty}"))
            }
            result => Ok(result),
        }
    }

    /// Simplifies a goal by an equation in its scope: substitutes a variable, drops a trivial equation, or decomposes
    /// constructors. `None` if the equation is contradictory; the same goal if it has no consequence.
    pub(super) fn solve_equation(&mut self, goal: MetaId, equation: &Local) -> Result<Option<MetaId>> {
        self.solve(goal, equation, true)
    }

    /// Between two variables, the right one is replaced, or, with `by_age`, the more recent one.
    fn solve(&mut self, goal: MetaId, equation: &Local, by_age: bool) -> Result<Option<MetaId>> {
        let ty = self.ctx.instantiate(&equation.ty);
        let Some((alpha, a, b)) = self.ctx.equation(&ty)? else { return Ok(Some(goal)) };
        let (a, b) = (self.ctx.instantiate(&a), self.ctx.instantiate(&b));
        let decl = self.decl(goal);
        let variable = |t: &Term| match t.kind() {
            Kind::Local(id) => decl.scope.iter().find(|l| l.id == *id && l.value.is_none()).cloned(),
            _ => None,
        };
        let mut sides = [(variable(&b), &a, true), (variable(&a), &b, false)];
        let place = |x: &Option<Local>| {
            let id = x.as_ref().map(|x| x.id);
            decl.scope.iter().position(|l| Some(l.id) == id)
        };
        if by_age && place(&sides[0].0) < place(&sides[1].0) {
            sides.reverse();
        }
        for (x, other, is_forward) in sides {
            if let Some(x) = x
                && !mentions(other, &[x.id])
            {
                return self.replace_variable(goal, equation, &x, other, &alpha, is_forward).map(Some);
            }
        }
        if self.ctx.unify(&a, &b)? {
            return Ok(Some(self.attempt(|t| t.cleared(goal, &[equation.id]))?.unwrap_or(goal)));
        }
        match self.constructors_of(&equation.term(), &ty)? {
            Constructors::Different(proof) => {
                let value = self.absurdity(proof, &decl.ty)?;
                self.replace(goal, value, [])?;
                Ok(None)
            }
            Constructors::Same(proofs) => {
                let mut goal = goal;
                let mut equations = Vec::new();
                for (_, proof) in proofs {
                    let ty = self.ctx.infer(&proof)?;
                    let (next, local) = self.assert(goal, &"h".into(), false, ty, proof)?;
                    equations.push(local);
                    goal = next;
                }
                goal = self.attempt(|t| t.cleared(goal, &[equation.id]))?.unwrap_or(goal);
                for local in equations {
                    let decl = self.decl(goal);
                    let Some(local) = decl.scope.iter().find(|l| l.id == local.id).cloned() else { continue };
                    match deeper(|| self.solve_equation(goal, &local))? {
                        Some(next) => goal = next,
                        None => return Ok(None),
                    }
                }
                Ok(Some(goal))
            }
            Constructors::Unknown => Ok(Some(goal)),
        }
    }

    /// Replaces a variable everywhere by the other side of an equation. `is_forward` means that the equation is
    /// `other = x`.
    fn replace_variable(
        &mut self,
        goal: MetaId,
        equation: &Local,
        x: &Local,
        other: &Term,
        alpha: &Term,
        is_forward: bool,
    ) -> Result<MetaId> {
        let decl = self.decl(goal);
        let mut again = self.dependents(&decl.scope, &[x.id]);
        again.retain(|l| l.id != equation.id);
        let ids: Vec<LocalId> = again.iter().map(|l| l.id).collect();
        if mentions(other, &ids) || again.iter().any(|l| mentions(&l.ty, &[equation.id])) {
            return fail("unsupported: a substitution on which other hypotheses depend");
        }
        let goal = self.revert_locals(goal, &again)?;
        let decl = self.decl(goal);
        if mentions(&decl.ty, &[equation.id]) {
            return fail("unsupported: a substitution by an equation that the goal mentions");
        }
        let motive = decl.ty.abstracted(x.id);
        let ty = motive.instantiated(other);
        let scope = Self::without(&decl.scope, &[x.id, equation.id]);
        let new = self.new_goal(scope, ty.clone(), decl.tag);
        let proof = if is_forward { equation.term() } else { self.ctx.symmetric(&equation.term())? };
        let value = self.ctx.transported(alpha, &motive, &proof, Term::meta(new), &ty)?;
        self.replace(goal, value, [new])?;
        self.intro_again(new, &again)
    }
}

/// An inductive type without indices whose constructors are to be distinguished.
struct Discriminate<'a> {
    family: &'a Name,
    levels: &'a Arc<[Level]>,
    params: &'a [Term],
    constructors: &'a [Name],
}

impl Discriminate<'_> {
    /// `True` for one constructor and `False` for the others, as the body of a binder.
    fn predicate(&self, tactics: &mut Tactics<'_, '_>, alpha: &Term, of: &Name) -> Result<Term> {
        let value = |name: &Name, _: &[Local]| constant(if name == of { "True" } else { "False" });
        self.by_cases(tactics, alpha, &Term::prop(), Level::Num(1), value)
    }

    /// A field of one constructor, and a given value for the others, as the body of a binder.
    fn projection(
        &self,
        tactics: &mut Tactics<'_, '_>,
        alpha: &Term,
        of: &Name,
        place: usize,
        ty: &Term,
        otherwise: &Term,
    ) -> Result<Term> {
        let level = tactics.ctx.level_of(ty)?;
        let value = |name: &Name, fields: &[Local]| match fields.get(place) {
            Some(field) if name == of => field.term(),
            _ => otherwise.clone(),
        };
        self.by_cases(tactics, alpha, ty, level, value)
    }

    fn by_cases(
        &self,
        tactics: &mut Tactics<'_, '_>,
        alpha: &Term,
        result: &Term,
        level: Level,
        value: impl Fn(&Name, &[Local]) -> Term,
    ) -> Result<Term> {
        let ctx = &mut *tactics.ctx;
        let motive = Term::lambda(Binder::explicit("x"), alpha.clone(), result.lifted(0, 1));
        let levels = ctx.rec_levels(self.family, self.levels, level);
        let rec = Term::constant(format!("{}.rec", self.family), levels);
        let mut term = Term::apps(rec, self.params.iter().cloned().chain([motive]));
        for name in self.constructors {
            let ty = ctx.infer(&term)?;
            let ty = ctx.whnf(&ty)?;
            let Kind::Pi(_, case, _) = ty.kind() else {
                return fail("a recursor has a case per constructor");
            };
            let (mut over, mut at) = (Vec::new(), case.clone());
            while let Kind::Pi(binder, from, to) = at.kind() {
                let local = ctx.new_binder(binder, from.clone());
                at = to.instantiated(&local.term());
                over.push(local);
            }
            let body = value(name, &over);
            term = Term::app(term, lambdas(&over, body));
        }
        Ok(Term::app(term.lifted(0, 1), Term::bound(0)))
    }
}

/// The names of a function type's arguments, and how they are supplied.
pub(super) fn arguments(ty: &Term) -> Vec<(Name, BinderInfo)> {
    let (mut found, mut at) = (Vec::new(), ty);
    while let Kind::Pi(binder, _, to) = at.kind() {
        found.push((Arc::clone(&binder.name), binder.info));
        at = to;
    }
    found
}

fn is_between_numerals(ctx: &mut MetaContext<'_>, equation: &Term) -> Result<bool> {
    let Some((_, a, b)) = ctx.equation(equation)? else { return Ok(false) };
    Ok([a, b].iter().all(|side| matches!(ctx.offset(side), Some((None, _)))))
}
