//! Data sets: reads theorems from users' files. `docs/formats/datasets.md` describes the accepted formats.

mod choice;
mod content;
mod drafts;
mod folder;
mod form;
mod located;
mod locations;
mod names;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet;
pub mod project;
mod row_theorem;
mod rows;
mod same;
mod statement;

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_core::theorem::{System, Theorem};
use andor_env::in_place::Span;
use andor_env::outline::Place;
use andor_env::source::{self, Hidden, Source, SourceFile};
use serde_json::{Map, Value};

pub use choice::{Choice, Filter, Split, UnknownSplit};
pub use drafts::{GivenError, given};
pub use locations::join as join_locations;
pub use same::FileIdentity;
pub use statement::{from_statement, system_of};

/// A theorem to prove, with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The theorem.
    pub theorem: Theorem,
    /// Other data about it: `split`, `informal` (its English statement), `name` (its original id, if that had to be
    /// changed), `file` in a folder, `partial_proof` (see [`Problem::partial_proof`]), and all other keys of its row.
    pub fields: Map<String, Value>,
    /// Where it stands, if a source file states it.
    pub place: Option<SourcePlace>,
}

/// Where a theorem stands in its source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: PathBuf,
    /// Its lines with its proof, from 1.
    pub lines: RangeInclusive<usize>,
    /// Its bytes, in the text without a byte order mark and with `\n` line ends.
    pub at: Span,
}

impl Problem {
    /// Its split: `valid`, `test`, `train` or another word, if any.
    pub fn split(&self) -> Option<&str> {
        self.fields.get("split").and_then(Value::as_str)
    }
}

/// A data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dataset {
    /// A description of its format: `Goedel-Prover-V2 rows`, `a Rocq project`.
    pub form: String,
    /// Its problems, in order, with unique ids.
    pub problems: Vec<Problem>,
    /// Notes for the user about how it was read.
    pub notes: Vec<String>,
    /// Rows without a usable problem, in order.
    pub refused: Vec<RefusedRow>,
}

impl Dataset {
    /// Adds the problems of another one. Ids stay unique, and a theorem that both have from the same file is there once.
    pub fn join(&mut self, other: Self) {
        self.problems.extend(other.problems);
        same::once(&mut self.problems);
        make_ids_unique(&mut self.problems);
        self.notes.extend(other.notes);
        self.refused.extend(other.refused);
    }
}

/// A row that does not state a usable theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// The line, from 1, if rows are on lines of their own.
    pub line: Option<usize>,
    /// The problem, and what to do about it.
    pub what: String,
}

impl fmt::Display for RefusedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Why a data set cannot be read or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The content is malformed.
    #[error("{}{}: {what}", path.display(), place(*line, *column))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: Option<usize>,
        /// The column in characters, from 1, where it is known.
        column: Option<usize>,
        /// The problem, and what to do about it.
        what: String,
    },
    /// The file is well-formed, but contains no theorems to prove.
    #[error("{}: {what} ({count}): {advice}", path.display())]
    NoProblems {
        /// The file.
        path: PathBuf,
        /// What it contains.
        what: &'static str,
        /// How many.
        count: usize,
        /// What to do.
        advice: &'static str,
    },
    /// No theorem is left to be proved.
    #[error("nothing to prove: every proof in the file is finished")]
    Finished,
    /// A statement given on its own is malformed.
    #[error("{0}")]
    Statement(String),
    /// No theorem belongs to the split.
    #[error("--split: no theorem is in `{split}`; {there}")]
    NoSuchSplit {
        /// The split.
        split: Split,
        /// The splits that exist.
        there: String,
    },
    /// Standard input, which has no extension that tells the system.
    #[error("-: standard input does not tell its system; name it by --system rocq, lean4 or mini")]
    NamelessInput,
    /// No theorem has the field.
    #[error("--filter: no theorem has the field `{name}`; available: {there}")]
    NoSuchField {
        /// The field.
        name: String,
        /// The fields that exist.
        there: String,
    },
    /// No theorem has the name.
    #[error("--theorem: no theorem `{name}` to prove; available: {there}")]
    NoSuchTheorem {
        /// The name.
        name: String,
        /// The names that exist.
        there: String,
    },
    /// No unfinished theorem stands at the line.
    #[error("no unfinished theorem stands at line {line}; there is one at: {there}")]
    NoSuchLine {
        /// The line.
        line: usize,
        /// The lines of theorems.
        there: String,
    },
    /// No theorem satisfies all conditions.
    #[error("none of the {all} theorems passes --filter and --limit")]
    NoneChosen {
        /// Number of theorems.
        all: usize,
    },
}

impl DatasetError {
    fn malformed(path: &Path, line: Option<usize>, what: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), line, column: None, what: what.into() }
    }

    fn malformed_at(path: &Path, Place { line, column }: Place, what: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), line: Some(line), column: Some(column), what: what.into() }
    }
}

/// `:line:column`, as far as it is known.
fn place(line: Option<usize>, column: Option<usize>) -> String {
    [line, column].into_iter().flatten().map(|number| format!(":{number}")).collect()
}

/// Reads a data set: a source file with unfinished proofs, rows, a list of names, or a folder of sources. `wanted`
/// decides ambiguous cases, and lets `mini` try statements of Lean 4. `project` is the folder of the Lean project with
/// the theorems of rows that only say where a theorem is.
///
/// # Errors
///
/// The data cannot be read, or contain no theorem.
pub fn read(path: &Path, wanted: Option<System>, project: Option<&Path>) -> Result<Dataset, DatasetError> {
    let mut dataset = if !input::is_standard_input(path) && input::kind(path)?.is_dir() {
        folder::read(path, wanted)?
    } else {
        read_file(path, wanted, project)?
    };
    if let (true, Some(first)) = (dataset.problems.is_empty(), dataset.refused.first()) {
        return Err(DatasetError::malformed(path, first.line, first.what.clone()));
    }
    same::once(&mut dataset.problems);
    make_ids_unique(&mut dataset.problems);
    let with_holes = dataset.problems.iter().filter(|p| p.fields.contains_key("answer_holes")).count();
    if with_holes > 0 {
        dataset.notes.push(format!(
            "in {with_holes} theorems an answer is left open by `sorry`; no proof of them is complete before it is put in"
        ));
    }
    Ok(dataset)
}

fn read_file(path: &Path, wanted: Option<System>, project: Option<&Path>) -> Result<Dataset, DatasetError> {
    let kind = match (input::is_standard_input(path), wanted) {
        (false, _) => kind(path),
        (true, Some(system)) if system.language().is_written() => {
            Some(system.language().extension.to_owned())
        }
        (true, _) => return Err(DatasetError::NamelessInput),
    };
    let kind = kind.unwrap_or_default();
    match &kind[..] {
        "txt" => names::read(path, &content::text(path)?, wanted),
        extension if !source::of_extension(extension).is_empty() => {
            let text = content::text(path)?;
            let own = source::of_extension(extension).into_iter();
            let wanted = own.clone().find(|source| Some(source.system()) == wanted);
            let reader = wanted.or_else(|| source::fitting(own, Some(path), &text));
            let reader = reader.expect("a system has the extension");
            let Stated { theorems, hidden, refused } = stated(path, &text, reader)?;
            let notes = note_of_hidden(&hidden).into_iter().collect();
            let form = format!("a {} file", reader.called().files);
            Ok(Dataset { form, problems: unfinished(theorems), notes, refused })
        }
        _ => rows::read(path, content::read(path)?, wanted, project),
    }
}

/// The unfinished theorems of a source file with this text, in order.
///
/// # Errors
///
/// The text cannot be read.
pub fn of_source(path: &Path, text: &str, system: System) -> Result<Vec<Problem>, DatasetError> {
    let reader = source::of(system).ok_or_else(|| {
        DatasetError::malformed(path, None, format!("the system `{system}` is not written in files"))
    })?;
    Ok(unfinished(stated(path, text, reader)?.theorems))
}

/// The extension that determines the format, without that of the compression.
fn kind(path: &Path) -> Option<String> {
    let extension = |path: &Path| path.extension()?.to_str().map(str::to_lowercase);
    match extension(path)?.as_str() {
        "gz" | "zst" => extension(Path::new(path.file_stem()?)),
        other => Some(other.to_owned()),
    }
}

/// What a source file states.
struct Stated {
    theorems: Vec<StatedTheorem>,
    hidden: Vec<Hidden>,
    refused: Vec<RefusedRow>,
}

/// A theorem of a source file.
struct StatedTheorem {
    problem: Problem,
    /// Whether it already has a proof.
    finished: bool,
    /// Its first line, from 1.
    line: usize,
}

/// Reads the text of a source file.
fn stated(path: &Path, text: &str, reader: &dyn Source) -> Result<Stated, DatasetError> {
    let SourceFile { theorems, hidden, refused } = reader
        .read(text)
        .map_err(|malformed| DatasetError::malformed_at(path, malformed.at, malformed.what))?;
    let theorems = theorems.into_iter().map(|stated| {
        let (line, last) = (line_of(text, stated.at.statement.start), line_of(text, stated.at.proof.end));
        let mut fields = Map::new();
        note_open_values(&stated.theorem, &mut fields);
        fields.extend(stated.draft.map(|draft| (drafts::FIELD.to_owned(), drafts::field(text, draft))));
        let place = SourcePlace { file: path.to_owned(), lines: line..=last, at: stated.at };
        let problem = Problem { theorem: stated.theorem, fields, place: Some(place) };
        StatedTheorem { problem, finished: stated.is_finished, line }
    });
    let refused = refused.into_iter().map(|(at, what)| RefusedRow { line: Some(line_of(text, at)), what });
    Ok(Stated { theorems: theorems.collect(), hidden, refused: refused.collect() })
}

/// A theorem whose header leaves a value open depends on it whatever its proof, so this is recorded.
fn note_open_values(theorem: &Theorem, fields: &mut Map<String, Value>) {
    let open = source::of(theorem.system).map_or(0, |source| source.open_values(&theorem.header));
    if open > 0 {
        fields.entry("answer_holes").or_insert(open.into());
    }
}

/// A note about theorems that are left out, if there are any.
fn note_of_hidden(hidden: &[Hidden]) -> Option<String> {
    Some(match hidden {
        [] => return None,
        [Hidden { name, why }] => format!("theorem `{name}` is left out: it is {why}"),
        [Hidden { name, why }, ..] => {
            format!("{} theorems, such as `{name}`, are left out: they are {why}", hidden.len())
        }
    })
}

fn unfinished(theorems: Vec<StatedTheorem>) -> Vec<Problem> {
    theorems.into_iter().filter(|stated| !stated.finished).map(|stated| stated.problem).collect()
}

/// The line of a byte offset, from 1.
fn line_of(text: &str, place: usize) -> usize {
    text.as_bytes()[..place].iter().filter(|b| **b == b'\n').count() + 1
}

/// Ids are used in folder names and results, so a repeated one gets a number; the original is kept in the field
/// `name`.
fn make_ids_unique(problems: &mut [Problem]) {
    let mut taken: HashMap<String, u32> = HashMap::new();
    for problem in problems.iter() {
        taken.entry(problem.theorem.id.clone()).or_insert(0);
    }
    for Problem { theorem, fields, .. } in problems {
        let original = theorem.id.clone();
        let mut count = taken[&original] + 1;
        if count > 1 {
            while taken.contains_key(&format!("{original}#{count}")) {
                count += 1;
            }
            theorem.id = format!("{original}#{count}");
            taken.insert(theorem.id.clone(), 1);
            fields.entry("name").or_insert_with(|| original.clone().into());
        }
        taken.insert(original, count);
    }
}
