//! A compiled submission, spread out: all declarations wherever they stand, and what the terms contain.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::aliases::Aliases;
use super::casts;
use crate::vo::compiled::Library;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::libraries::Libraries;
use crate::vo::compiled::term::{self, *};
use crate::vo::guard::{Guard, Unfounded};

/// A declaration, and where it stands.
pub(super) struct Declared<'a> {
    pub(super) path: Path,
    pub(super) field: &'a Field,
    pub(super) place: Place,
    /// What the checks of recursion refuse in it.
    pub(super) recursion: Vec<Unfounded>,
}

/// Where a declaration stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The functors and module types around it, and the seals that hide it, as a number of `Submission::scopes`.
    pub(super) scope: usize,
    /// Whether it is only asked for or shown: by a module type, a seal, the parameter of a functor.
    pub(super) signature: bool,
    /// Whether it stands in a functor.
    pub(super) functor: bool,
    /// Whether it comes of applying a functor.
    pub(super) applied: bool,
}

/// A term of a declaration.
pub(super) struct Root<'a> {
    pub(super) term: TermId,
    /// The opaque constant that it is the proof of.
    pub(super) proof: Option<&'a Opaque>,
}

/// Something that a term may contain.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// A cast by the virtual machine.
    VmCast,
    NativeCast,
    /// A variable of a section.
    Variable,
    /// A match on a strict proposition that decides by the indices.
    Inverted,
    /// A match on an empty strict proposition, or on one that may be.
    Absurd,
    /// A second name of something.
    Alias,
    /// A shift of two machine integers, unless by a small number that is written out.
    Shift,
    /// A universe or a quality that is a parameter.
    Bound,
    /// A proof of a strict proposition that is bound, or the sort of these.
    Strict,
}

/// A submission.
pub(super) struct Submission<'a> {
    pub(super) library: &'a Library,
    pub(super) declared: Vec<Declared<'a>>,
    /// Functors, module types and seals within each other, outermost first.
    pub(super) scopes: Vec<Vec<Path>>,
    /// The parameters of functors.
    pub(super) functors: HashMap<Path, Vec<term::Root>>,
    /// The declarations of a path: a seal shows one and hides another.
    by_path: BTreeMap<Path, Vec<usize>>,
    /// The marks of what a term contains at any depth, as bits, by the numbers of the terms.
    marks: Vec<u16>,
    pub(super) libraries: &'a Libraries,
    /// What second names mean, as far as that was asked.
    pub(super) aliases: RefCell<Aliases>,
    /// The libraries met so far.
    met: RefCell<HashMap<Rc<str>, Rc<Declares>>>,
}

/// What a library declares outside functors and module types, by places in it.
#[derive(Default)]
pub(super) struct Declares {
    pub(super) fields: HashMap<Path, Field>,
    /// The inductive types that are strict propositions, by the numbers in their blocks.
    strict: HashSet<(Path, u32)>,
}

impl<'a> Submission<'a> {
    pub(super) fn new(library: &'a Library, libraries: &'a Libraries) -> Self {
        let mut submission = Self {
            library,
            declared: Vec::new(),
            scopes: vec![Vec::new()],
            functors: HashMap::new(),
            by_path: BTreeMap::new(),
            marks: Vec::new(),
            libraries,
            aliases: RefCell::default(),
            met: RefCell::default(),
        };
        submission.collect(&mut Guard::new(library, libraries));
        for (number, declared) in submission.declared.iter().enumerate() {
            submission.by_path.entry(declared.path.clone()).or_default().push(number);
        }
        for (id, term) in library.terms() {
            let marks = submission.marks_of(id, term);
            submission.marks.push(marks);
        }
        submission
    }

    /// The declarations of a path.
    pub(super) fn at(&self, path: &Path) -> impl Iterator<Item = &Declared<'a>> {
        self.by_path.get(path).into_iter().flatten().map(|&number| &self.declared[number])
    }

    /// The declarations of a module, at any depth.
    pub(super) fn below(&self, module: &Path) -> impl Iterator<Item = &Declared<'a>> {
        let all =
            self.by_path.range(module.clone()..).take_while(|(path, _)| path.moved(module, module).is_some());
        all.flat_map(|(_, numbers)| numbers).map(|&number| &self.declared[number])
    }

    pub(super) fn has(&self, term: TermId, mark: Mark) -> bool {
        self.marks[term.0 as usize] & 1 << mark as u8 != 0
    }

    /// Whether a declaration mentions a name that something holds of.
    pub(super) fn mentions(&self, field: &Field, holds: impl Fn(&Name) -> bool) -> bool {
        let mut open: Vec<TermId> = roots(field).map(|root| root.term).collect();
        let mut met = HashSet::new();
        while let Some(term) = open.pop() {
            if met.insert(term) {
                let term = &self.library[term];
                if term.name().is_some_and(&holds) {
                    return true;
                }
                term.each_part(|part| open.push(part));
            }
        }
        false
    }

    /// Whether a name stands for something that exists where it is used. What a library is not seen to declare is not believed
    /// to exist.
    pub(super) fn exists(&self, canonical: &Path, scope: usize) -> bool {
        match &canonical.root {
            term::Root::Library(library) => self.declared_by(library).fields.contains_key(&own(canonical)),
            term::Root::Parameter(_) | term::Root::Own => {
                !self.visible(canonical, &self.scopes[scope]).is_empty()
            }
        }
    }

    /// What a path of the file, or of the parameter of a functor, means in some scopes: what is declared next to it.
    pub(super) fn visible(&self, path: &Path, around: &[Path]) -> Vec<&Declared<'a>> {
        let scopes = |declared: &Declared<'a>| &self.scopes[declared.place.scope];
        let found: Vec<&Declared<'a>> =
            self.at(path).filter(|declared| around.starts_with(scopes(declared))).collect();
        let next = found.iter().map(|declared| scopes(declared).len()).max();
        found.into_iter().filter(|declared| Some(scopes(declared).len()) == next).collect()
    }

    /// Nothing if the library cannot be read.
    pub(super) fn declared_by(&self, library: &Rc<str>) -> Rc<Declares> {
        let read = || {
            let mut declares = Declares::default();
            if let Some(shown) = self.libraries.get(library) {
                for (path, field) in shown.0.index() {
                    declares.strict.extend(strict(field).map(|number| (path.clone(), number)));
                    declares.fields.insert(path, field.clone());
                }
            }
            Rc::new(declares)
        };
        Rc::clone(self.met.borrow_mut().entry(Rc::clone(library)).or_insert_with(read))
    }

    /// Whether an inductive type is a strict proposition, or may be.
    fn may_be_strict(&self, path: &Path, number: u32) -> bool {
        match &path.root {
            term::Root::Library(library) => self.declared_by(library).strict.contains(&(own(path), number)),
            term::Root::Parameter(_) => true,
            term::Root::Own => {
                self.at(path).any(|declared| strict(declared.field).any(|found| found == number))
            }
        }
    }

    fn collect(&mut self, guard: &mut Guard<'_>) {
        let outside = Place { scope: 0, signature: false, functor: false, applied: false };
        let mut open = vec![(Path::own(), &self.library.signature, outside)];
        while let Some((path, signature, place)) = open.pop() {
            let fields = match signature {
                Signature::Structure(fields) => fields,
                Signature::Functor { bound, parameter, result } => {
                    let within = Place { scope: self.within(&path, place.scope), functor: true, ..place };
                    self.functors.entry(path.clone()).or_default().push(bound.clone());
                    let own = Path { root: bound.clone(), labels: Vec::new() };
                    open.push((own, parameter, Place { signature: true, ..within }));
                    open.push((path, result, within));
                    continue;
                }
            };
            for (label, field) in fields {
                let path = path.field(label);
                match field {
                    Field::Constant(_) | Field::Inductive(_) => {
                        let recursion = roots(field).flat_map(|root| guard.unfounded(root.term)).collect();
                        self.declared.push(Declared { path, field, place, recursion });
                    }
                    Field::Module(module) => {
                        let shown = match &module.implementation {
                            Implementation::Plain => place,
                            Implementation::Declared => Place { signature: true, ..place },
                            Implementation::Algebraic { applied } => {
                                Place { applied: place.applied || *applied, ..place }
                            }
                            Implementation::Sealed(behind) => {
                                let scope = self.within(&path, place.scope);
                                open.push((path.clone(), behind, Place { scope, ..place }));
                                Place { signature: true, ..place }
                            }
                        };
                        open.push((path, &module.signature, shown));
                    }
                    Field::ModuleType(signature) => {
                        let scope = self.within(&path, place.scope);
                        open.push((path, signature, Place { scope, signature: true, ..place }));
                    }
                }
            }
        }
    }

    /// The scope of what stands in a functor or module type. That of a functor of several parameters is one.
    fn within(&mut self, path: &Path, scope: usize) -> usize {
        if self.scopes[scope].last() == Some(path) {
            return scope;
        }
        let inner = [&self.scopes[scope][..], std::slice::from_ref(path)].concat();
        self.scopes.push(inner);
        self.scopes.len() - 1
    }

    /// What a term contains, once that is known of its parts.
    fn marks_of(&self, id: TermId, term: &Term) -> u16 {
        let mut marks = 0;
        let mut mark = |mark: Mark| marks |= 1 << mark as u8;
        match term {
            Term::Cast(_, CastKind::Vm, _) => mark(Mark::VmCast),
            Term::Cast(_, CastKind::Native, _) => mark(Mark::NativeCast),
            Term::Var(_) => mark(Mark::Variable),
            Term::Case(case) if case.indices.is_some() => mark(Mark::Inverted),
            Term::Case(case) if case.branches.is_empty() => {
                let (name, number) = &case.inductive;
                if self.may_be_strict(&name.canonical, *number) {
                    mark(Mark::Absurd);
                }
            }
            _ => {}
        }
        if term.mentions_parameter() {
            mark(Mark::Bound);
        }
        if self.library.binds_irrelevant(id) || matches!(term, Term::Sort(Sort::SProp)) {
            mark(Mark::Strict);
        }
        if let Some(name) = term.name() {
            if name.user != name.canonical {
                mark(Mark::Alias);
            }
            if matches!(term, Term::Const(..)) && self.is_shift(&name.canonical) {
                mark(Mark::Shift);
            }
        }
        let harmless = casts::small_shift(self.library, term);
        term.each_part(|part| {
            if harmless != Some(part) {
                marks |= self.marks[part.0 as usize];
            }
        });
        marks
    }

    /// Whether a constant is the shift of two machine integers, or has it.
    fn is_shift(&self, path: &Path) -> bool {
        casts::is_library_shift(path)
            || self.at(path).any(|declared| {
                matches!(
                    declared.field,
                    Field::Constant(Constant { body: Body::Primitive(casts::SHIFT), .. })
                )
            })
    }
}

/// A place in a library, for that library.
pub(super) fn own(path: &Path) -> Path {
    Path { labels: path.labels.clone(), ..Path::own() }
}

/// The types of a block that are strict propositions, or may be.
fn strict(field: &Field) -> impl Iterator<Item = u32> {
    let types = match field {
        Field::Inductive(block) => &block.types[..],
        _ => &[],
    };
    let known = [Quality::Prop, Quality::Type];
    (0..).zip(types).filter_map(move |(number, one)| match &one.sort {
        Sort::SProp => Some(number),
        Sort::Quality(quality, _) if !known.contains(quality) => Some(number),
        _ => None,
    })
}

/// The terms of a declaration.
pub(super) fn roots(field: &Field) -> impl Iterator<Item = Root<'_>> {
    let mut roots = Vec::new();
    let mut add = |term, proof| roots.push(Root { term, proof });
    match field {
        Field::Constant(constant) => {
            add(constant.ty, None);
            match &constant.body {
                Body::Transparent(body) => add(*body, None),
                Body::Opaque(opaque) => opaque.proof.into_iter().for_each(|proof| add(proof, Some(opaque))),
                Body::Open { .. } | Body::Primitive(_) => {}
            }
        }
        Field::Inductive(block) => {
            for one in &block.types {
                for declaration in one.takes.iter().flatten().chain(&one.arity) {
                    declaration.value.into_iter().chain([declaration.ty]).for_each(|term| add(term, None));
                }
                one.constructors.iter().for_each(|constructor| add(constructor.1, None));
                let projections = one.projections.iter().flat_map(|projections| &projections.fields);
                projections.for_each(|projection| add(projection.1, None));
            }
        }
        Field::Module(_) | Field::ModuleType(_) => {}
    }
    roots.into_iter()
}
