//! Rocq projects: which folders of compiled modules the project of a source file binds, and to what names. Project files are
//! `_RocqProject` and `_CoqProject`, as `coq_makefile` reads them, and the `dune` files of a dune project.

mod coq_project;
mod dune;

use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_config::{Binding, LoadPath};
use andor_env::rocq::axioms::is_name;
use walkdir::WalkDir;

/// The names of project files, the one that counts first.
const FILES: [&str; 2] = ["_RocqProject", "_CoqProject"];

/// How many files are named in a note.
const NAMED: usize = 3;

/// A project, as far as it matters to proofs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    /// The file that says it; for dune the folder of the project.
    pub file: PathBuf,
    /// What it binds, with absolute folders that exist.
    pub load_path: Vec<LoadPath>,
    /// What its user should know: what is not applied, and what must be built.
    pub notes: Vec<String>,
}

/// Why a project cannot be applied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// A file of it, or the source, cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file of it is malformed.
    #[error("{}, line {line}: {what}; -Q and -R take the place of the project's own bindings", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// It is compiled under options that give statements another meaning.
    #[error(
        "{}: the project is compiled with `{option}`, under which statements and proofs mean something else; this version \
         judges without it. -Q and -R in place of the project's own bindings leave the project aside",
        path.display()
    )]
    OtherTheory {
        /// The project file.
        path: PathBuf,
        /// The option.
        option: String,
    },
}

/// A binding as a project states it, before it is known whether its folder exists.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stated {
    binding: Binding,
    /// The folder with the sources, absolute.
    sources: PathBuf,
    /// The folder with the compiled modules, absolute.
    compiled: PathBuf,
    name: String,
}

/// What a project file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Said {
    bindings: Vec<Stated>,
    /// Options of the compiler.
    options: Vec<String>,
}

/// The project that a source file or a folder of sources belongs to: the nearest one, going up from there.
///
/// # Errors
/// Its files cannot be read or are malformed, or it is compiled under options that andor cannot judge under.
pub fn of(source: &Path) -> Result<Option<Project>, ProjectError> {
    input::kind(source)?;
    let source = fs_err::canonicalize(source)?;
    let folder = if source.is_dir() { &source } else { source.parent().unwrap_or(&source) };
    for folder in folder.ancestors() {
        if let Some(file) = FILES.map(|name| folder.join(name)).into_iter().find(|file| file.exists()) {
            let said = coq_project::read(&input::text(&file)?, &file)?;
            return project(file, said, "make").map(Some);
        }
        if dune::is_project(folder) {
            let root = dune::root(folder);
            let said = dune::read(root, &source)?;
            return project(root.to_owned(), said, "dune build").map(Some);
        }
    }
    Ok(None)
}

/// What can be applied of what a project says.
fn project(file: PathBuf, said: Said, build: &str) -> Result<Project, ProjectError> {
    let mut notes = not_applied(&file, &said.options)?;
    let mut load_path: Vec<LoadPath> = Vec::new();
    let (mut missing, mut n_sources) = (Vec::new(), 0);
    for Stated { binding, sources, compiled, name } in said.bindings {
        // Where links and `..` lead.
        let compiled = compiled.canonicalize().unwrap_or(compiled);
        let shown = sources.display();
        if !name.is_empty() && !is_name(&name) {
            notes.push(format!("`{name}` is no logical path, so that {shown} is not bound to it"));
            continue;
        }
        for source in modules(&sources) {
            n_sources += 1;
            let below = source.strip_prefix(&sources).unwrap_or(&source);
            if !compiled.join(below).with_extension("vo").is_file() {
                missing.push(source);
            }
        }
        if !compiled.is_dir() {
            notes.push(format!("{} is not there, so that nothing is bound to `{name}`", compiled.display()));
        } else if compiled.to_str().is_none() {
            notes.push(format!("{shown} is not bound to `{name}`: its path is not UTF-8"));
        } else {
            load_path.push(LoadPath { binding, folder: compiled, name });
        }
    }
    if !missing.is_empty() {
        let named: Vec<String> = missing.iter().take(NAMED).map(|path| path.display().to_string()).collect();
        let more = if missing.len() > NAMED { ", …" } else { "" };
        notes.push(format!(
            "{} of the {n_sources} sources of the project are not compiled ({}{more}); what requires one of them opens only \
             after the project is built: `{build}`",
            missing.len(),
            named.join(", ")
        ));
    }
    Ok(Project { file, load_path, notes })
}

/// The sources below a folder, in the order of their paths; not those that a build has copied.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == dune::BUILT)
    });
    let files = walk.flatten().filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|e| e == "v")).collect()
}

/// Options under which the kernel or the prelude is another.
const OTHER_THEORY: [&str; 6] =
    ["-impredicative-set", "-type-in-type", "-indices-matter", "-noinit", "-nois", "-allow-rewrite-rules"];

/// Options that say how to compile and not what, with the number of words that follow each.
const WITHOUT_EFFECT: [(&str, usize); 12] = [
    ("-w", 1),
    ("-native-compiler", 1),
    ("-bytecode-compiler", 1),
    ("-async-proofs", 1),
    ("-color", 1),
    ("-diffs", 1),
    ("-q", 0),
    ("-quiet", 0),
    ("-bt", 0),
    ("-time", 0),
    ("-allow-sprop", 0),
    (":standard", 0),
];

/// A note on options of the compiler that are not applied; or the refusal of those that cannot be left out.
fn not_applied(file: &Path, options: &[String]) -> Result<Vec<String>, ProjectError> {
    let mut left_out = Vec::new();
    let mut words = options.iter();
    while let Some(option) = words.next() {
        if OTHER_THEORY.contains(&option.as_str()) {
            return Err(ProjectError::OtherTheory { path: file.to_owned(), option: option.clone() });
        }
        match WITHOUT_EFFECT.iter().find(|(known, _)| known == option) {
            Some(&(_, n_words)) => words.by_ref().take(n_words).for_each(drop),
            None => left_out.push(option.as_str()),
        }
    }
    Ok(match left_out.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "options of the project's compiler that are not applied: {}; files that need them may not open",
            left_out.join(" ")
        )],
    })
}

#[cfg(test)]
mod tests;
