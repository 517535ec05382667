//! Folders: Lean or Rocq projects, and folders of sources with one or several theorems per file.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use andor_core::theorem::System;
use andor_env::source;
use serde::de::IgnoredAny;
use walkdir::{DirEntry, WalkDir};

use super::choice::canonical;
use super::same::FileIdentity;
use super::{
    Dataset, DatasetError, Problem, RefusedRow, Stated, content, note_of_hidden, stated, unfinished,
};

/// A source file of a folder.
pub(super) struct Source {
    /// Its path, relative to the folder.
    pub(super) relative: PathBuf,
    /// What it states.
    pub(super) stated: Stated,
}

/// The sources of a folder.
pub(super) struct Sources {
    /// What kind of folder it is.
    pub(super) form: String,
    /// The files, sorted by path.
    pub(super) found: Vec<Source>,
    /// Why others cannot be read.
    unreadable: Vec<DatasetError>,
    /// Files that are no sources, where the folder is no project.
    passed_over: Vec<PathBuf>,
}

impl Sources {
    /// These, if all files can be read.
    pub(super) fn complete(mut self) -> Result<Self, DatasetError> {
        match self.unreadable.is_empty() {
            true => Ok(self),
            false => Err(self.unreadable.swap_remove(0)),
        }
    }
}

pub(super) fn read(path: &Path, wanted: Option<System>) -> Result<Dataset, DatasetError> {
    if path.join("corpus.jsonl").is_file() && path.join("random").is_dir() {
        return Err(benchmark(path)?);
    }
    let sources = sources(path, wanted)?;
    let mut problems = Vec::new();
    let mut files = Vec::with_capacity(sources.found.len());
    let unreadable = sources.unreadable.iter();
    let mut refused: Vec<RefusedRow> =
        unreadable.map(|error| RefusedRow { line: None, what: error.to_string() }).collect();
    let mut hidden = Vec::new();
    for (file, source) in sources.found.into_iter().enumerate() {
        hidden.extend(source.stated.hidden);
        let path = source.relative.display();
        let rows = source.stated.refused.iter();
        refused.extend(rows.map(|row| RefusedRow { line: None, what: format!("{path}, {row}") }));
        problems.extend(unfinished(source.stated.theorems).into_iter().map(|problem| (file, problem)));
        files.push(source.relative);
    }
    let mut problems = with_files(problems, &files);
    let root = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    for problem in &mut problems {
        let file = problem.fields["file"].as_str().unwrap_or_default();
        // Folders above the root are not part of the data set.
        let name = root.file_name().map(Path::new).unwrap_or(Path::new(""));
        if let Some(split) = split_of(&name.join(file)) {
            problem.fields.insert("split".to_owned(), split.into());
        }
    }
    let blueprints = ["blueprint.toml", "blueprint.json"].map(|name| path.join(name)).into_iter();
    let passed_over = blueprints.filter(|file| file.is_file()).map(|file| {
        format!(
            "{} is a blueprint, and not run with the theorems of its folder; name it alone to run it",
            file.display()
        )
    });
    let others: Vec<&PathBuf> = sources.passed_over.iter().filter(|file| !is_blueprint(file)).collect();
    let others = match &others[..] {
        [] => None,
        [only] => Some(format!("{} is passed over: it is no source file", only.display())),
        [first, ..] => Some(format!(
            "{} files, such as {}, are passed over: they are no source files",
            others.len(),
            first.display()
        )),
    };
    let notes = note_of_hidden(&hidden).into_iter().chain(passed_over).chain(others).collect();
    Ok(Dataset { form: sources.form, problems, notes, refused })
}

/// Whether a file is named as blueprints are.
fn is_blueprint(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == "blueprint")
}

/// Assigns the file to each problem. An id that occurs in several files is prefixed by the path of its file; the
/// original is kept in the field `name`.
pub(super) fn with_files(problems: Vec<(usize, Problem)>, files: &[PathBuf]) -> Vec<Problem> {
    let mut holders: HashMap<String, BTreeSet<usize>> = HashMap::new();
    for (file, problem) in &problems {
        holders.entry(problem.theorem.id.clone()).or_default().insert(*file);
    }
    let named = problems.into_iter().map(|(file, mut problem)| {
        let path = &files[file];
        if holders[&problem.theorem.id].len() > 1 {
            let stem =
                path.with_extension("").iter().map(|p| p.to_string_lossy()).collect::<Vec<_>>().join(".");
            let id = format!("{stem}.{}", problem.theorem.id);
            let original = std::mem::replace(&mut problem.theorem.id, id);
            problem.fields.insert("name".to_owned(), original.into());
        }
        problem.fields.insert("file".to_owned(), path.to_string_lossy().into());
        problem
    });
    named.collect()
}

/// The sources of a folder, for the wanted system or the one that its files suggest.
pub(super) fn sources(path: &Path, wanted: Option<System>) -> Result<Sources, DatasetError> {
    let files = files(path)?;
    let mut groups = groups(path, &files);
    let projects = groups.iter().filter(|group| group.project.is_some()).count();
    match wanted {
        Some(system) => groups.retain(|group| group.extension == system.language().extension),
        None if projects == 1 => groups.retain(|group| group.project.is_some()),
        None => groups.retain(|group| !group.files.is_empty()),
    }
    let mut chosen: Vec<PathBuf> = groups.iter().flat_map(|group| &group.files).cloned().collect();
    chosen.sort();
    let passed_over = match projects {
        0 => files.iter().filter(|file| !chosen.contains(file)).cloned().collect(),
        _ => Vec::new(),
    };
    if chosen.is_empty() {
        return Err(nothing(path, &files, wanted));
    }
    let (mut texts, mut unreadable) = (Vec::new(), Vec::new());
    for file in chosen {
        match content::text(&file) {
            Ok(text) => texts.push((file, text)),
            Err(error) => unreadable.push(error),
        }
    }
    // All files of a group are for one system.
    let reader = |group: &Group| {
        let own = source::of_extension(group.extension);
        let texts = || texts.iter().filter(|(file, _)| is_of(file, group.extension));
        let fit =
            |source: &&dyn source::Source| texts().map(|(file, text)| source.fit(Some(file), text)).max();
        let of_wanted = own.iter().copied().find(|source| Some(source.system()) == wanted);
        of_wanted.or_else(|| own.into_iter().max_by_key(fit)).expect("a system has the extension")
    };
    let readers: Vec<_> = groups.iter().map(|group| (group.extension, reader(group))).collect();
    let mut found = Vec::new();
    for (file, text) in &texts {
        let relative = file.strip_prefix(path).unwrap_or(file).to_owned();
        let (_, reader) = readers.iter().find(|(extension, _)| is_of(file, extension)).expect("it is chosen");
        match stated(file, text, *reader) {
            Ok(stated) => found.push(Source { relative, stated }),
            Err(error) => unreadable.push(error),
        }
    }
    let form = match &groups[..] {
        [Group { project: Some(project), .. }] => (*project).to_owned(),
        groups => {
            let called: Vec<&str> = groups.iter().map(|group| group.called).collect();
            format!("a folder of {} files", called.join(" and "))
        }
    };
    Ok(Sources { form, found, unreadable, passed_over })
}

/// The files of a folder with the extension of some systems.
struct Group {
    extension: &'static str,
    called: &'static str,
    /// What the folder is, if it is a project of such a system.
    project: Option<&'static str>,
    files: Vec<PathBuf>,
}

/// The files of a folder by the extensions of all systems.
fn groups(path: &Path, files: &[PathBuf]) -> Vec<Group> {
    let root = path.canonicalize().ok();
    let mut groups: Vec<Group> = Vec::new();
    for reader in source::all() {
        let extension = reader.system().language().extension;
        let is_project = root.is_some() && reader.project_folder(path) == root;
        let project = is_project.then_some(reader.called().project);
        match groups.iter_mut().find(|group| group.extension == extension) {
            Some(group) => group.project = group.project.or(project),
            None => {
                let own = files.iter().filter(|file| is_of(file, extension) && !reader.is_no_source(file));
                let (called, files) = (reader.called().files, own.cloned().collect());
                groups.push(Group { extension, called, project, files });
            }
        }
    }
    groups
}

fn is_of(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|own| own == extension)
}

/// All files below a folder, without duplicates, sorted by path; hidden and built files are skipped.
fn files(path: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let is_source = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == "_build" || name == "node_modules")
    };
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter().filter_entry(is_source)
    {
        let entry = match entry {
            Ok(entry) => entry,
            // A link to a parent folder leads to nothing new.
            Err(error) if error.loop_ancestor().is_some() => continue,
            Err(error) => {
                let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                let what = format!("cannot be read: {why}; remove it, or name a file instead of the folder");
                return Err(DatasetError::malformed(error.path().unwrap_or(path), None, what));
            }
        };
        if entry.file_type().is_file() && seen.insert(FileIdentity::of(entry.path())?) {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// The split named by the closest parent folder.
fn split_of(file: &Path) -> Option<String> {
    let folders = file.parent()?.iter().rev().map(|name| canonical(&name.to_string_lossy()));
    folders.into_iter().find(|name| matches!(name.as_str(), "train" | "valid" | "test"))
}

fn nothing(path: &Path, files: &[PathBuf], wanted: Option<System>) -> DatasetError {
    let is_rows = |f: &&PathBuf| f.extension().is_some_and(|e| e == "jsonl" || e == "json");
    let advice = match files.iter().find(is_rows) {
        Some(rows) => {
            format!("; it contains JSON rows: give such a file itself, for example {}", rows.display())
        }
        None => String::new(),
    };
    let of = wanted.map_or_else(System::all, |wanted| vec![wanted]).into_iter();
    let mut extensions: Vec<&str> =
        of.map(|system| system.language()).filter(|l| l.is_written()).map(|l| l.extension).collect();
    extensions.dedup();
    let sources: Vec<String> = extensions.iter().map(|extension| format!("`.{extension}`")).collect();
    let sources = sources.join(" or ");
    DatasetError::malformed(path, None, format!("a folder without {sources} files{advice}"))
}

/// A LeanDojo benchmark lists where theorems are, but not their statements.
fn benchmark(path: &Path) -> Result<DatasetError, DatasetError> {
    let mut count = 0;
    for split in ["train", "val", "test"] {
        let file = path.join("random").join(split).with_extension("json");
        if file.is_file() {
            let rows: Vec<IgnoredAny> = serde_json::from_str(&content::text(&file)?).map_err(|e| {
                DatasetError::malformed(&file, Some(e.line()), format!("not a JSON array: {e}"))
            })?;
            count += rows.len();
        }
    }
    let advice = "names and locations of theorems in a Lean 4 project, without statements; give one of its files, such as \
                  random/test.json, and the project, checked out at the commit in metadata.json, with --project DIR";
    Ok(DatasetError::NoProblems {
        path: path.to_owned(),
        what: "theorems of a LeanDojo benchmark",
        count,
        advice,
    })
}
