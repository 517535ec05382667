//! Weak head normal forms of terms with metavariables.

use num_bigint::BigUint;

use super::context::{Failure, MetaContext, Result, Transparency, beta};
use crate::budget;
use crate::kernel::env::Body;
use crate::kernel::inductive::Recursor;
use crate::kernel::term::{Kind, Level, Term, deeper};

impl MetaContext<'_> {
    /// The weak head normal form, definitions unfolded as the transparency allows. A definition by recursion is left
    /// folded if the recursion is stuck.
    pub fn whnf(&mut self, term: &Term) -> Result<Term> {
        let mut at = self.whnf_core(term)?;
        loop {
            at = match self.reduce_operation(&at)? {
                Some(next) => next,
                None => match self.unfold(&at)? {
                    Some(next) => next,
                    None => return Ok(at),
                },
            };
        }
    }

    /// The weak head normal form with only reducible definitions unfolded.
    pub fn whnf_reducible(&mut self, term: &Term) -> Result<Term> {
        self.with_transparency(Transparency::Reducible, |c| c.whnf(term))
    }

    /// Runs `f` with a transparency.
    pub fn with_transparency<R>(&mut self, transparency: Transparency, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.transparency, transparency);
        let result = f(self);
        self.transparency = before;
        result
    }

    /// The weak head normal form without unfolding definitions.
    pub fn whnf_core(&mut self, term: &Term) -> Result<Term> {
        let mut at = term.clone();
        loop {
            budget::step();
            at = match at.kind() {
                Kind::Meta(_) => {
                    let next = self.instantiate_head(&at);
                    if next.is_same(&at) {
                        return Ok(at);
                    }
                    next
                }
                Kind::Local(id) => match self.local(*id)?.value.clone() {
                    Some(value) => value,
                    None => return Ok(at),
                },
                Kind::Let(_, _, value, body) => body.instantiated(value),
                Kind::App(..) => match deeper(|| self.reduce_application(&at))? {
                    Some(next) => next,
                    None => return Ok(at),
                },
                _ => return Ok(at),
            };
        }
    }

    fn reduce_application(&mut self, term: &Term) -> Result<Option<Term>> {
        let (head, args) = term.head_args();
        let owned = |args: &[&Term]| -> Vec<Term> { args.iter().map(|a| (*a).clone()).collect() };
        match head.kind() {
            Kind::Lambda(..) => Ok(Some(beta(head, &owned(&args)))),
            Kind::Meta(_) => {
                let next = self.instantiate_head(term);
                Ok((!next.is_same(term)).then_some(next))
            }
            Kind::Local(_) | Kind::Let(..) => {
                let next = self.whnf_core(head)?;
                Ok((!next.is_same(head)).then(|| beta(&next, &owned(&args))))
            }
            Kind::Const(name, levels) => {
                let theory = self.theory;
                match theory.env.get(name).map(|d| &d.body) {
                    Some(Body::Recursor(recursor)) => self.reduce_recursor(recursor, levels, &args),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn reduce_recursor(
        &mut self,
        recursor: &Recursor,
        levels: &[Level],
        args: &[&Term],
    ) -> Result<Option<Term>> {
        let Some(&major) = args.get(recursor.major) else { return Ok(None) };
        let mut major = self.whnf(major)?;
        if let Some((base, n)) = self.offset(&major)
            && n > BigUint::ZERO
        {
            major = Term::app(constant("Nat.succ"), with_offset(base, n - 1u32));
        } else if matches!(major.kind(), Kind::Lit(_)) {
            major = constant("Nat.zero");
        }
        let (head, constructor_args) = major.head_args();
        let Kind::Const(constructor, _) = head.kind() else { return Ok(None) };
        let Some(rule) = recursor.rules.iter().find(|r| r.constructor == *constructor) else {
            return Ok(None);
        };
        if constructor_args.len() != recursor.n_params + rule.n_fields {
            return Ok(None);
        }
        let value = rule.value.with_levels(levels);
        let before = args[..recursor.n_before].iter().copied();
        let fields = constructor_args[recursor.n_params..].iter().copied();
        let after = args[recursor.major + 1..].iter().copied();
        let args: Vec<Term> = before.chain(fields).chain(after).cloned().collect();
        Ok(Some(beta(&value, &args)))
    }

    /// The value of an arithmetic operation on literals.
    pub(crate) fn reduce_operation(&mut self, term: &Term) -> Result<Option<Term>> {
        let Kind::App(function, last) = term.kind() else { return Ok(None) };
        let Kind::App(head, first) = function.kind() else { return Ok(None) };
        let Kind::Const(name, _) = head.kind() else { return Ok(None) };
        let theory = self.theory;
        let Some(operation) = theory.env.operation(name) else { return Ok(None) };
        let (a, b) = deeper(|| Ok((self.whnf(first)?, self.whnf(last)?)))?;
        let (Kind::Lit(a), Kind::Lit(b)) = (a.kind(), b.kind()) else { return Ok(None) };
        // Recursion would take even longer.
        operation
            .compute(a, b)
            .map(|n| Some(Term::lit(n)))
            .ok_or_else(|| Failure::new("the numbers are too large to compute with"))
    }

    /// The term with the definition at its head unfolded, if the transparency allows it and unfolding makes progress.
    pub(crate) fn unfold(&mut self, term: &Term) -> Result<Option<Term>> {
        let (head, args) = term.head_args();
        let Kind::Const(name, levels) = head.kind() else { return Ok(None) };
        let theory = self.theory;
        let Some(Body::Definition(value, _)) = theory.env.get(name).map(|d| &d.body) else { return Ok(None) };
        if self.transparency == Transparency::Reducible && !theory.is_reducible(name) {
            return Ok(None);
        }
        budget::step();
        let args: Vec<Term> = args.into_iter().cloned().collect();
        let body = beta(&value.with_levels(levels), &args);
        let unfolded = deeper(|| self.whnf_core(&body))?;
        if self.is_recursor(unfolded.head()) {
            return Ok(None);
        }
        Ok(Some(match recursive_argument(value, |t| self.is_recursor(t)).filter(|at| *at < args.len()) {
            Some(at) => self.refolded(&unfolded, &body, |part| {
                let folded =
                    args.iter().enumerate().map(|(i, a)| if i == at { part.clone() } else { a.clone() });
                Term::apps(head.clone(), folded)
            }),
            None => unfolded,
        }))
    }

    /// The stuck recursor application of a recursive definition.
    pub(crate) fn unfold_stuck(&mut self, term: &Term) -> Result<Option<Term>> {
        let (head, args) = term.head_args();
        let Kind::Const(name, levels) = head.kind() else { return Ok(None) };
        let theory = self.theory;
        let Some(Body::Definition(value, _)) = theory.env.get(name).map(|d| &d.body) else { return Ok(None) };
        budget::step();
        let args: Vec<Term> = args.into_iter().cloned().collect();
        let unfolded = deeper(|| self.whnf_core(&beta(&value.with_levels(levels), &args)))?;
        Ok(self.is_recursor(unfolded.head()).then_some(unfolded))
    }

    fn is_recursor(&self, term: &Term) -> bool {
        matches!(term.kind(), Kind::Const(name, _)
            if matches!(self.theory.env.get(name).map(|d| &d.body), Some(Body::Recursor(_))))
    }

    /// Replaces the recursor by the name of the definition in recursive calls.
    fn refolded(&self, unfolded: &Term, body: &Term, fold: impl Fn(&Term) -> Term) -> Term {
        let Kind::App(recursion, _) = body.kind() else { return unfolded.clone() };
        unfolded.replace(&mut |t, _| match t.kind() {
            Kind::App(f, part) if f == recursion => Some(fold(part)),
            _ => None,
        })
    }

    /// The unfolding height of the definition at the head of a term.
    pub(crate) fn height(&self, term: &Term) -> Option<u32> {
        let Kind::Const(name, _) = term.head().kind() else { return None };
        match self.theory.env.get(name).map(|d| &d.body) {
            Some(Body::Definition(_, height))
                if self.transparency == Transparency::Default || self.theory.is_reducible(name) =>
            {
                Some(*height)
            }
            _ => None,
        }
    }

    /// A number as a base and an offset: `x + 2`, `Nat.succ x`, `3` (without base).
    pub(crate) fn offset(&self, term: &Term) -> Option<(Option<Term>, BigUint)> {
        let (head, args) = term.head_args();
        match (head.kind(), args.as_slice()) {
            (Kind::Lit(n), []) => Some((None, copied(n))),
            (Kind::Const(name, _), []) if &**name == "Nat.zero" => Some((None, BigUint::ZERO)),
            (Kind::Const(name, _), [a]) if &**name == "Nat.succ" => {
                let a = self.instantiate_head(a);
                match deeper(|| self.offset(&a)) {
                    Some((base, n)) => Some((base, n + 1u32)),
                    None => Some((Some(a), BigUint::from(1u32))),
                }
            }
            (Kind::Const(name, _), [a, b]) if &**name == "Nat.add" => {
                let Kind::Lit(m) = self.instantiate_head(b).kind().clone() else { return None };
                let a = self.instantiate_head(a);
                match deeper(|| self.offset(&a)) {
                    Some((base, n)) => Some((base, n + m)),
                    None => Some((Some(a), m)),
                }
            }
            _ => None,
        }
    }
}

/// The index of the recursive argument of a definition, if the definition is a single recursion and uses the
/// argument for nothing else.
fn recursive_argument(value: &Term, is_recursor: impl Fn(&Term) -> bool) -> Option<usize> {
    let (mut n, mut body) = (0usize, value);
    while let Kind::Lambda(_, _, inner) = body.kind() {
        (n, body) = (n + 1, inner);
    }
    let Kind::App(recursion, major) = body.kind() else { return None };
    let Kind::Bound(index) = major.kind() else { return None };
    if !is_recursor(body.head()) {
        return None;
    }
    let at = n.checked_sub(1 + usize::try_from(*index).ok()?)?;
    (!recursion.uses_bound(*index)).then_some(at)
}

/// Copies a number, with a charge, since it may be large.
fn copied(n: &BigUint) -> BigUint {
    budget::visits(usize::try_from(n.bits() / 2048).unwrap_or(usize::MAX));
    n.clone()
}

/// A base with a number added to it.
pub(crate) fn with_offset(base: Option<Term>, n: BigUint) -> Term {
    match base {
        None => Term::lit(n),
        Some(base) if n == BigUint::ZERO => base,
        Some(base) => Term::apps(constant("Nat.add"), [base, Term::lit(n)]),
    }
}

/// A constant without levels.
pub fn constant(name: &str) -> Term {
    Term::constant(name, Vec::new())
}
