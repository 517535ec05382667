//! The environment of declarations, and the conditions for adding one.

use std::collections::BTreeSet;
use std::sync::Arc;

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::check::Checker;
use super::error::KernelError;
use super::inductive::Recursor;
use super::level::{Level, MAX_PARAMS};
use super::term::{Binder, Kind, Name, Term};
use crate::budget;

type Result<T> = std::result::Result<T, KernelError>;

/// The definition of a constant.
#[derive(Clone, Debug)]
pub enum Body {
    /// None: an axiom.
    Axiom,
    /// A value that may be unfolded. Definitions with a greater height are unfolded first.
    Definition(Term, u32),
    /// A proof, which is never unfolded.
    Theorem(Term),
    /// An inductive family.
    Inductive {
        /// Its parameters.
        n_params: usize,
        /// Its constructors, in order.
        constructors: Vec<Name>,
    },
    /// A constructor.
    Constructor {
        /// Its family.
        family: Name,
        /// The family's parameters, its first arguments.
        n_params: usize,
        /// Its further arguments.
        n_fields: usize,
    },
    /// A recursor.
    Recursor(Recursor),
}

/// A declared constant.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its level parameters.
    pub n_levels: usize,
    /// Its type.
    pub ty: Term,
    /// Its definition.
    pub body: Body,
}

/// An operation on natural numbers that is computed directly on literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `Nat.add`
    Add,
    /// `Nat.mul`
    Mul,
    /// `Nat.pow`
    Pow,
    /// `Nat.sub`, which is 0 where the first number is the smaller one.
    Sub,
}

impl Operation {
    /// The operation that a constant of this name must be.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Add, Self::Mul, Self::Pow, Self::Sub].into_iter().find(|o| o.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Add => "Nat.add",
            Self::Mul => "Nat.mul",
            Self::Pow => "Nat.pow",
            Self::Sub => "Nat.sub",
        }
    }

    /// The value; `None` when it would be too large.
    pub fn compute(self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        /// Larger numbers could fill the memory one after the other.
        const MAX_BITS: u64 = 1 << 20;
        let is_small = |bits: u64| bits <= MAX_BITS;
        // Cost of schoolbook multiplication, in machine words; a visit costs about as much as sixteen of its steps.
        let charge = |x: u64, y: u64| {
            let words = |bits: u64| usize::try_from(bits / 64 + 1).unwrap_or(usize::MAX);
            budget::visits(words(x).saturating_mul(words(y)) / 16);
        };
        match self {
            Self::Mul if is_small(a.bits() + b.bits()) => charge(a.bits(), b.bits()),
            Self::Pow if a.bits() > 1 => {
                let bits = a.bits().saturating_mul(u64::try_from(b).unwrap_or(u64::MAX));
                if is_small(bits) {
                    charge(bits, bits);
                }
            }
            _ => charge(a.bits().max(b.bits()), 1),
        }
        match self {
            Self::Add => is_small(a.bits().max(b.bits())).then(|| a + b),
            Self::Mul => is_small(a.bits() + b.bits()).then(|| a * b),
            Self::Sub => Some(if a > b { a - b } else { BigUint::ZERO }),
            // Powers of 0 and 1 stay small.
            Self::Pow if a.bits() <= 1 => {
                Some(if *b == BigUint::ZERO { BigUint::from(1u32) } else { a.clone() })
            }
            Self::Pow => {
                let exponent = u32::try_from(b).ok()?;
                is_small(a.bits().saturating_mul(exponent.into())).then(|| a.pow(exponent))
            }
        }
    }
}

/// All declarations. Clones share their data.
#[derive(Clone, Debug, Default)]
pub struct Env {
    declarations: Arc<FxHashMap<Name, Arc<Declaration>>>,
    /// The declarations, in order.
    order: Arc<Vec<Name>>,
    pub(super) operations: Arc<FxHashMap<Name, Operation>>,
}

impl Env {
    /// No declarations.
    pub fn new() -> Self {
        Self::default()
    }

    /// A declaration by its name.
    pub fn get(&self, name: &str) -> Option<&Arc<Declaration>> {
        self.declarations.get(name)
    }

    /// A declaration with its name.
    pub fn get_key(&self, name: &str) -> Option<(&Name, &Arc<Declaration>)> {
        self.declarations.get_key_value(name)
    }

    /// Every declared name, in order of declaration.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.order.iter()
    }

    /// Every declaration with its name, in order.
    pub fn declarations(&self) -> impl Iterator<Item = (&Name, &Declaration)> {
        self.order.iter().filter_map(|name| Some((name, self.get(name)?.as_ref())))
    }

    /// Assumes a constant.
    pub fn add_axiom(&mut self, name: &str, n_levels: usize, ty: Term) -> Result<()> {
        self.check_new(name, n_levels)?;
        closed([&ty])?;
        Checker::with_levels(self, n_levels).sort_of(&ty)?;
        self.insert(name, Declaration { n_levels, ty, body: Body::Axiom });
        Ok(())
    }

    /// Defines a constant.
    pub fn add_definition(&mut self, name: &str, n_levels: usize, ty: Term, value: Term) -> Result<()> {
        self.check_value(name, n_levels, &ty, &value, |_| true)?;
        let height = 1 + self.height(&value);
        self.insert(name, Declaration { n_levels, ty, body: Body::Definition(value, height) });
        Ok(())
    }

    /// Proves a theorem.
    pub fn add_theorem(&mut self, name: &str, n_levels: usize, ty: Term, proof: Term) -> Result<()> {
        self.check_value(name, n_levels, &ty, &proof, Level::is_zero)?;
        self.insert(name, Declaration { n_levels, ty, body: Body::Theorem(proof) });
        Ok(())
    }

    /// Lets an operation be computed directly on literals. Its defining equations must hold by computation, from
    /// which the result follows for all numbers by induction.
    pub fn accelerate(&mut self, operation: Operation) -> Result<()> {
        let name = operation.name();
        if !self.has_nat() {
            return Err(KernelError::UnknownConstant("Nat".into()));
        }
        let constant = |name: &str| Term::constant(name, Vec::new());
        let apply = |a: &Term, b: &Term| Term::apps(constant(name), [a.clone(), b.clone()]);
        let op2 = |name: &str, a: Term, b: Term| Term::apps(constant(name), [a, b]);
        let succ = |n: &Term| Term::app(constant("Nat.succ"), n.clone());
        let pred = |n: Term| Term::app(constant("Nat.pred"), n);
        let mut checker = Checker::new(self);
        let x = checker.fresh(Binder::explicit("x"), constant("Nat"));
        let y = checker.fresh(Binder::explicit("y"), constant("Nat"));
        let (x, y) = (Term::local(x), Term::local(y));
        let zero = constant("Nat.zero");
        let step = apply(&x, &y);
        let (base, step) = match operation {
            Operation::Add => (x.clone(), succ(&step)),
            Operation::Mul => (zero.clone(), op2("Nat.add", step, x.clone())),
            Operation::Pow => (succ(&zero), op2("Nat.mul", step, x.clone())),
            Operation::Sub => (x.clone(), pred(step)),
        };
        let mut holds = checker.is_def_eq(&apply(&x, &zero), &base)?
            && checker.is_def_eq(&apply(&x, &succ(&y)), &step)?;
        if operation == Operation::Sub {
            // From these and those above, `x - y` follows for all numbers.
            holds = holds
                && checker.is_def_eq(&pred(zero.clone()), &zero)?
                && checker.is_def_eq(&pred(succ(&x)), &x)?;
        }
        if !holds {
            return Err(KernelError::NotThisOperation(name.into()));
        }
        Arc::make_mut(&mut self.operations).insert(name.into(), operation);
        Ok(())
    }

    /// The axioms that a term depends on, directly or indirectly.
    pub fn axioms(&self, term: &Term) -> BTreeSet<Name> {
        let (mut axioms, mut seen) = (BTreeSet::new(), FxHashSet::<Name>::default());
        let mut waiting = vec![term.clone()];
        while let Some(term) = waiting.pop() {
            term.any(|t| {
                if let Kind::Const(name, _) = t.kind()
                    && let Some(declaration) = self.get(name)
                    && seen.insert(Arc::clone(name))
                {
                    waiting.push(declaration.ty.clone());
                    match &declaration.body {
                        Body::Axiom => {
                            axioms.insert(Arc::clone(name));
                        }
                        Body::Definition(value, _) | Body::Theorem(value) => waiting.push(value.clone()),
                        Body::Inductive { .. } | Body::Constructor { .. } | Body::Recursor(_) => {}
                    }
                }
                false
            });
        }
        axioms
    }

    /// Whether `Nat` is the family of natural numbers.
    pub(super) fn has_nat(&self) -> bool {
        let is_nat = |constructors: &[Name]| constructors.iter().map(|c| &**c).eq(["Nat.zero", "Nat.succ"]);
        matches!(self.get("Nat").map(|d| &d.body), Some(Body::Inductive { n_params: 0, constructors }) if is_nat(constructors))
    }

    /// The operation of a constant that is computed on literals.
    pub fn operation(&self, name: &str) -> Option<Operation> {
        self.operations.get(name).copied()
    }

    pub(super) fn check_new(&self, name: &str, n_levels: usize) -> Result<()> {
        match self.get(name) {
            Some(_) => Err(KernelError::Redeclared(name.into())),
            None if n_levels > MAX_PARAMS => Err(KernelError::TooManyLevels(name.into())),
            None => Ok(()),
        }
    }

    pub(super) fn insert(&mut self, name: &str, declaration: Declaration) {
        let name: Name = name.into();
        Arc::make_mut(&mut self.order).push(Arc::clone(&name));
        Arc::make_mut(&mut self.declarations).insert(name, Arc::new(declaration));
    }

    /// Checks a value whose type may be in a universe of some levels.
    fn check_value(
        &self,
        name: &str,
        n_levels: usize,
        ty: &Term,
        value: &Term,
        may_be_in: impl Fn(&Level) -> bool,
    ) -> Result<()> {
        self.check_new(name, n_levels)?;
        closed([ty, value])?;
        let mut checker = Checker::with_levels(self, n_levels);
        if !may_be_in(&checker.sort_of(ty)?) {
            return Err(KernelError::NotAProposition(name.into()));
        }
        checker.check(value, ty)
    }

    fn height(&self, term: &Term) -> u32 {
        let mut height = 0;
        term.any(|t| {
            if let Kind::Const(name, _) = t.kind()
                && let Some(Body::Definition(_, h)) = self.get(name).map(|d| &d.body)
            {
                height = height.max(*h);
            }
            false
        });
        height
    }
}

/// Refuses free variables. The checker creates some, which a declaration must not mention.
pub(super) fn closed<const N: usize>(terms: [&Term; N]) -> Result<()> {
    if terms.iter().any(|term| term.has_local()) { Err(KernelError::Unbound) } else { Ok(()) }
}
