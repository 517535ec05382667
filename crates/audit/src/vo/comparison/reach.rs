//! Finds the assumptions that the proofs of a submission use.

use std::collections::{BTreeSet, HashMap};

use super::Difference;
use crate::vo::compiled::Library;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::term::*;

/// A submission as seen from inside, with its hidden parts.
pub(crate) struct Visible<'a> {
    library: &'a Library,
    declared: HashMap<Path, &'a Field>,
    /// Declarations without a value or a name outside: behind seals, and in functors.
    hidden: HashMap<Path, Vec<&'a Field>>,
    /// The paths of functors.
    in_functors: Vec<Path>,
    /// Modules whose content is not given by their signature alone, and how they are defined.
    seals: HashMap<Path, Seal>,
}

/// The definition of a module that hides something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seal {
    /// None: its declarations are assumptions.
    Declared,
    /// An alias of another module, or a functor application.
    Algebraic,
    /// A sealed structure.
    Given,
}

impl<'a> Visible<'a> {
    pub(crate) fn of(library: &'a Library) -> Self {
        let mut visible = Self {
            library,
            declared: library.index(),
            hidden: HashMap::new(),
            in_functors: Vec::new(),
            seals: HashMap::new(),
        };
        visible.look_into(&Path::own(), &library.signature, false, false);
        visible
    }

    fn look_into(&mut self, path: &Path, signature: &'a Signature, hidden: bool, functor: bool) {
        let fields = match signature {
            Signature::Structure(fields) => fields,
            Signature::Functor { result, .. } => return self.look_into(path, result, true, true),
        };
        for (label, field) in fields {
            let path = path.field(label);
            match field {
                Field::Module(module) => {
                    let seal = match &module.implementation {
                        Implementation::Plain => None,
                        Implementation::Declared => Some(Seal::Declared),
                        Implementation::Algebraic { .. } => Some(Seal::Algebraic),
                        Implementation::Sealed(_) => Some(Seal::Given),
                    };
                    if let Some(seal) = seal {
                        self.seals.insert(path.clone(), seal);
                    }
                    if let Implementation::Sealed(behind) = &module.implementation {
                        self.look_into(&path, behind, true, functor);
                    }
                    self.look_into(&path, &module.signature, hidden, functor);
                }
                Field::ModuleType(_) => {}
                field if hidden => {
                    if functor {
                        self.in_functors.push(path.clone());
                    }
                    self.hidden.entry(path).or_default().push(field);
                }
                _ => {}
            }
        }
    }

    /// The outermost enclosing module that hides its content.
    fn outermost(&self, path: &Path) -> Option<(Path, Seal)> {
        let mut around = (1..path.labels.len())
            .map(|n| Path { root: path.root.clone(), labels: path.labels[..n].to_vec() });
        around.find_map(|module| self.seals.get(&module).map(|&seal| (module, seal)))
    }

    /// The same, if it has an implementation.
    pub(crate) fn seal(&self, path: &Path) -> Option<Path> {
        self.outermost(path).filter(|(_, seal)| *seal != Seal::Declared).map(|(module, _)| module)
    }

    /// The assumptions of the proof of a theorem: axioms, and declarations hidden by one of the given seals. All
    /// other seals are looked through, and functors where one may have been applied: a declaration that passes on a
    /// fact behind a seal uses it.
    pub(crate) fn assumed(&self, theorem: &Path, seals: &BTreeSet<Path>) -> Result<Vec<Path>, Difference> {
        let is_kept = |path: &Path| self.seal(path).is_some_and(|seal| seals.contains(&seal));
        // Inside the seal, a proof can use values that the statement leaves open.
        if is_kept(theorem) {
            return Err(Difference::Revealed(theorem.to_string()));
        }
        let (mut assumed, mut functors) = (Vec::new(), false);
        let mut walk = Walk::new(self.library);
        walk.name(theorem);
        while let Some(path) = walk.names.pop() {
            let shown = self.declared.get(&path).copied();
            let hidden = self.hidden.get(&path).map(Vec::as_slice).unwrap_or_default();
            shown.iter().for_each(|field| walk.field(field));
            if is_kept(&path) {
                // This is known for the given seals; look no further into them.
                if shown.is_none_or(is_open) {
                    assumed.push(path);
                }
                continue;
            }
            hidden.iter().for_each(|field| walk.field(field));
            let has_value = shown.into_iter().chain(hidden.iter().copied()).any(|field| !is_open(field));
            if has_value {
                continue;
            }
            match self.outermost(&path) {
                Some((_, Seal::Algebraic | Seal::Given)) if path == *theorem => {}
                // There is no value behind the seal either.
                Some((_, Seal::Given)) if !hidden.is_empty() => assumed.push(path),
                Some((_, Seal::Algebraic | Seal::Given)) if !functors => {
                    functors = true;
                    self.in_functors.iter().for_each(|path| walk.name(path));
                    // The parts of a module that was built from others are unknown.
                    self.declared.keys().for_each(|path| walk.name(path));
                }
                Some((_, Seal::Algebraic | Seal::Given)) => {}
                _ if path == *theorem => return Err(Difference::Unproved(path.to_string())),
                _ => assumed.push(path),
            }
        }
        Ok(assumed)
    }
}

fn is_open(field: &Field) -> bool {
    matches!(field, Field::Constant(Constant { body: Body::Open { .. }, .. }))
}

/// A traversal of everything that declarations mention.
pub(crate) struct Walk<'a> {
    library: &'a Library,
    /// Names of the file that remain to be visited.
    pub(crate) names: Vec<Path>,
    met: BTreeSet<Path>,
    /// Modules that were visited entirely.
    modules: BTreeSet<Path>,
    /// Terms that are not renamed.
    terms: BTreeSet<TermId>,
    /// All visited terms.
    pub(crate) reached: BTreeSet<TermId>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(library: &'a Library) -> Self {
        Self {
            library,
            names: Vec::new(),
            met: BTreeSet::new(),
            modules: BTreeSet::new(),
            terms: BTreeSet::new(),
            reached: BTreeSet::new(),
        }
    }

    /// Visits a declaration of the file.
    pub(crate) fn name(&mut self, path: &Path) {
        if path.is_own() && self.met.insert(path.clone()) {
            self.names.push(path.clone());
        }
    }

    /// Visits all declarations of a module of the file, also those behind seals and in functors.
    fn module(&mut self, module: &Path) {
        if module.is_own() && self.modules.insert(module.clone()) {
            for path in self.library.paths() {
                if path.is_own() && path.labels.starts_with(&module.labels) {
                    self.name(&path);
                }
            }
        }
    }

    /// Visits everything that a declaration mentions.
    pub(crate) fn field(&mut self, field: &Field) {
        match field {
            Field::Constant(constant) => {
                self.term(constant.ty, &[]);
                match &constant.body {
                    Body::Transparent(body) => self.term(*body, &[]),
                    Body::Opaque(Opaque { proof: Some(proof), renamed, .. }) => self.term(*proof, renamed),
                    // A proof in a functor of a library may use everything in the functor's arguments.
                    Body::Opaque(Opaque { proof: None, renamed, .. }) => {
                        renamed.iter().flatten().for_each(|(_, module)| self.module(module));
                    }
                    Body::Open { .. } | Body::Primitive(_) => {}
                }
            }
            Field::Inductive(block) => {
                for one in &block.types {
                    one.arity.iter().for_each(|declaration| {
                        declaration.value.iter().for_each(|&value| self.term(value, &[]));
                        self.term(declaration.ty, &[]);
                    });
                    one.constructors.iter().for_each(|&(_, ty)| self.term(ty, &[]));
                }
            }
            Field::Module(_) | Field::ModuleType(_) => {}
        }
    }

    /// Visits all names in a term, after renaming modules.
    fn term(&mut self, term: TermId, renamed: &[Renaming]) {
        let mut open = vec![term];
        // A renamed term may occur under other names too.
        let mut own = BTreeSet::new();
        while let Some(term) = open.pop() {
            let met = if renamed.is_empty() { &mut self.terms } else { &mut own };
            if !met.insert(term) {
                continue;
            }
            self.reached.insert(term);
            let term = &self.library[term];
            if let Some(name) = term.name() {
                self.name(&rename(&name.user, renamed));
                self.name(&rename(&name.canonical, renamed));
            }
            term.each_part(|part| open.push(part));
        }
    }
}

/// Applies module replacements to a name, the last one in the list first.
fn rename(path: &Path, renamed: &[Renaming]) -> Path {
    renamed.iter().rev().fold(path.clone(), |path, modules| {
        // The replacement of the innermost module applies.
        let moved = modules.iter().filter_map(|(from, to)| Some((from.labels.len(), path.moved(from, to)?)));
        moved.max_by_key(|(depth, _)| *depth).map_or(path.clone(), |(_, moved)| moved)
    })
}
