//! Whether names that are said to mean the same mean the same. A name has a canonical name, by which Rocq's kernel compares; the
//! two declarations must then be equal, or one be defined as the other.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::submission::{Declared, Submission, own};
use crate::vo::compiled::Library;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::term::*;

/// Terms may be deeply nested: with less stack than this, the comparison continues on a new segment.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// What is known so far of a submission.
#[derive(Default)]
pub(super) struct Aliases {
    /// Terms by what they are up to second names, with their parts replaced by the numbers of what those are.
    classes: HashMap<Term, TermId>,
    /// The classes of terms, by their files: the submission, or a library.
    known: HashMap<(Root, TermId), TermId>,
    /// The constants whose definitions are being followed.
    followed: HashSet<Path>,
    /// Whether a name agrees, used in a scope.
    agreed: HashMap<(Name, usize), bool>,
}

/// Where two declarations are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    /// In one place, where something else may tell them apart.
    Together,
    /// Each in a functor or module type that is a copy of the other's.
    Apart,
}

/// A declaration, and the file that it is in.
#[derive(Clone, Copy)]
struct Of<'a> {
    root: &'a Root,
    library: &'a Library,
    field: &'a Field,
    /// Whether a signature asks for it: more of it may be known than it shows.
    signature: bool,
}

impl Submission<'_> {
    /// The first declaration that a module says is another than it is.
    pub(super) fn misnamed(&self) -> Option<Path> {
        self.library.resolvers.iter().find_map(|resolver| {
            // What comes of its application passes for the module itself, whatever is added, also behind a seal, whose own resolver
            // is not in the file.
            let constant = resolver.modules.iter().find(|(from, to)| {
                let parameters = self.functors.get(&**from);
                parameters.is_some_and(|parameters| !parameters.contains(&to.root) && !self.is_functor(to))
            });
            if let Some((functor, _)) = constant {
                return Some((**functor).clone());
            }
            let named = resolver.names.keys().flat_map(|from| self.at(from));
            let mut all = named.chain(resolver.modules.keys().flat_map(|from| self.below(from)));
            let wrong = all.find(|declared| {
                let Some((from, to)) = resolver.says_of(&declared.path) else { return false };
                let Some(canonical) = declared.path.moved(from, to) else { return false };
                let around = &self.scopes[declared.place.scope];
                let moved = |scope: &Path| scope.moved(from, to).unwrap_or_else(|| scope.clone());
                let there: Vec<Path> = around.iter().map(moved).collect();
                let is_another =
                    |around: &[Path], met: Met| self.is_another(&[declared], &canonical, around, met);
                declared.path != canonical
                    && !is_another(around, Met::Together)
                    && !(there != *around && is_another(&there, Met::Apart))
            });
            wrong.map(|declared| declared.path.clone())
        })
    }

    /// Whether a path is that of a functor, and of no module with declarations.
    fn is_functor(&self, path: &Path) -> bool {
        match &path.root {
            Root::Library(library) => {
                let declares = self.declared_by(library);
                !declares.fields.keys().any(|field| field.labels.starts_with(&path.labels))
            }
            Root::Own | Root::Parameter(_) => self.functors.contains_key(path),
        }
    }

    /// Whether a name, used in a scope, means what its canonical name means.
    pub(super) fn agrees(&self, name: &Name, scope: usize) -> bool {
        // What libraries say of names is as trusted as they are.
        if let Root::Library(_) = name.user.root {
            return self.exists(&name.canonical, scope);
        }
        let key = (name.clone(), scope);
        if let Some(known) = self.aliases.borrow().agreed.get(&key) {
            return *known;
        }
        let around = &self.scopes[scope];
        let agrees =
            self.is_another(&self.visible(&name.user, around), &name.canonical, around, Met::Together);
        self.aliases.borrow_mut().agreed.insert(key, agrees);
        agrees
    }

    /// Whether declarations are what a canonical name means in some scopes.
    fn is_another(&self, declared: &[&Declared<'_>], canonical: &Path, around: &[Path], met: Met) -> bool {
        let agree = |other: Of<'_>| {
            !declared.is_empty()
                && declared.iter().all(|one| self.are_same(self.of(one), other, canonical, met))
        };
        match &canonical.root {
            Root::Library(library) => self.libraries.get(library).is_some_and(|read| {
                let found = self.declared_by(library);
                found.fields.get(&own(canonical)).is_some_and(|field| {
                    agree(Of { root: &canonical.root, library: &read.0, field, signature: false })
                })
            }),
            Root::Own | Root::Parameter(_) => {
                let found = self.visible(canonical, around);
                !found.is_empty() && found.into_iter().all(|other| agree(self.of(other)))
            }
        }
    }

    fn of<'d>(&'d self, declared: &'d Declared<'_>) -> Of<'d> {
        let Declared { field, place, .. } = declared;
        Of { root: &Root::Own, library: self.library, field, signature: place.signature }
    }

    fn are_same(&self, one: Of<'_>, other: Of<'_>, canonical: &Path, met: Met) -> bool {
        let same = |left: TermId, right: TermId| self.class(one, left) == self.class(other, right);
        let contexts = |left: &Context, right: &Context| {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| {
                    same(left.ty, right.ty)
                        && match (left.value, right.value) {
                            (Some(left), Some(right)) => same(left, right),
                            (None, None) => true,
                            _ => false,
                        }
                })
        };
        match (one.field, other.field) {
            (Field::Constant(left), Field::Constant(right)) => {
                let is_value = |value: TermId| matches!(&one.library[value], Term::Const(name, _) if *name.canonical == *canonical);
                left.polymorphic == right.polymorphic
                    && match (&left.body, &right.body) {
                        (Body::Transparent(left), Body::Transparent(right)) if same(*left, *right) => true,
                        (Body::Transparent(value), _) => is_value(*value),
                        (Body::Primitive(left), Body::Primitive(right)) => left == right,
                        (Body::Open { .. }, Body::Open { .. }) => {
                            met == Met::Apart && same(left.ty, right.ty)
                        }
                        (Body::Opaque(_), Body::Opaque(_)) => {
                            (met == Met::Apart || !(one.signature || other.signature))
                                && same(left.ty, right.ty)
                        }
                        // Two that show no value are two, also where they have one type.
                        (Body::Open { .. } | Body::Opaque(_) | Body::Primitive(_), _) => false,
                    }
            }
            (Field::Inductive(left), Field::Inductive(right)) => {
                (left.finite, left.parameters, &left.polymorphic, &left.variances)
                    == (right.finite, right.parameters, &right.polymorphic, &right.variances)
                    && left.types.len() == right.types.len()
                    && left.types.iter().zip(&right.types).all(|(left, right)| {
                        (&left.name, &left.sort) == (&right.name, &right.sort)
                            && contexts(&left.arity, &right.arity)
                            && left.constructors.len() == right.constructors.len()
                            && left
                                .constructors
                                .iter()
                                .zip(&right.constructors)
                                .all(|(left, right)| left.0 == right.0 && same(left.1, right.1))
                    })
            }
            _ => false,
        }
    }

    /// The number of what a term is up to second names, and constants that are defined as others.
    fn class(&self, of: Of<'_>, term: TermId) -> TermId {
        let key = (of.root.clone(), term);
        if let Some(known) = self.aliases.borrow().known.get(&key) {
            return *known;
        }
        let class = stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || {
            if let Some((path, value)) = self.defined_as(of, term)
                && self.aliases.borrow_mut().followed.insert(path.clone())
            {
                let class = self.class(of, value);
                self.aliases.borrow_mut().followed.remove(&path);
                return class;
            }
            let form = canonical(&of.library[term]).with_parts(&mut |part, _| self.class(of, part));
            let classes = &mut self.aliases.borrow_mut().classes;
            let next = u32::try_from(classes.len()).expect("there are no more classes than terms");
            *classes.entry(form).or_insert(TermId(next))
        });
        self.aliases.borrow_mut().known.insert(key, class);
        class
    }

    /// If a term of the submission is a constant that is defined as another, its path and that.
    fn defined_as(&self, of: Of<'_>, term: TermId) -> Option<(Path, TermId)> {
        let constant = |term: TermId| match &of.library[term] {
            Term::Const(name, instance) if instance.is_empty() => Some(&*name.canonical),
            _ => None,
        };
        let path =
            constant(term).filter(|path| *of.root == Root::Own && !matches!(path.root, Root::Library(_)))?;
        let mut values = self.at(path).map(|declared| match declared.field {
            Field::Constant(Constant { body: Body::Transparent(value), .. }) => Some(*value),
            _ => None,
        });
        let value = values.next().flatten()?;
        let other = constant(value)?;
        values.all(|value| value.and_then(constant) == Some(other)).then(|| (path.clone(), value))
    }
}

/// A term with the canonical name in the place of the name that it mentions itself.
fn canonical(term: &Term) -> Term {
    let only = |name: &Name| Name { user: Rc::clone(&name.canonical), canonical: Rc::clone(&name.canonical) };
    match term {
        Term::Const(name, instance) => Term::Const(only(name), instance.clone()),
        Term::Inductive(name, number, instance) => Term::Inductive(only(name), *number, instance.clone()),
        Term::Constructor(name, number, constructor, instance) => {
            Term::Constructor(only(name), *number, *constructor, instance.clone())
        }
        Term::Projection(name, number, field, unfolded, of) => {
            Term::Projection(only(name), *number, *field, *unfolded, *of)
        }
        Term::Case(case) => {
            let inductive = (only(&case.inductive.0), case.inductive.1);
            Term::Case(Rc::new(Case { inductive, ..(**case).clone() }))
        }
        term => term.clone(),
    }
}
