//! What the proofs of a submission use.

use std::collections::{BTreeSet, HashMap};

use super::Difference;
use crate::rocq::compiled::Library;
use crate::rocq::compiled::term::*;

/// A submission as its own parts see each other: what a module seals is hidden.
pub(in crate::rocq) struct Visible<'a> {
    library: &'a Library,
    declared: HashMap<Path, &'a Field>,
    /// What stands behind seals.
    hidden: HashMap<Path, &'a Field>,
    /// Modules whose content is not simply what their signature shows, and whether they are given at all.
    seals: HashMap<Path, bool>,
}

impl<'a> Visible<'a> {
    pub(in crate::rocq) fn of(library: &'a Library) -> Self {
        let mut visible =
            Self { library, declared: library.index(), hidden: HashMap::new(), seals: HashMap::new() };
        visible.look_into(&Path::own(), &library.signature, false);
        visible
    }

    fn look_into(&mut self, path: &Path, signature: &'a Signature, hidden: bool) {
        let Signature::Structure(fields) = signature else { return };
        for (label, field) in fields {
            let path = path.field(label);
            match field {
                Field::Module(module) => {
                    match &module.implementation {
                        Implementation::Plain => {}
                        Implementation::Declared => drop(self.seals.insert(path.clone(), false)),
                        Implementation::Algebraic { .. } => drop(self.seals.insert(path.clone(), true)),
                        Implementation::Sealed(behind) => {
                            self.seals.insert(path.clone(), true);
                            self.look_into(&path, behind, true);
                        }
                    }
                    self.look_into(&path, &module.signature, hidden);
                }
                Field::ModuleType(_) => {}
                field if hidden => drop(self.hidden.entry(path).or_insert(field)),
                _ => {}
            }
        }
    }

    /// The outermost module around something that is sealed, or comes of a functor that may seal its result.
    pub(in crate::rocq) fn seal(&self, path: &Path) -> Option<Path> {
        let outer = (1..path.labels.len())
            .map(|n| Path { root: path.root.clone(), labels: path.labels[..n].to_vec() })
            .find(|module| self.seals.contains_key(module))?;
        self.seals[&outer].then_some(outer)
    }

    /// What the proof of a theorem uses without there being a value: axioms, and what lies behind one of some seals.
    pub(in crate::rocq) fn assumed(
        &self,
        theorem: &Path,
        seals: &BTreeSet<Path>,
    ) -> Result<Vec<Path>, Difference> {
        // Within the seal a proof sees what the statement leaves open.
        if self.seal(theorem).is_some_and(|seal| seals.contains(&seal)) {
            return Err(Difference::Revealed(theorem.to_string()));
        }
        let mut assumed = Vec::new();
        let mut walk = Walk::new(self.library);
        walk.name(theorem);
        while let Some(path) = walk.names.pop() {
            let field = match self.hidden.get(&path) {
                Some(field) if path == *theorem => field,
                _ => match self.declared.get(&path) {
                    Some(field) => field,
                    None => continue,
                },
            };
            if let Field::Constant(Constant { body: Body::Open { .. }, .. }) = field {
                if path == *theorem {
                    return Err(Difference::Unproved(path.to_string()));
                }
                match self.seal(&path) {
                    None => assumed.push(path),
                    Some(seal) if !seals.contains(&seal) => {}
                    Some(_) => assumed.push(path),
                }
            }
            walk.field(field);
        }
        Ok(assumed)
    }
}

/// A walk over all that declarations mention.
pub(in crate::rocq) struct Walk<'a> {
    library: &'a Library,
    /// Names of the file that are still to be looked up.
    pub(in crate::rocq) names: Vec<Path>,
    met: BTreeSet<Path>,
    /// Terms that are not renamed.
    terms: BTreeSet<TermId>,
    /// All terms that were met.
    pub(in crate::rocq) reached: BTreeSet<TermId>,
}

impl<'a> Walk<'a> {
    pub(in crate::rocq) fn new(library: &'a Library) -> Self {
        Self {
            library,
            names: Vec::new(),
            met: BTreeSet::new(),
            terms: BTreeSet::new(),
            reached: BTreeSet::new(),
        }
    }

    /// Meets something of the file.
    pub(in crate::rocq) fn name(&mut self, path: &Path) {
        if path.is_own() && self.met.insert(path.clone()) {
            self.names.push(path.clone());
        }
    }

    /// Meets all that a declaration mentions.
    pub(in crate::rocq) fn field(&mut self, field: &Field) {
        match field {
            Field::Constant(constant) => {
                self.term(constant.ty, &[]);
                match &constant.body {
                    Body::Transparent(body) => self.term(*body, &[]),
                    Body::Opaque(Opaque { proof: Some(proof), renamed, .. }) => self.term(*proof, renamed),
                    _ => {}
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

    /// Meets all names in a term, as they are after renaming modules.
    fn term(&mut self, term: TermId, renamed: &[Renaming]) {
        let mut open = vec![term];
        // A term that is renamed may be met under other names, too.
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

/// A name after modules were put in the place of others, the last replacement in the list first.
fn rename(path: &Path, renamed: &[Renaming]) -> Path {
    renamed.iter().rev().fold(path.clone(), |path, modules| {
        // The innermost module that is replaced counts.
        let moved = modules.iter().filter_map(|(from, to)| Some((from.labels.len(), path.moved(from, to)?)));
        moved.max_by_key(|(depth, _)| *depth).map_or(path.clone(), |(_, moved)| moved)
    })
}
