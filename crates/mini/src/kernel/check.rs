//! The type checker: types, weak head normal forms, definitional equality.

use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use super::env::{Body, Declaration, Env};
use super::error::KernelError;
use super::inductive::Recursor;
use super::term::{Binder, Kind, Level, LocalId, Name, Term, deeper};
use crate::budget::{self, Account};

/// Maximum number of reduction and comparison steps of one check.
pub const DEFAULT_STEPS: u64 = 10_000_000;

/// Memory limit for checking one declaration, in bytes.
pub const MAX_BYTES: u64 = 512 << 20;

type Result<T> = std::result::Result<T, KernelError>;

/// Type-checks terms in a context of free variables, for all values of their level parameters at once.
pub struct Checker<'e> {
    env: &'e Env,
    n_levels: usize,
    locals: FxHashMap<LocalId, (Binder, Term)>,
    next_local: u64,
    steps: u64,
    types: FxHashMap<Term, Term>,
    normal: FxHashMap<Term, Term>,
    /// The memory of the caches.
    memory: Account,
}

/// The memory of an entry in one of the caches.
const ENTRY: usize = 64;

/// First id of the checker's own free variables, so that they differ from all others.
const FIRST_LOCAL: u64 = 1 << 48;

impl<'e> Checker<'e> {
    /// An empty context, without level parameters.
    pub fn new(env: &'e Env) -> Self {
        Self::with_levels(env, 0)
    }

    /// An empty context with a number of level parameters.
    pub fn with_levels(env: &'e Env, n_levels: usize) -> Self {
        Self {
            env,
            n_levels,
            locals: FxHashMap::default(),
            next_local: FIRST_LOCAL,
            steps: DEFAULT_STEPS,
            types: FxHashMap::default(),
            normal: FxHashMap::default(),
            memory: Account::default(),
        }
    }

    /// Limits the number of further steps.
    pub fn limit_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Adds a free variable of a type, which must have been checked. Each id may be added once, because the types
    /// inferred with it are cached.
    pub fn assume(&mut self, id: LocalId, binder: Binder, ty: Term) {
        self.memory.take(ENTRY);
        self.locals.insert(id, (binder, ty));
    }

    pub(super) fn fresh(&mut self, binder: Binder, ty: Term) -> LocalId {
        let id = LocalId(self.next_local);
        self.next_local += 1;
        self.assume(id, binder, ty);
        id
    }

    /// The binder and type of a free variable.
    pub(super) fn local(&self, id: LocalId) -> Result<&(Binder, Term)> {
        self.locals.get(&id).ok_or(KernelError::Unbound)
    }

    /// Checks that a term has a type, which must have been checked.
    pub fn check(&mut self, term: &Term, ty: &Term) -> Result<()> {
        let found = self.infer(term)?;
        if self.is_def_eq(&found, ty)? {
            return Ok(());
        }
        Err(KernelError::Mismatch { term: term.clone(), found, expected: ty.clone() })
    }

    /// Checks that a term is a type, and returns the level of its universe.
    pub fn sort_of(&mut self, ty: &Term) -> Result<Level> {
        let sort = self.infer(ty)?;
        match self.whnf(&sort)?.kind() {
            Kind::Sort(level) => Ok(level.clone()),
            _ => Err(KernelError::NotAType(ty.clone())),
        }
    }

    /// Whether a level has only declared parameters, and no metavariables.
    fn is_level(&self, level: &Level) -> bool {
        !level.any_leaf(&mut |leaf| match leaf {
            Level::Param(i) => usize::from(*i) >= self.n_levels,
            Level::Meta(_) => true,
            _ => false,
        })
    }

    fn step(&mut self) -> Result<()> {
        budget::step();
        self.steps = self.steps.checked_sub(1).ok_or(KernelError::OutOfSteps)?;
        Ok(())
    }

    /// The type of a term, after checking all its parts.
    pub fn infer(&mut self, term: &Term) -> Result<Term> {
        if matches!(term.kind(), Kind::Local(_) | Kind::Lit(_) | Kind::Sort(_)) {
            return self.infer_uncached(term);
        }
        if let Some(ty) = self.types.get(term) {
            return Ok(ty.clone());
        }
        self.step()?;
        let ty = deeper(|| self.infer_uncached(term))?;
        self.memory.take(ENTRY);
        self.types.insert(term.clone(), ty.clone());
        Ok(ty)
    }

    fn infer_uncached(&mut self, term: &Term) -> Result<Term> {
        match term.kind() {
            Kind::Bound(_) => Err(KernelError::Unbound),
            Kind::Meta(_) => Err(KernelError::Metavariable),
            Kind::Local(id) => Ok(self.local(*id)?.1.clone()),
            Kind::Lit(_) if self.env.has_nat() => Ok(nat()),
            Kind::Lit(_) => Err(KernelError::UnknownConstant("Nat".into())),
            Kind::Sort(level) if self.is_level(level) => Ok(Term::sort(level.clone().succ())),
            Kind::Sort(_) => Err(KernelError::UnknownLevel),
            Kind::Const(name, levels) => {
                let declaration = self.declaration(name)?;
                if levels.len() != declaration.n_levels || !levels.iter().all(|l| self.is_level(l)) {
                    return Err(KernelError::WrongLevels(Arc::clone(name)));
                }
                Ok(declaration.ty.with_levels(levels))
            }
            Kind::App(..) => {
                let (head, args) = term.head_args();
                let mut ty = self.infer(head)?;
                // The arguments that are not yet substituted into `ty`: all at once is faster than one by one.
                let mut given: Vec<Term> = Vec::new();
                for (at, argument) in args.iter().enumerate() {
                    if !matches!(ty.kind(), Kind::Pi(..)) {
                        ty = self.whnf(&ty.instantiated_all(&given))?;
                        given.clear();
                    }
                    let Kind::Pi(_, from, to) = ty.kind() else {
                        let function = Term::apps(head.clone(), args[..at].iter().copied().cloned());
                        return Err(KernelError::NotAFunction(function, ty));
                    };
                    self.check(argument, &from.instantiated_all(&given))?;
                    given.push((*argument).clone());
                    ty = to.clone();
                }
                Ok(ty.instantiated_all(&given))
            }
            Kind::Lambda(..) => {
                let (mut locals, mut binders, mut at) = (Vec::new(), Vec::new(), term);
                while let Kind::Lambda(binder, from, body) = at.kind() {
                    let ty = from.instantiated_all(&locals);
                    self.sort_of(&ty)?;
                    locals.push(Term::local(self.fresh(binder.clone(), ty)));
                    binders.push((binder, from));
                    at = body;
                }
                let to = self.infer(&at.instantiated_all(&locals))?.abstracted_all(&locals);
                // The argument types are unchanged: still below the same binders.
                let bind = |to, (binder, from): (&Binder, &Term)| Term::pi(binder.clone(), from.clone(), to);
                Ok(binders.into_iter().rev().fold(to, bind))
            }
            Kind::Pi(..) => {
                let (mut locals, mut sorts, mut at) = (Vec::new(), Vec::new(), term);
                while let Kind::Pi(binder, from, to) = at.kind() {
                    let ty = from.instantiated_all(&locals);
                    sorts.push(self.sort_of(&ty)?);
                    locals.push(Term::local(self.fresh(binder.clone(), ty)));
                    at = to;
                }
                let last = self.sort_of(&at.instantiated_all(&locals))?;
                let sort = sorts.into_iter().rfold(last, |to, from| from.imax(to));
                Ok(Term::sort(sort.simplified()))
            }
            Kind::Let(_, ty, value, body) => {
                self.sort_of(ty)?;
                self.check(value, ty)?;
                self.infer(&body.instantiated(value))
            }
        }
    }

    fn declaration(&self, name: &Name) -> Result<&'e Arc<Declaration>> {
        self.env.get(name).ok_or_else(|| KernelError::UnknownConstant(Arc::clone(name)))
    }

    /// The weak head normal form, definitions unfolded.
    pub fn whnf(&mut self, term: &Term) -> Result<Term> {
        if let Some(normal) = self.normal.get(term) {
            return Ok(normal.clone());
        }
        let mut at = term.clone();
        loop {
            at = self.whnf_core(&at)?;
            at = match self.reduce_operation(&at)? {
                Some(next) => next,
                None => match self.unfold(&at)? {
                    Some(next) => next,
                    None => break,
                },
            };
        }
        // Returns at once if the term is already normal.
        if !at.is_same(term) {
            self.memory.take(ENTRY);
            self.normal.insert(term.clone(), at.clone());
        }
        Ok(at)
    }

    /// The weak head normal form without unfolding definitions.
    fn whnf_core(&mut self, term: &Term) -> Result<Term> {
        deeper(|| {
            let mut at = term.clone();
            loop {
                self.step()?;
                let next = match at.kind() {
                    Kind::Let(_, _, value, body) => Some(body.instantiated(value)),
                    Kind::App(..) => self.reduce_application(&at)?,
                    _ => None,
                };
                match next {
                    Some(next) => at = next,
                    None => return Ok(at),
                }
            }
        })
    }

    fn reduce_application(&mut self, term: &Term) -> Result<Option<Term>> {
        let (head, args) = term.head_args();
        match head.kind() {
            Kind::Lambda(..) => {
                // All binders with an argument at once.
                let (mut body, mut n) = (head, 0);
                while let Kind::Lambda(_, _, inner) = body.kind()
                    && n < args.len()
                {
                    (body, n) = (inner, n + 1);
                }
                let values: Vec<Term> = args[..n].iter().map(|a| (*a).clone()).collect();
                Ok(Some(Term::apps(body.instantiated_all(&values), args[n..].iter().map(|a| (*a).clone()))))
            }
            Kind::Let(..) => {
                let head = self.whnf_core(head)?;
                Ok(Some(Term::apps(head, args.into_iter().cloned())))
            }
            Kind::Const(name, levels) => match self.env.get(name).map(|d| &d.body) {
                Some(Body::Recursor(recursor)) => self.reduce_recursor(recursor, levels, &args),
                _ => Ok(None),
            },
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
        if let Kind::Lit(n) = major.kind() {
            major = constructed(n);
        }
        let is_constructor = |t: &Term| matches!(t.head().kind(), Kind::Const(name, _) if recursor.rules.iter().any(|r| r.constructor == *name));
        if recursor.equates_proofs
            && !is_constructor(&major)
            && let Some(canonical) = self.canonical_proof(recursor, &major)?
        {
            major = canonical;
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
        Ok(Some(Term::apps(value, before.chain(fields).chain(after).cloned())))
    }

    /// The only constructor, if it has no fields, in place of any proof of its type.
    fn canonical_proof(&mut self, recursor: &Recursor, major: &Term) -> Result<Option<Term>> {
        let ty = self.infer(major)?;
        let ty = self.whnf(&ty)?;
        let (family, args) = ty.head_args();
        let Kind::Const(_, levels) = family.kind() else { return Ok(None) };
        let Some(rule) = recursor.rules.first() else { return Ok(None) };
        let constructor = Term::constant(Arc::clone(&rule.constructor), Arc::clone(levels));
        if args.len() < recursor.n_params {
            return Ok(None);
        }
        let canonical = Term::apps(constructor, args[..recursor.n_params].iter().copied().cloned());
        let canonical_ty = self.infer(&canonical)?;
        Ok(self.is_def_eq(&canonical_ty, &ty)?.then_some(canonical))
    }

    /// The value of an operation on literals.
    fn reduce_operation(&mut self, term: &Term) -> Result<Option<Term>> {
        let Kind::App(function, last) = term.kind() else { return Ok(None) };
        let Kind::App(head, first) = function.kind() else { return Ok(None) };
        let Kind::Const(name, _) = head.kind() else { return Ok(None) };
        let Some(operation) = self.env.operation(name) else { return Ok(None) };
        let (a, b) = deeper(|| Ok((self.whnf(first)?, self.whnf(last)?)))?;
        let (Some(a), Some(b)) = (self.literal(&a)?, self.literal(&b)?) else { return Ok(None) };
        // If the result is too large, it is not computed by recursion either.
        operation.compute(&a, &b).map(|n| Some(Term::lit(n))).ok_or(KernelError::OutOfSteps)
    }

    /// The value of a term in weak head normal form, if it is a number.
    fn literal(&mut self, term: &Term) -> Result<Option<BigUint>> {
        /// Terms with more successors than this are not converted.
        const MAX_SUCCESSORS: u32 = 1000;
        let mut at = term.clone();
        for more in 0..MAX_SUCCESSORS {
            at = match (at.kind(), predecessor(&at)) {
                (Kind::Lit(n), _) => return Ok(Some(n + more)),
                (_, Constructed::Zero) => return Ok(Some(more.into())),
                (_, Constructed::Successor(before)) => self.whnf(&before)?,
                (_, Constructed::Neither) => return Ok(None),
            };
        }
        Ok(None)
    }

    /// The term with the definition at its head unfolded.
    fn unfold(&mut self, term: &Term) -> Result<Option<Term>> {
        let (head, args) = term.head_args();
        let Kind::Const(name, levels) = head.kind() else { return Ok(None) };
        let declaration = self.declaration(name)?;
        let Body::Definition(value, _) = &declaration.body else { return Ok(None) };
        self.step()?;
        Ok(Some(Term::apps(value.with_levels(levels), args.into_iter().cloned())))
    }

    fn height(&self, term: &Term) -> Option<u32> {
        let Kind::Const(name, _) = term.head().kind() else { return None };
        match self.env.get(name).map(|d| &d.body) {
            Some(Body::Definition(_, height)) => Some(*height),
            _ => None,
        }
    }

    /// Whether two terms, which must have been checked, are equal by computation.
    pub fn is_def_eq(&mut self, a: &Term, b: &Term) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        self.step()?;
        deeper(|| self.is_def_eq_uncached(a, b))
    }

    fn is_def_eq_uncached(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let (mut a, mut b) = (self.whnf_core(a)?, self.whnf_core(b)?);
        if let Some(result) = self.same_form(&a, &b)? {
            return Ok(result);
        }
        if self.are_proofs_of_the_same(&a, &b)? {
            return Ok(true);
        }
        // Unfold the younger definition first, until the heads agree.
        loop {
            if let Some(next) = self.reduce_operation(&a)? {
                a = next;
            } else if let Some(next) = self.reduce_operation(&b)? {
                b = next;
            } else {
                let (left, right) = match (self.height(&a), self.height(&b)) {
                    (None, None) => break,
                    (left, None) => (left.is_some(), false),
                    (None, _) => (false, true),
                    (Some(x), Some(y)) if x == y => {
                        if self.same_spine(&a, &b)? {
                            return Ok(true);
                        }
                        (true, true)
                    }
                    (Some(x), Some(y)) => (x > y, y > x),
                };
                if left && let Some(next) = self.unfold(&a)? {
                    a = self.whnf_core(&next)?;
                }
                if right && let Some(next) = self.unfold(&b)? {
                    b = self.whnf_core(&next)?;
                }
            }
            if let Some(result) = self.same_form(&a, &b)? {
                return Ok(result);
            }
        }
        if self.same_spine(&a, &b)? {
            return Ok(true);
        }
        self.eta(&a, &b)
    }

    /// The answer, if the forms of both terms decide it.
    fn same_form(&mut self, a: &Term, b: &Term) -> Result<Option<bool>> {
        if a == b {
            return Ok(Some(true));
        }
        Ok(match (a.kind(), b.kind()) {
            (Kind::Sort(a), Kind::Sort(b)) => Some(a.equals(b)),
            (Kind::Lit(a), Kind::Lit(b)) => Some(a == b),
            (Kind::Lambda(x, from, left), Kind::Lambda(_, other, right))
            | (Kind::Pi(x, from, left), Kind::Pi(_, other, right)) => {
                if !self.is_def_eq(from, other)? {
                    return Ok(Some(false));
                }
                let id = Term::local(self.fresh(x.clone(), from.clone()));
                Some(self.is_def_eq(&left.instantiated(&id), &right.instantiated(&id))?)
            }
            (Kind::Lit(n), _) | (_, Kind::Lit(n)) => {
                let other = if matches!(a.kind(), Kind::Lit(_)) { b } else { a };
                match predecessor(other) {
                    Constructed::Zero => Some(*n == BigUint::ZERO),
                    Constructed::Successor(_) if *n == BigUint::ZERO => Some(false),
                    Constructed::Successor(before) => Some(self.is_def_eq(&Term::lit(n - 1u32), &before)?),
                    Constructed::Neither => None,
                }
            }
            _ => None,
        })
    }

    /// Whether both are applications of the same head to equal arguments.
    fn same_spine(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let ((head, args), (other, others)) = (a.head_args(), b.head_args());
        let alike = match (head.kind(), other.kind()) {
            (Kind::Const(name, levels), Kind::Const(same, others)) => {
                name == same
                    && levels.len() == others.len()
                    && levels.iter().zip(others.iter()).all(|(a, b)| a.equals(b))
            }
            (Kind::Local(_), Kind::Local(_)) => head == other,
            _ => false,
        };
        if !alike || args.len() != others.len() {
            return Ok(false);
        }
        for (a, b) in args.into_iter().zip(others) {
            if !self.is_def_eq(a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_proofs_of_the_same(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let left = self.infer(a)?;
        if !self.sort_of(&left)?.is_zero() {
            return Ok(false);
        }
        let right = self.infer(b)?;
        self.is_def_eq(&left, &right)
    }

    /// Eta: whether one is a function and the other equals it at every argument.
    fn eta(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let (function, other) = match (a.kind(), b.kind()) {
            (Kind::Lambda(..), Kind::Lambda(..)) => return Ok(false),
            (Kind::Lambda(..), _) => (a, b),
            (_, Kind::Lambda(..)) => (b, a),
            _ => return Ok(false),
        };
        let ty = self.infer(other)?;
        let ty = self.whnf(&ty)?;
        let Kind::Pi(binder, from, _) = ty.kind() else { return Ok(false) };
        let expanded =
            Term::lambda(binder.clone(), from.clone(), Term::app(other.lifted(0, 1), Term::bound(0)));
        self.is_def_eq(function, &expanded)
    }
}

fn nat() -> Term {
    Term::constant("Nat", Vec::new())
}

/// A literal as an application of a constructor.
fn constructed(n: &BigUint) -> Term {
    if *n == BigUint::ZERO {
        return Term::constant("Nat.zero", Vec::new());
    }
    Term::app(Term::constant("Nat.succ", Vec::new()), Term::lit(n - 1u32))
}

/// The constructors of a natural number.
enum Constructed {
    Zero,
    Successor(Term),
    Neither,
}

fn predecessor(term: &Term) -> Constructed {
    let is = |term: &Term, name: &str| matches!(term.kind(), Kind::Const(n, _) if &**n == name);
    match term.kind() {
        Kind::App(head, before) if is(head, "Nat.succ") => Constructed::Successor(before.clone()),
        _ if is(term, "Nat.zero") => Constructed::Zero,
        _ => Constructed::Neither,
    }
}
