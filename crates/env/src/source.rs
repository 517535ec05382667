//! Sources: what a system's users write, read without the system itself. Files with theorems, statements, rows of data sets, proofs
//! that come alone, projects.
//!
//! A system's crate enters its reader into [`SOURCES`]; every other room asks for that [`of`] a system, [`of_extension`], or [`of_statement`].

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use andor_core::load_path::LoadPath;
use andor_core::theorem::{System, Theorem};
use linkme::distributed_slice;

use crate::in_place::{Edit, Span, WrittenProof};
use crate::outline::{Outline, Place};
use crate::screen::Unclosed;

/// The readers of the systems that are linked into a program.
#[distributed_slice]
pub static SOURCES: [&'static dyn Source];

/// The reader of a system, if its texts are read.
pub fn of(system: System) -> Option<&'static dyn Source> {
    SOURCES.iter().copied().find(|source| source.system() == system)
}

/// All readers, in the order of their systems.
pub fn all() -> Vec<&'static dyn Source> {
    System::all().into_iter().filter_map(of).collect()
}

/// The readers of files with an extension, without its period, in the order of their systems.
pub fn of_extension(extension: &str) -> Vec<&'static dyn Source> {
    let is_of = |source: &&dyn Source| source.system().language().extension == extension;
    all().into_iter().filter(is_of).collect()
}

/// The one of some readers that a file fits best.
pub fn fitting(
    readers: impl IntoIterator<Item = &'static dyn Source>,
    path: Option<&Path>,
    text: &str,
) -> Option<&'static dyn Source> {
    readers.into_iter().max_by_key(|source| source.fit(path, text))
}

/// The system of a statement, judged by its first word and its symbols.
pub fn of_statement(statement: &str) -> Option<&'static dyn Source> {
    all().into_iter().max_by_key(|source| (source.likeness(statement), source.fit(None, statement)))
}

/// Names of axioms, with the sets among them expanded, sorted.
pub fn expanded_axioms(names: &[String]) -> Vec<String> {
    let sets: Vec<_> = all().into_iter().flat_map(|source| source.axiom_sets()).collect();
    let axioms = names.iter().flat_map(|name| match sets.iter().find(|(set, _)| set == name) {
        Some((_, axioms)) => axioms.iter().map(|axiom| (*axiom).to_owned()).collect(),
        None => vec![name.clone()],
    });
    let mut axioms: Vec<String> = axioms.collect();
    axioms.sort();
    axioms.dedup();
    axioms
}

/// Reads the texts of a system. Nothing is run.
pub trait Source: Send + Sync {
    /// The system.
    fn system(&self) -> System;

    /// How its files and projects are called, for people.
    fn called(&self) -> Called;

    /// How well a file fits the system, among those with files of the same extension.
    fn fit(&self, _path: Option<&Path>, _text: &str) -> Fit {
        Fit::Certain
    }

    /// Whether a file has the extension of the system's files and is none to read: one that describes a project. By default not.
    fn is_no_source(&self, _path: &Path) -> bool {
        false
    }

    /// How much a text is like a statement of the system.
    fn likeness(&self, statement: &str) -> Likeness;

    /// What to tell a user who has not said which system a statement, or else a file, is of. By default nothing.
    fn guessed(&self, _is_statement: bool) -> Option<&'static str> {
        None
    }

    /// The theorems of a file.
    ///
    /// # Errors
    ///
    /// The text cannot be read.
    fn read(&self, text: &str) -> Result<SourceFile, Malformed>;

    /// The names of the theorems that a file states and that can be referred to at its end. By default those that [`Self::read`]
    /// finds.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    fn names(&self, text: &str) -> Result<Vec<String>, Malformed> {
        Ok(self.read(text)?.theorems.into_iter().map(|stated| stated.theorem.name).collect())
    }

    /// Whether a text may declare a name in a way that [`Self::names`] does not see. By default not.
    fn may_declare(&self, _text: &str, _name: &str) -> bool {
        false
    }

    /// The modules that a text imports.
    fn imports(&self, text: &str) -> Vec<String>;

    /// Whether a theorem's text above it imports nothing although its system comes with little. By default not.
    fn lacks_imports(&self, _header: &str) -> bool {
        false
    }

    /// The number of values in a theorem's header that are left open, which no proof can fill. By default none.
    fn open_values(&self, _header: &str) -> usize {
        0
    }

    /// A theorem given by its statement: a sentence, or a bare proposition, behind imports.
    ///
    /// # Errors
    ///
    /// Why it is none.
    fn statement(&self, statement: &str, imports: &[String]) -> Result<Theorem, String>;

    /// Whether a text states a theorem, or something like it.
    fn states(&self, text: &str) -> bool;

    /// Whether a text is a file from its beginning on, because it begins with what must stand there. By default it cannot be
    /// told.
    fn is_whole_file(&self, _text: &str) -> bool {
        false
    }

    /// The theorem of a row of a data set.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn row(&self, row: Row) -> Result<Theorem, String>;

    /// The forms of rows that hold theorems of the system. By default none of its own.
    fn forms(&self) -> &'static [Form] {
        &[]
    }

    /// Sets of axioms that a user may allow by one name.
    fn axiom_sets(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Why the system has no axiom of this name, nor do some whole files, so that to allow it would allow nothing. `None` if there is
    /// one, or if the checker finds out, as by default.
    fn lacks_axiom(&self, _name: &str, _files: &[String]) -> Option<String> {
        None
    }

    /// Whether a name such as `rocq#20455` is that of a known bug of the system. By default none is known.
    fn knows_bug(&self, _name: &str) -> bool {
        false
    }

    /// The kernels of the system that are programs of their own and can be asked, too.
    fn kernels(&self) -> Vec<ExternalKernel> {
        Vec::new()
    }

    /// A finished file with a theorem, as a file for the kernel of another system. `None` if no other kernel reads any, as by default.
    fn for_other_kernel(&self, _file: &str, _theorem: &str) -> Option<Result<String, String>> {
        None
    }

    /// A theorem of another system in this one. `None` if it reads none of that system.
    fn adopted(&self, _theorem: &Theorem) -> Option<Theorem> {
        None
    }

    /// A name as the text above a theorem qualifies it.
    fn qualified(&self, _header: &str, name: &str) -> String {
        name.to_owned()
    }

    /// Reads a proof script, as far as it can be read ([`crate::environment::Environment::outline`]).
    fn outline(&self, script: &str) -> Outline;

    /// Whether a text is a proof alone: it declares nothing.
    fn is_proof_alone(&self, text: &str) -> bool;

    /// A file that states a theorem, with a proof that comes alone in its place: what stands before the proof, the proof, and what
    /// stands behind it. `None` if the file does not state the theorem.
    fn with_proof(&self, file: &str, theorem: &str, proof: &str) -> Option<[String; 3]>;

    /// Where the proof of a theorem is in a file.
    fn proof_of(&self, file: &str, theorem: &str) -> Option<Range<usize>>;

    /// The first theorem of a file whose proof is begun and not ended, so that what follows belongs to it. By default none.
    fn unended(&self, _text: &str) -> Option<(String, Place)> {
        None
    }

    /// The edits of a file that fill the holes of an unfinished proof and leave the rest of it as it is. `None` if there is no
    /// such way.
    fn filled(&self, file: &str, at: &Span, proof: &WrittenProof) -> Option<Vec<Edit>>;

    /// The edits of a file that put a proof in the place of an unfinished one.
    fn whole(&self, file: &str, at: &Span, proof: &WrittenProof) -> Vec<Edit>;

    /// Lines of imports behind those that a file begins with. `None` if a proof needs none in files of the system, as by default.
    fn imports_at_top(&self, _file: &str, _lines: &[String]) -> Option<Edit> {
        None
    }

    /// Lines of imports behind the statement of a theorem. `None` if there cannot be any, as by default.
    fn imports_in_proof(&self, _at: &Span, _lines: &[String]) -> Option<Edit> {
        None
    }

    /// The folder of the project of a file or folder. By default none.
    fn project_folder(&self, _source: &Path) -> Option<PathBuf> {
        None
    }

    /// The option that a project sets. By default there are no projects.
    fn project_option(&self) -> Option<ProjectOption> {
        None
    }

    /// The project of a file or folder, whose files are read by `read`. By default none.
    ///
    /// # Errors
    ///
    /// It cannot be read, or asks for what andor does not support.
    fn project(&self, _source: &Path, _read: ReadFile<'_>) -> Result<Option<Project>, ProjectError> {
        Ok(None)
    }
}

/// A kernel that is a program of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalKernel {
    /// Its name.
    pub name: &'static str,
    /// Its program.
    pub program: &'static str,
    /// The arguments that stand before the file that it reads.
    pub args: &'static [&'static str],
}

/// How files and projects are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// The language of its files: `Lean`.
    pub files: &'static str,
    /// A project: `a Lake project`.
    pub project: &'static str,
}

/// How well a file fits a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It may be read.
    Possible,
    /// It is for this system unless something says otherwise.
    Usual,
    /// It is for this system.
    Certain,
}

/// How much a text is like a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// Nothing in it says so.
    None,
    /// Nothing in it says that it is one of another system.
    Plain,
    /// Its symbols do.
    Symbols,
    /// It states a theorem.
    Stated,
}

/// A text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Where.
    pub at: Place,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

impl Malformed {
    /// What is not closed in a text.
    pub fn unclosed(text: &str, Unclosed { what, at }: Unclosed) -> Self {
        Self { at: Place::of(text, at), what: format!("the {what} that begins here is not closed") }
    }
}

/// What a file states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// The theorems whose proofs can be checked, in order.
    pub theorems: Vec<SourceTheorem>,
    /// Unfinished theorems that have no name at the end of the file, so that their proofs cannot be checked.
    pub hidden: Vec<Hidden>,
    /// What else is unfinished: its byte offset, and why it cannot be proved.
    pub refused: Vec<(usize, String)>,
}

/// A theorem of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTheorem {
    /// The theorem.
    pub theorem: Theorem,
    /// Where it is.
    pub at: Span,
    /// Whether it has a proof without holes.
    pub is_finished: bool,
    /// The bytes of its unfinished proof, if there is a step in it.
    pub draft: Option<Range<usize>>,
}

/// A theorem whose proof cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its name.
    pub name: String,
    /// Where it is, and why that hides it.
    pub why: &'static str,
}

/// The texts of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What stands above the statement.
    pub header: String,
    /// The statement, perhaps with more around it.
    pub statement: String,
    /// What follows the proof.
    pub footer: String,
    /// The name by which the row knows the theorem.
    pub theorem_name: Option<String>,
}

impl Row {
    /// The theorem that the texts state as they are, with this name unless the row gives one.
    pub fn theorem(self, system: System, name: String) -> Theorem {
        Theorem {
            id: String::new(),
            name: self.theorem_name.unwrap_or(name),
            system,
            header: self.header,
            statement: self.statement,
            footer: self.footer,
            extra_imports: Vec::new(),
        }
    }

    /// Moves the text before these bytes of the statement to the header, and drops what is behind them.
    pub fn cut(&mut self, range: Range<usize>) {
        if range.start > 0 {
            let before = self.statement[..range.start].to_owned();
            self.header = joined(&[std::mem::take(&mut self.header), before]);
        }
        self.statement = self.statement[range].trim_end().to_owned();
    }
}

/// Concatenates texts, each on lines of its own.
pub fn joined(texts: &[String]) -> String {
    let mut whole = String::new();
    for text in texts.iter().filter(|text| !text.is_empty()) {
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        whole += text;
    }
    whole
}

/// A form of rows, known by their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// The keys that identify it.
    pub keys: &'static [&'static str],
    /// What its rows hold.
    pub holds: Holds,
}

/// What a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A theorem: the keys whose texts, concatenated, form the file. The last one holds the statement.
    Theorem(&'static [&'static str]),
    /// The place of a theorem in a project.
    Location,
    /// Something else, and advice on what to do with it.
    Other(&'static str),
}

/// Reads a file of a project as text.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// The option that a project sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectOption {
    /// The project's folder.
    Folder,
    /// Folders of compiled modules.
    LoadPath,
}

/// A project, as far as it is relevant to proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its folder, if its system is given that.
    pub folder: Option<PathBuf>,
    /// Its folders of compiled modules, with absolute paths of existing folders.
    pub load_path: Vec<LoadPath>,
    /// Text that precedes each of its files, equivalent to the compiler options of the project: sentences on one line, each
    /// followed by a blank. Empty for most projects.
    pub prelude: String,
    /// Notes for the user: which project it is, what is not applied, and what must be built.
    pub notes: Vec<String>,
}

/// Why a project cannot be applied.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ProjectError(Box<dyn std::error::Error + Send + Sync>);

impl ProjectError {
    /// For a reason of the system's own.
    pub fn of(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Box::new(error))
    }
}
