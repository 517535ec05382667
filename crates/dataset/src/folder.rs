//! Folders: Lean or Rocq projects, and folders of sources with one or several theorems per file.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use andor_core::theorem::System;
use serde::de::IgnoredAny;
use walkdir::{DirEntry, WalkDir};

use super::choice::canonical;
use super::same::FileIdentity;
use super::{Dataset, DatasetError, Problem, RefusedRow, Stated, content, lean_source, project, rocq_source};

/// A source file of a folder.
pub(super) struct Source {
    /// Its path, relative to the folder.
    pub(super) relative: PathBuf,
    /// Its theorems.
    pub(super) stated: Vec<Stated>,
    /// Names of unfinished theorems whose proofs cannot be verified.
    pub(super) hidden: Vec<String>,
    /// Unfinished declarations that cannot be proved.
    refused: Vec<RefusedRow>,
}

/// The sources of a folder.
pub(super) struct Sources {
    /// What kind of folder it is.
    pub(super) form: &'static str,
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
        hidden.extend(source.hidden);
        let path = source.relative.display();
        refused.extend(
            source.refused.iter().map(|row| RefusedRow { line: None, what: format!("{path}, {row}") }),
        );
        problems.extend(source.stated.into_iter().filter(|s| !s.finished).map(|s| (file, s.problem)));
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
    let notes = rocq_source::note_of_hidden(&hidden).into_iter().chain(passed_over).chain(others).collect();
    Ok(Dataset { form: sources.form.to_owned(), problems, notes, refused })
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
    let holds = |names: &[&str]| names.iter().any(|name| path.join(name).is_file());
    let is_lake = holds(project::LAKE);
    let is_rocq = holds(&["_CoqProject", "_RocqProject", "dune-project"]);
    let files = files(path)?;
    let of = |extension: &str| {
        let has =
            |f: &&PathBuf| f.extension().is_some_and(|e| e == extension) && !f.ends_with("lakefile.lean");
        files.iter().filter(has).cloned().collect::<Vec<_>>()
    };
    let (rocq, lean) = (of("v"), of("lean"));
    let (has_rocq, has_lean) = match wanted {
        Some(system) => (system == ROCQ, system != ROCQ),
        None if is_lake != is_rocq => (is_rocq, is_lake),
        None => (!rocq.is_empty(), !lean.is_empty()),
    };
    let mut chosen: Vec<PathBuf> = [(has_rocq, rocq), (has_lean, lean)]
        .into_iter()
        .flat_map(|(is_chosen, files)| if is_chosen { files } else { Vec::new() })
        .collect();
    chosen.sort();
    let passed_over = match is_lake || is_rocq {
        true => Vec::new(),
        false => files.iter().filter(|file| !chosen.contains(file)).cloned().collect(),
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
    let is_of_rocq = |file: &Path| file.extension().is_some_and(|extension| extension == "v");
    let is_for_lean4 =
        |(file, text): &(PathBuf, String)| !is_of_rocq(file) && lean_source::system(file, text) == LEAN4;
    let is_of_lean4 = is_lake || texts.iter().any(is_for_lean4);
    let system = wanted.unwrap_or(if is_of_lean4 { LEAN4 } else { MINI });
    let read = |(file, text): (PathBuf, String)| {
        let relative = file.strip_prefix(path).unwrap_or(&file).to_owned();
        Ok(if is_of_rocq(&file) {
            let rocq_source::Found { stated, hidden, refused } = rocq_source::read(&file, &text)?;
            Source { relative, stated, hidden, refused }
        } else {
            let lean_source::Found { stated, refused } = lean_source::read(&file, &text, Some(system))?;
            Source { relative, stated, hidden: Vec::new(), refused }
        })
    };
    let mut found = Vec::new();
    for text in texts {
        match read(text) {
            Ok(source) => found.push(source),
            Err(error) => unreadable.push(error),
        }
    }
    let form = match (has_rocq, has_lean) {
        (true, true) => "a folder of Rocq and Lean files",
        (true, false) if is_rocq => "a Rocq project",
        (true, false) => "a folder of Rocq files",
        (false, _) if is_lake => "a Lake project",
        (false, _) => "a folder of Lean files",
    };
    Ok(Sources { form, found, unreadable, passed_over })
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
    let sources = match wanted {
        None => "`.v` or `.lean`",
        Some(wanted) if wanted == ROCQ => "`.v`",
        Some(_) => "`.lean`",
    };
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
