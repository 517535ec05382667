//! Reading compiled files (`.vo`): what Rocq's kernel was given, and not what Rocq prints of it.
//!
//! `marshal` reads OCaml's values, `file` the parts of a file, `decode` declarations out of values; `layout` says how releases differ in them.
//! `discharge` closes the sections that proofs were made in, `trees` reads what is recursive in inductive types; `term` and `declaration` have the types of
//! it all. `libraries` finds the files of libraries.

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

use declaration::{Field, Module, Signature};
use decode::Decoder;
use file::File;
pub(super) use layout::is_known;
use layout::{Layout, LibraryForm};
use marshal::{Heap, Value};
use term::{Constraints, Eliminations, Path, Term, TermId};
use trees::Graph;

/// A compiled file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CompiledError {
    /// It is of a version whose layout is not known.
    #[error("level 2 can read the compiled files of Rocq 8.16 to 9.2, not those of {0}")]
    Version(String),
    /// Something in it is not as it should be.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// There is no such file.
    #[error("{0}")]
    Unreadable(String),
}

/// What is wrong with a compiled file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot decode the compiled file: {0}")]
pub(super) struct Corrupt(&'static str);

/// What a file calls its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Own {
    /// The name of its library.
    pub(super) library: String,
    /// The module type that is read as if it were the file.
    pub(super) within: Option<String>,
}

/// The terms of a file, by their numbers. The parts of a term have lower numbers than itself.
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
pub(super) struct Library {
    terms: Terms,
    /// What is recursive in its inductive types.
    pub(super) trees: Graph,
    /// All of the file as a module.
    pub(super) signature: Signature,
    /// What it declares of universes.
    pub(super) constraints: Constraints,
    /// What it declares of the qualities of sorts.
    pub(super) eliminations: Eliminations,
}

/// The layout of a file.
fn known(file: &File<'_>) -> Result<&'static Layout, CompiledError> {
    Layout::of(file.version).ok_or_else(|| CompiledError::Version(layout::written(file.version)))
}

/// What the value of a library consists of.
struct Parts {
    name: Value,
    module: Value,
    universes: Value,
    /// Qualities and their eliminations.
    qualities: Option<Value>,
}

impl Parts {
    fn of(heap: &Heap<'_>, layout: &Layout) -> Result<Self, Corrupt> {
        let compiled = match layout.library {
            LibraryForm::Plain => heap.record::<2>(heap.root())?[0],
            LibraryForm::Staged
            | LibraryForm::Flagged
            | LibraryForm::WithQualities
            | LibraryForm::WithEliminations => heap.record::<3>(heap.root())?[0],
        };
        let (name, module, universes, qualities) = match layout.library {
            LibraryForm::Plain | LibraryForm::Staged => {
                let [name, module, universes, _dependencies] = heap.record(compiled)?;
                (name, module, universes, None)
            }
            LibraryForm::Flagged => {
                let [name, module, universes, _dependencies, _flags] = heap.record(compiled)?;
                (name, module, universes, None)
            }
            LibraryForm::WithQualities => {
                let [name, module, both, _dependencies, _flags] = heap.record(compiled)?;
                let [_qualities, universes] = heap.record(both)?;
                (name, module, universes, None)
            }
            LibraryForm::WithEliminations => {
                let [name, module, universes, qualities, _dependencies, _flags] = heap.record(compiled)?;
                (name, module, universes, Some(qualities))
            }
        };
        Ok(Self { name, module, universes, qualities })
    }
}

impl Library {
    /// Reads a compiled file.
    pub(super) fn read(path: &FilePath, own: &Own) -> Result<Self, CompiledError> {
        let bytes = std::fs::read(path)
            .map_err(|error| CompiledError::Unreadable(format!("{}: {error}", path.display())))?;
        Self::from_bytes(&bytes, own)
    }

    fn from_bytes(bytes: &[u8], own: &Own) -> Result<Self, CompiledError> {
        let file = File::read(bytes)?;
        let layout = known(&file)?;
        let proofs = file.segment("opaques")?;
        let mut decoder = Decoder::new(&proofs, layout, own, Terms::default(), Vec::new());
        for &proof in proofs.array(proofs.root())? {
            let proof = match proofs.option(proof)? {
                None => None,
                Some(proof) => {
                    let [proof, _universes] = proofs.record(proof)?;
                    Some(decoder.term(proof)?)
                }
            };
            decoder.opaque.push(proof);
        }
        let (terms, opaque) = decoder.into_terms();
        Self::declarations(&file, layout, own, terms, opaque)
    }

    /// Reads what a compiled file shows to others: all but the proofs of opaque constants. All names in it are absolute,
    /// those of the library itself, too.
    ///
    /// # Errors
    ///
    /// Says why the file cannot be read, and whether it is that of another library than `name`.
    pub(super) fn read_public(path: &FilePath, name: &str) -> Result<Self, CompiledError> {
        let bytes = std::fs::read(path)
            .map_err(|error| CompiledError::Unreadable(format!("{}: {error}", path.display())))?;
        let file = File::read(&bytes)?;
        let layout = known(&file)?;
        // No library has an empty name.
        let nothing = Own { library: String::new(), within: None };
        let heap = file.segment("library")?;
        let found = Parts::of(&heap, layout)?.name;
        if Decoder::new(&heap, layout, &nothing, Terms::default(), Vec::new()).library(found)? != name {
            return Err(Corrupt("it belongs to another library").into());
        }
        Self::declarations(&file, layout, &nothing, Terms::default(), Vec::new())
    }

    fn declarations(
        file: &File<'_>,
        layout: &'static Layout,
        own: &Own,
        terms: Terms,
        opaque: Vec<Option<TermId>>,
    ) -> Result<Self, CompiledError> {
        let library = file.segment("library")?;
        let parts = Parts::of(&library, layout)?;
        let mut decoder = Decoder::new(&library, layout, own, terms, opaque);
        let module = decoder.module(parts.module)?;
        let constraints = decoder.context_set(parts.universes)?;
        let eliminations = parts.qualities.map(|qualities| decoder.quality_set(qualities)).transpose()?;
        let trees = std::mem::take(&mut decoder.trees).graph()?;
        let (terms, _) = decoder.into_terms();
        Ok(Self {
            terms,
            trees,
            signature: asked_part(module, own)?,
            constraints,
            eliminations: eliminations.unwrap_or_default(),
        })
    }

    /// All terms, parts before the wholes.
    pub(super) fn terms(&self) -> impl Iterator<Item = (TermId, &Term)> {
        (0..).map(TermId).zip(&self.terms.terms)
    }

    /// How many terms there are.
    pub(super) fn count(&self) -> usize {
        self.terms.terms.len()
    }

    /// Whether a term binds a proof of a strict proposition, not counting its parts.
    pub(super) fn binds_irrelevant(&self, id: TermId) -> bool {
        self.terms.irrelevant.contains(&id)
    }

    /// All constants, inductive types and modules that have a name, by it. What is in functors and module types has none.
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
                // A module and something else may have one name; terms speak of the other only.
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
