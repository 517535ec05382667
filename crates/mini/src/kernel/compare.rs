//! Compares the meaning of names in two sets of declarations with a common beginning.
//!
//! Types and values are compared syntactically, up to the names and the info of binders, and not up to computation:
//! terms equal by computation may read very differently. The constants that they mention are compared too, so that a
//! name cannot change its meaning.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::env::{Body, Declaration, Env};
use super::inductive::Recursor;
use super::term::{Kind, Level, LocalId, MetaId, Name, Term, deeper};
use crate::budget;

/// How a constant differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The other side does not declare it.
    Undeclared,
    /// It is of another kind: an axiom and a definition, for example.
    Kind(&'static str, &'static str),
    /// Its number of level parameters differs.
    Parameters(usize, usize),
    /// Its type differs.
    Type(Term, Term),
    /// Its value differs.
    Value(Term, Term),
    /// Its parameters, constructors, fields or rules differ.
    Shape,
}

/// A constant that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Differs {
    /// The constant.
    pub name: Name,
    /// The difference. Of two values, the trusted one comes first.
    pub how: Difference,
}

/// Compares the constants of two sets of declarations, each constant once.
pub struct Comparison<'e> {
    /// The common beginning of both sides.
    base: &'e Env,
    trusted: &'e Env,
    other: &'e Env,
    same: FxHashSet<&'e str>,
    numbers: Numbers<'e>,
}

impl<'e> Comparison<'e> {
    /// Nothing compared yet.
    pub fn new(base: &'e Env, trusted: &'e Env, other: &'e Env) -> Self {
        Self { base, trusted, other, same: FxHashSet::default(), numbers: Numbers::default() }
    }

    /// Whether a constant, and everything on which its meaning depends, is the same on both sides. A proof is not
    /// part of a theorem's meaning. The error is the first constant that differs, outermost first.
    pub fn same(&mut self, name: &str) -> Result<(), Differs> {
        let mut waiting: Vec<Name> = vec![name.into()];
        let mut at = 0;
        while let Some(name) = waiting.get(at).cloned() {
            at += 1;
            if self.base.get(&name).is_some() {
                continue;
            }
            let how = |how| Differs { name: Name::clone(&name), how };
            let Some((key, trusted)) = self.trusted.get_key(&name) else {
                return Err(how(Difference::Undeclared));
            };
            if !self.same.insert(key) {
                continue;
            }
            let Some(other) = self.other.get(&name) else { return Err(how(Difference::Undeclared)) };
            if let Some(difference) = self.numbers.difference(trusted, other) {
                return Err(how(difference));
            }
            mentioned(&trusted.ty, &mut waiting);
            match &trusted.body {
                Body::Definition(value, _) => mentioned(value, &mut waiting),
                Body::Inductive { constructors, .. } => {
                    waiting.extend(constructors.iter().cloned());
                    waiting.push(format!("{name}.rec").into());
                }
                // The types of the last two mention the family. Of a theorem, only the statement counts.
                Body::Axiom | Body::Theorem(_) | Body::Constructor { .. } | Body::Recursor(_) => {}
            }
        }
        Ok(())
    }
}

/// The size of a term written out. Visits every shared subterm once.
pub fn written_size(term: &Term) -> usize {
    fn size(term: &Term, known: &mut FxHashMap<*const (), usize>) -> usize {
        budget::visits(1);
        if let Some(&size) = known.get(&term.address()) {
            return size;
        }
        let size = deeper(|| match term.kind() {
            Kind::App(a, b) | Kind::Lambda(_, a, b) | Kind::Pi(_, a, b) => {
                1usize.saturating_add(size(a, known)).saturating_add(size(b, known))
            }
            Kind::Let(_, a, b, c) => {
                let inner = size(a, known).saturating_add(size(b, known)).saturating_add(size(c, known));
                inner.saturating_add(1)
            }
            _ => 1,
        });
        known.insert(term.address(), size);
        size
    }
    size(term, &mut FxHashMap::default())
}

/// Adds the constants that a term mentions.
fn mentioned(term: &Term, names: &mut Vec<Name>) {
    let mut seen = FxHashSet::default();
    term.any(|t| {
        if let Kind::Const(name, _) = t.kind()
            && seen.insert(Name::clone(name))
        {
            names.push(Name::clone(name));
        }
        false
    });
}

/// A term's form, its children by their numbers.
#[derive(PartialEq, Eq, Hash)]
enum Form<'t> {
    Bound(u32),
    Local(LocalId),
    Meta(MetaId),
    Sort(&'t Level),
    Const(&'t str, &'t [Level]),
    Lit(&'t BigUint),
    App(usize, usize),
    Lambda(usize, usize),
    Pi(usize, usize),
    Let(usize, usize, usize),
}

/// Numbers for terms: equal terms have equal numbers. Every shared subterm is visited once, so that the work grows
/// with the memory of the terms, not with their size written out.
#[derive(Default)]
pub(super) struct Numbers<'t> {
    forms: FxHashMap<Form<'t>, usize>,
    objects: FxHashMap<*const (), usize>,
}

impl<'t> Numbers<'t> {
    fn number(&mut self, term: &'t Term) -> usize {
        budget::visits(1);
        if let Some(&number) = self.objects.get(&term.address()) {
            return number;
        }
        let form = deeper(|| match term.kind() {
            Kind::Bound(i) => Form::Bound(*i),
            Kind::Local(id) => Form::Local(*id),
            Kind::Meta(id) => Form::Meta(*id),
            Kind::Sort(level) => Form::Sort(level),
            Kind::Const(name, levels) => Form::Const(name, levels),
            Kind::Lit(n) => Form::Lit(n),
            Kind::App(a, b) => Form::App(self.number(a), self.number(b)),
            Kind::Lambda(_, a, b) => Form::Lambda(self.number(a), self.number(b)),
            Kind::Pi(_, a, b) => Form::Pi(self.number(a), self.number(b)),
            Kind::Let(_, a, b, c) => Form::Let(self.number(a), self.number(b), self.number(c)),
        });
        let next = self.forms.len();
        let number = *self.forms.entry(form).or_insert(next);
        self.objects.insert(term.address(), number);
        number
    }

    fn equal(&mut self, a: &'t Term, b: &'t Term) -> bool {
        self.number(a) == self.number(b)
    }

    /// How a declaration differs from a trusted one. Proofs are not compared.
    pub(super) fn difference(
        &mut self,
        trusted: &'t Declaration,
        other: &'t Declaration,
    ) -> Option<Difference> {
        if trusted.body.kind() != other.body.kind() {
            return Some(Difference::Kind(trusted.body.kind(), other.body.kind()));
        }
        if trusted.n_levels != other.n_levels {
            return Some(Difference::Parameters(trusted.n_levels, other.n_levels));
        }
        if !self.equal(&trusted.ty, &other.ty) {
            return Some(Difference::Type(trusted.ty.clone(), other.ty.clone()));
        }
        let is_same = match (&trusted.body, &other.body) {
            (Body::Definition(a, _), Body::Definition(b, _)) => {
                if !self.equal(a, b) {
                    return Some(Difference::Value(a.clone(), b.clone()));
                }
                true
            }
            (
                Body::Inductive { n_params, constructors },
                Body::Inductive { n_params: n, constructors: others },
            ) => n_params == n && constructors == others,
            (
                Body::Constructor { family, n_params, n_fields },
                Body::Constructor { family: other, n_params: p, n_fields: f },
            ) => (family, n_params, n_fields) == (other, p, f),
            (Body::Recursor(a), Body::Recursor(b)) => self.same_recursors(a, b),
            _ => true,
        };
        (!is_same).then_some(Difference::Shape)
    }

    fn same_recursors(&mut self, a: &'t Recursor, b: &'t Recursor) -> bool {
        let shape = |r: &Recursor| (r.n_params, r.n_before, r.major, r.equates_proofs, r.rules.len());
        shape(a) == shape(b)
            && a.rules.iter().zip(&b.rules).all(|(a, b)| {
                a.constructor == b.constructor && a.n_fields == b.n_fields && self.equal(&a.value, &b.value)
            })
    }
}

impl Body {
    /// Its kind, in a word or two.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Axiom => "an axiom",
            Self::Definition(..) => "a definition",
            Self::Theorem(_) => "a theorem",
            Self::Inductive { .. } => "an inductive type",
            Self::Constructor { .. } => "a constructor",
            Self::Recursor(_) => "a recursor",
        }
    }
}
