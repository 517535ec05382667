//! Projects: which folders of compiled modules the project of a source file binds, and to which logical paths. Supported are `_RocqProject` and `_CoqProject` as read by `coq_makefile`, and the `dune` files of dune projects.

mod coq_project;
mod dune;
mod options;

use std::path::{Path, PathBuf};

use andor_core::load_path::{Binding, LoadPath};
use andor_env::source::{Project, ReadFile};
use options::Meaning;
use walkdir::WalkDir;

use crate::axioms::is_name;

/// The names of project files, in order of precedence.
const FILES: [&str; 2] = ["_RocqProject", "_CoqProject"];

/// Maximum number of files named in a note.
const NAMED: usize = 3;

/// Why a project cannot be applied.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProjectError {
    /// The source or a project file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A project file is malformed.
    #[error("{}, line {line}: {what}; -Q and -R replace the project's own bindings", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The project uses options that change the meaning of statements.
    #[error(
        "{}: the project is compiled with `{option}`, which changes what statements and proofs mean; this version \
         does not use it. To ignore the project's options, give -Q and -R yourself",
        path.display()
    )]
    OtherTheory {
        /// The project file.
        path: PathBuf,
        /// The option.
        option: String,
    },
    /// The project uses an option that is unknown, or not applied to untrusted files.
    #[error(
        "{}: the project is compiled with `{option}`, {why}; to ignore the project's options, give -Q and -R \
         yourself",
        path.display()
    )]
    Option {
        /// The project file.
        path: PathBuf,
        /// The option, with its arguments.
        option: String,
        /// The reason.
        why: String,
    },
}

/// A binding as stated by a project, whether or not its folder exists.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stated {
    binding: Binding,
    /// The folder of the sources, absolute.
    sources: PathBuf,
    /// The folder of the compiled modules, absolute.
    compiled: PathBuf,
    name: String,
}

/// The contents of a project file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Said {
    bindings: Vec<Stated>,
    /// Compiler options.
    options: Vec<String>,
}

impl Said {
    /// Whether any of its modules is compiled.
    fn is_compiled(&self) -> bool {
        let compiled = |source: &Path, bound: &Stated| {
            let below = source.strip_prefix(&bound.sources).unwrap_or(source);
            bound.compiled.join(below).with_extension("vo").is_file()
        };
        self.bindings.iter().any(|bound| modules(&bound.sources).iter().any(|source| compiled(source, bound)))
    }
}

/// The project of a source file or folder: the closest one, searching upwards.
///
/// # Errors
///
/// Its files cannot be read or are malformed, or it uses compiler options that andor does not support.
pub(crate) fn of(source: &Path, read: ReadFile<'_>) -> Result<Option<Project>, ProjectError> {
    let source = fs_err::canonicalize(source)?;
    let folder = if source.is_dir() { &source } else { source.parent().unwrap_or(&source) };
    for folder in folder.ancestors() {
        let file = FILES.map(|name| folder.join(name)).into_iter().find(|file| file.exists());
        if let Some(file) = file {
            let said = coq_project::read(&read(&file)?, &file)?;
            // Many projects can be built with either tool.
            if said.is_compiled() || !dune::is_built(folder) {
                return project(file, said, "make", &source).map(Some);
            }
        }
        if dune::is_project(folder) {
            let root = dune::root(folder);
            let said = dune::read(root, &source, read)?;
            return project(root.to_owned(), said, "dune build", &source).map(Some);
        }
    }
    Ok(None)
}

/// The folder of the project of a source file or folder: the closest one, searching upwards.
pub(crate) fn folder(source: &Path) -> Option<PathBuf> {
    let source = source.canonicalize().ok()?;
    let holds = |folder: &&Path| FILES.iter().any(|name| folder.join(name).exists());
    source.ancestors().find(|folder| holds(folder) || dune::is_project(folder)).map(Path::to_owned)
}

/// The applicable part of a project file, for a source that is asked about.
fn project(file: PathBuf, said: Said, build: &str, asked: &Path) -> Result<Project, ProjectError> {
    let Meaning { prelude, left_out } = options::meaning(&file, &said.options)?;
    let mut notes = Vec::new();
    if !left_out.is_empty() {
        notes.push(format!(
            "these options of the project are not applied: {}; files that need them may not open",
            left_out.join(" ")
        ));
    }
    let mut load_path: Vec<LoadPath> = Vec::new();
    let (mut missing, mut stale, mut n_sources) = (Vec::new(), Vec::new(), 0);
    for Stated { binding, sources, compiled, name } in said.bindings {
        // Resolves links and `..`.
        let compiled = compiled.canonicalize().unwrap_or(compiled);
        let shown = sources.display();
        if !name.is_empty() && !is_name(&name) {
            notes.push(format!("{shown} is not bound to `{name}`, which is not a valid logical path"));
            continue;
        }
        for source in modules(&sources) {
            n_sources += 1;
            let below = source.strip_prefix(&sources).unwrap_or(&source);
            let module = compiled.join(below).with_extension("vo");
            if !module.is_file() {
                missing.push(source);
            } else if source != asked && is_newer(&source, &module) {
                stale.push(source);
            }
        }
        if !compiled.is_dir() {
            notes.push(format!("{} does not exist, so nothing is bound to `{name}`", compiled.display()));
        } else if compiled.to_str().is_none() {
            notes.push(format!("{shown} is not bound to `{name}`: its path is not UTF-8"));
        } else {
            load_path.push(LoadPath { binding, folder: compiled, name });
        }
    }
    let of_all = |some: &[PathBuf]| format!("{} of the {n_sources} sources of the project are", some.len());
    if !missing.is_empty() {
        notes.push(format!(
            "{} not compiled ({}); to open files that require them, build the project first: `{build}`",
            of_all(&missing),
            named(&missing)
        ));
    }
    if !stale.is_empty() {
        notes.push(format!(
            "{} newer than their compiled modules ({}); what requires them is proved about the modules, not about the \
             sources: build the project first: `{build}`",
            of_all(&stale),
            named(&stale)
        ));
    }
    let notes = told(&file, &load_path, &prelude, &notes);
    Ok(Project { folder: None, load_path, prelude, notes })
}

/// What is told about a project: what it binds and adds, and notes about its file.
fn told(file: &Path, load_path: &[LoadPath], prelude: &str, notes: &[String]) -> Vec<String> {
    let file = file.display();
    let bound = load_path.iter().map(|LoadPath { binding, folder, name }| {
        let name = if name.is_empty() { "\"\"" } else { name };
        format!(" {} {} {name}", binding.option(), folder.display())
    });
    let bound: String = bound.collect();
    let using = (!bound.is_empty()).then(|| format!("using the project file {file}:{bound}"));
    let options = format!("the options of {file} add to each file: {}", prelude.trim_end());
    let options = (!prelude.is_empty()).then_some(options);
    let notes = notes.iter().map(|note| format!("{file}: {note}"));
    using.into_iter().chain(options).chain(notes).collect()
}

/// Whether a source was changed after its module was compiled.
fn is_newer(source: &Path, module: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    changed(source).zip(changed(module)).is_some_and(|(source, module)| source > module)
}

/// The first of some paths, for a message.
fn named(paths: &[PathBuf]) -> String {
    let some: Vec<String> = paths.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    format!("{}{}", some.join(", "), if paths.len() > NAMED { ", …" } else { "" })
}

/// The sources below a folder, sorted by path, without copies made by a build.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == dune::BUILT)
    });
    let files = walk.flatten().filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.extension().is_some_and(|e| e == "v")).collect()
}

#[cfg(test)]
mod tests;
