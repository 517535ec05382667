//! Reads compiled files (`.vo`): the data that Rocq's kernel checked, rather than Rocq's printed output.
//!
//! `marshal` reads OCaml values, `file` the segments of a file; `decode` converts values to declarations, and
//! `layout` describes how releases differ. `discharge` closes proofs over their sections, `trees` reads the
//! recursive structure of inductive types; `term` and `declaration` define the data types. `libraries` finds the
//! files of libraries.

pub(super) mod declaration;
mod decode;
mod discharge;
mod file;
mod layout;
pub(super) mod libraries;
mod marshal;
pub(super) mod term;
pub(super) mod trees;

use std::collections::{HashMap, HashSet};
use std::ops::Index;
use std::path::Path as FilePath;

use DecodeError::Corrupt;

use declaration::{Field, Implementation, Module, Resolver, Signature};
use decode::{Decoder, Proof};
use file::File;
pub use layout::Known;
use layout::{Layout, LibraryForm};
use marshal::{Heap, Value};
use term::{Constraints, Eliminations, Path, Term, TermId};
use trees::Graph;

/// A compiled file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompiledError {
    /// The layout of its version is unknown.
    #[error("level 2 can read the compiled files of Rocq 8.16 and later, not those of {0}")]
    Version(String),
    /// Its content cannot be read.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// There is no such file.
    #[error("{0}")]
    Unreadable(String),
}

/// Why the content of a compiled file cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// It is malformed, or has a form that no known release writes.
    #[error("cannot decode the compiled file: {0}")]
    Corrupt(&'static str),
    /// It exceeds a limit of this reader.
    #[error("the compiled file is too large: {0}")]
    Beyond(&'static str),
}

const MANY_TERMS: &str = "it has more than 4,294,967,295 terms";

/// The identity of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    /// The name of its library.
    pub library: String,
    /// The module type to read in place of the file.
    pub within: Option<String>,
}

/// The terms of a file, by number. Subterms have lower numbers than the term.
#[derive(Debug, Default)]
struct Terms {
    terms: Vec<Term>,
    /// Those that bind a proof of a strict proposition.
    irrelevant: HashSet<TermId>,
}

impl Terms {
    /// Adds a term; `None` if there are too many.
    fn push(&mut self, term: Term, irrelevant: bool) -> Option<TermId> {
        let id = TermId(u32::try_from(self.terms.len()).ok()?);
        self.terms.push(term);
        if irrelevant {
            self.irrelevant.insert(id);
        }
        Some(id)
    }
}

/// The declarations of a compiled file.
#[derive(Debug)]
pub struct Library {
    terms: Terms,
    /// The recursive structure of its inductive types.
    pub(super) trees: Graph,
    /// The whole file as a module.
    pub(super) signature: Signature,
    /// The name of the file's library, if its own names are read as such.
    pub(super) name: String,
    /// The libraries that are loaded with it, each with the digest of its file.
    pub(super) dependencies: Vec<(String, Vec<u8>)>,
    /// Its universe declarations.
    pub(super) constraints: Constraints,
    /// What its modules and module types say of canonical names.
    pub(super) resolvers: Vec<Resolver>,
    /// What each of its polymorphic declarations requires of universes, wherever it is declared.
    pub(super) contexts: Vec<Constraints>,
    /// Its declarations of sort qualities.
    pub(super) eliminations: Eliminations,
}

/// The layout of a file.
fn known(file: &File<'_>) -> Result<&'static Layout, CompiledError> {
    Layout::of(file.version).ok_or_else(|| CompiledError::Version(layout::written(file.version)))
}

/// The parts of the value of a library.
struct Parts {
    name: Value,
    module: Value,
    universes: Value,
    /// Qualities and their eliminations.
    qualities: Option<Value>,
    /// The libraries that are loaded with it, and their digests.
    dependencies: Value,
}

impl Parts {
    fn of(heap: &Heap<'_>, layout: &Layout) -> Result<Self, DecodeError> {
        let compiled = match layout.library {
            LibraryForm::Plain => heap.record::<2>(heap.root())?[0],
            LibraryForm::Staged
            | LibraryForm::Flagged
            | LibraryForm::WithQualities
            | LibraryForm::WithEliminations => heap.record::<3>(heap.root())?[0],
        };
        let (name, module, universes, qualities, dependencies) = match layout.library {
            LibraryForm::Plain | LibraryForm::Staged => {
                let [name, module, universes, dependencies] = heap.record(compiled)?;
                (name, module, universes, None, dependencies)
            }
            LibraryForm::Flagged => {
                let [name, module, universes, dependencies, _flags] = heap.record(compiled)?;
                (name, module, universes, None, dependencies)
            }
            LibraryForm::WithQualities => {
                let [name, module, both, dependencies, _flags] = heap.record(compiled)?;
                let [_qualities, universes] = heap.record(both)?;
                (name, module, universes, None, dependencies)
            }
            LibraryForm::WithEliminations => {
                let [name, module, universes, qualities, dependencies, _flags] = heap.record(compiled)?;
                (name, module, universes, Some(qualities), dependencies)
            }
        };
        Ok(Self { name, module, universes, qualities, dependencies })
    }
}

impl Library {
    /// Reads a compiled file.
    pub fn read(path: &FilePath, own: &Own) -> Result<Self, CompiledError> {
        let bytes = std::fs::read(path)
            .map_err(|error| CompiledError::Unreadable(format!("{}: {error}", path.display())))?;
        Self::from_bytes(&bytes, own)
    }

    /// The names of the products that the type of a constant begins with; none for one that does not exist.
    pub fn binders(&self, name: &str) -> Vec<String> {
        match self.index().get(&Path::named(name)) {
            Some(Field::Constant(constant)) => constant.binders.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }

    fn from_bytes(bytes: &[u8], own: &Own) -> Result<Self, CompiledError> {
        let file = File::read(bytes)?;
        let layout = known(&file)?;
        let proofs = file.segment("opaques")?;
        let mut decoder = Decoder::new(&proofs, layout, own, Terms::default(), None);
        let mut opaque = Vec::new();
        for &proof in proofs.array(proofs.root())? {
            let proof = match proofs.option(proof)? {
                None => None,
                Some(proof) => {
                    let [proof, universes] = proofs.record(proof)?;
                    let term = Some(decoder.term(proof)?);
                    Some(Proof { term, constraints: decoder.private(universes)? })
                }
            };
            opaque.push(proof);
        }
        Self::declarations(&file, layout, own, decoder.into_terms(), Some(opaque))
    }

    /// What a compiled file of a library says of universes: its constraints, and those of its polymorphic declarations and their
    /// proofs. All names are absolute.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn read_universes(bytes: &[u8]) -> Result<(Constraints, Vec<Constraints>), CompiledError> {
        let file = File::read(bytes)?;
        let layout = known(&file)?;
        let nothing = Own { library: String::new(), within: None };
        let proofs = file.segment("opaques")?;
        let mut decoder = Decoder::new(&proofs, layout, &nothing, Terms::default(), None);
        let mut opaque = Vec::new();
        for &proof in proofs.array(proofs.root())? {
            let private = match proofs.option(proof)? {
                None => None,
                Some(proof) => {
                    let [_term, universes] = proofs.record(proof)?;
                    Some(Proof { term: None, constraints: decoder.private(universes)? })
                }
            };
            opaque.push(private);
        }
        let read = Self::declarations(&file, layout, &nothing, Terms::default(), Some(opaque))?;
        Ok((read.constraints, read.contexts))
    }

    /// The digest by which other compiled files know this one.
    pub(super) fn digest(bytes: &[u8]) -> Result<Vec<u8>, CompiledError> {
        Ok(File::read(bytes)?.digest("library")?.to_vec())
    }

    /// Reads the interface of a compiled file: everything except opaque proofs. All names are absolute,
    /// including those of the library itself.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or belongs to another library than `name`.
    pub(super) fn read_public(path: &FilePath, name: &str) -> Result<Self, CompiledError> {
        let bytes = std::fs::read(path)
            .map_err(|error| CompiledError::Unreadable(format!("{}: {error}", path.display())))?;
        let file = File::read(&bytes)?;
        let layout = known(&file)?;
        // Library names are not empty.
        let nothing = Own { library: String::new(), within: None };
        let heap = file.segment("library")?;
        let found = Parts::of(&heap, layout)?.name;
        if Decoder::new(&heap, layout, &nothing, Terms::default(), None).library(found)? != name {
            return Err(Corrupt("it belongs to another library").into());
        }
        Self::declarations(&file, layout, &nothing, Terms::default(), None)
    }

    fn declarations(
        file: &File<'_>,
        layout: &'static Layout,
        own: &Own,
        terms: Terms,
        opaque: Option<Vec<Option<Proof>>>,
    ) -> Result<Self, CompiledError> {
        let library = file.segment("library")?;
        let parts = Parts::of(&library, layout)?;
        let mut decoder = Decoder::new(&library, layout, own, terms, opaque);
        decoder.proofs_of = decoder.library(parts.name)?;
        let module = decoder.module(parts.module)?;
        let constraints = decoder.context_set(parts.universes)?;
        let eliminations = parts.qualities.map(|qualities| decoder.quality_set(qualities)).transpose()?;
        let mut dependencies = Vec::new();
        for &dependency in library.array(parts.dependencies)? {
            let [name, digest] = library.record(dependency)?;
            let [digest] = library.record(digest)?;
            dependencies.push((decoder.library(name)?, library.bytes_at(digest)?.to_vec()));
        }
        let trees = std::mem::take(&mut decoder.trees).graph()?;
        let contexts = std::mem::take(&mut decoder.contexts);
        let resolvers = std::mem::take(&mut decoder.resolvers);
        let terms = decoder.into_terms();
        Ok(Self {
            terms,
            trees,
            signature: asked_part(module, own)?,
            name: own.library.clone(),
            constraints,
            resolvers,
            contexts,
            eliminations: eliminations.unwrap_or_default(),
            dependencies,
        })
    }

    /// All terms, subterms first.
    pub(super) fn terms(&self) -> impl Iterator<Item = (TermId, &Term)> {
        (0..).map(TermId).zip(&self.terms.terms)
    }

    /// The number of terms.
    pub(super) fn count(&self) -> usize {
        self.terms.terms.len()
    }

    /// Whether a term itself, without its subterms, binds a proof of a strict proposition.
    pub(super) fn binds_irrelevant(&self, id: TermId) -> bool {
        self.terms.irrelevant.contains(&id)
    }

    /// The paths of all constants and inductive types outside module types, also of those that have no name outside: behind seals
    /// and in functors.
    pub(super) fn paths(&self) -> Vec<Path> {
        let (mut found, mut open) = (Vec::new(), vec![(Path::own(), &self.signature)]);
        while let Some((path, signature)) = open.pop() {
            let fields = match signature {
                Signature::Structure(fields) => fields,
                Signature::Functor { result, .. } => {
                    open.push((path, result));
                    continue;
                }
            };
            for (label, field) in fields {
                let path = path.field(label);
                match field {
                    Field::Constant(_) | Field::Inductive(_) => found.push(path),
                    Field::Module(module) => {
                        if let Implementation::Sealed(behind) = &module.implementation {
                            open.push((path.clone(), behind));
                        }
                        open.push((path, &module.signature));
                    }
                    Field::ModuleType(_) => {}
                }
            }
        }
        found
    }

    /// All constants, inductive types and modules by name. Declarations in functors and module types have none.
    pub(super) fn index(&self) -> HashMap<Path, &Field> {
        let mut found = HashMap::new();
        let mut open = vec![(Path::own(), &self.signature)];
        while let Some((path, signature)) = open.pop() {
            let Signature::Structure(fields) = signature else { continue };
            for (label, field) in fields {
                let path = path.field(label);
                if let Field::Module(module) = field {
                    open.push((path.clone(), &module.signature));
                }
                // A module may share its name with another declaration; terms only mention the latter.
                if !matches!(field, Field::Module(_) | Field::ModuleType(_)) {
                    found.insert(path, field);
                }
            }
        }
        found
    }
}

impl Index<TermId> for Library {
    type Output = Term;

    fn index(&self, id: TermId) -> &Term {
        &self.terms.terms[id.0 as usize]
    }
}

fn asked_part(module: Module, own: &Own) -> Result<Signature, CompiledError> {
    let Some(within) = &own.within else { return Ok(module.signature) };
    let missing = Corrupt("the module type of the challenge is missing");
    let Signature::Structure(fields) = module.signature else { return Err(missing.into()) };
    let mut fields = fields.into_iter();
    fields
        .find_map(|(label, field)| match field {
            Field::ModuleType(signature) if *label == **within => Some(signature),
            _ => None,
        })
        .ok_or(missing.into())
}

#[cfg(test)]
mod tests;
