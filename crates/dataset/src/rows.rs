//! Rows: JSON objects, one per line, in an array, or a single one; or rows of a Parquet file.

use std::path::Path;

use andor_core::theorem::System;
use andor_env::source::{self, Holds};
use serde_json::{Map, Value};

use super::content::Content;
use super::form::{self, Known, LOCATION};
use super::{Dataset, DatasetError, Problem, RefusedRow, located, row_theorem};

/// A row, and its position.
pub(super) struct Row {
    /// The line, if rows are on lines of their own.
    pub(super) line: Option<usize>,
    /// The number of the row, from 1.
    pub(super) number: usize,
    pub(super) fields: Map<String, Value>,
}

impl Row {
    /// A refusal of this row for a given reason.
    pub(super) fn refusal(&self) -> impl FnOnce(String) -> RefusedRow + use<> {
        let (line, number) = (self.line, self.number);
        move |what| match line {
            Some(_) => RefusedRow { line, what },
            None => RefusedRow { line, what: format!("row {number}: {what}") },
        }
    }
}

/// A row, or why it is invalid.
pub(super) type Read = Result<Row, RefusedRow>;

/// The problems of rows. If `wanted` is `mini`, statements of Lean 4 are converted for it. Rows that only say where a
/// theorem is are looked up in the sources of `project`. Invalid rows are refused one by one.
pub(super) fn read(
    path: &Path,
    content: Content,
    wanted: Option<System>,
    project: Option<&Path>,
) -> Result<Dataset, DatasetError> {
    let rows = rows(path, content)?;
    let known = form_of_first(path, &rows, wanted)?;
    let form = known.form;
    match (form.holds, project) {
        (Holds::Theorem { .. }, _) => {}
        (Holds::Location, Some(project)) => {
            let of_form = |row: Row| of_form(&row, known, wanted).map(|()| row);
            let rows = rows.into_iter().map(|row| row.and_then(of_form)).collect();
            let reader = known.system.and_then(source::of).expect("a system locates its theorems");
            return Ok(located::read(form.name, rows, project, reader));
        }
        (Holds::Location, None) => {
            let advice = LOCATION;
            let (path, what, count) = (path.to_owned(), form.name, rows.len());
            return Err(DatasetError::NoProblems { path, what, count, advice });
        }
        (Holds::Other(advice), _) => {
            let (path, what, count) = (path.to_owned(), form.name, rows.len());
            return Err(DatasetError::NoProblems { path, what, count, advice });
        }
    }
    let (mut notes, mut refused) = (Vec::new(), Vec::new());
    let mut problems: Vec<Problem> = Vec::with_capacity(rows.len());
    let (mut absent, mut differing, mut without_imports) = (0usize, Vec::new(), 0usize);
    for row in rows {
        // Each row is of a form of its own.
        let row = row.and_then(|row| theorem_of(&row, wanted).map(|(system, parts)| (row, system, parts)));
        let is_left_out = row.as_ref().is_ok_and(|(row, _, parts)| is_absent(&row.fields, parts));
        if is_left_out {
            absent += 1;
            continue;
        }
        let problem = row.and_then(|(row, system, parts)| {
            let called = row.fields.get("name").and_then(Value::as_str).map(str::to_owned);
            let refused = row.refusal();
            let problem = row_theorem::problem(row.fields, system, parts, wanted);
            Ok((called, problem.map_err(refused)?))
        });
        let (called, problem) = match problem {
            Ok(problem) => problem,
            Err(refusal) => {
                refused.push(refusal);
                continue;
            }
        };
        let theorem = &problem.theorem;
        let lacks = source::of(theorem.system).is_some_and(|source| source.lacks_imports(&theorem.header));
        without_imports += usize::from(lacks);
        if called.is_some_and(|called| called != theorem.name) {
            differing.push(theorem.id.clone());
        }
        problems.push(problem);
    }
    if problems.is_empty() && !refused.is_empty() {
        let RefusedRow { line, what } = refused.swap_remove(0);
        return Err(DatasetError::malformed(path, line, what));
    }
    if absent > 0 {
        notes.push(format!("{absent} rows are left out: they have no statement in this language"));
    }
    if without_imports > 0 {
        notes.push(format!(
            "{without_imports} theorems come without imports; give the imports they need with --import"
        ));
    }
    if let Some(first) = differing.first() {
        let count = differing.len();
        notes.push(format!(
            "in {count} rows, such as `{first}`, the theorem's name differs from the one that the row gives"
        ));
    }
    Ok(Dataset { form: form.name.to_owned(), problems, notes, refused })
}

/// Some data sets write the text `null` for a missing statement.
fn is_absent(row: &Map<String, Value>, parts: &[&str]) -> bool {
    let statement = parts.last().and_then(|key| row.get(*key));
    statement.is_some_and(|s| s.is_null() || s.as_str().is_some_and(|s| s.trim() == "null"))
}

/// The format of the first valid row.
fn form_of_first(path: &Path, rows: &[Read], wanted: Option<System>) -> Result<Known, DatasetError> {
    let known = rows.iter().flatten().find_map(|row| form::of(&row.fields, wanted));
    let Some(first) = rows.first() else {
        return Err(DatasetError::malformed(path, None, "it contains no rows"));
    };
    known.ok_or_else(|| {
        let refused = match first {
            Ok(row) => row.refusal()(unknown(row)),
            Err(refused) => refused.clone(),
        };
        DatasetError::malformed(path, refused.line, refused.what)
    })
}

/// Refuses a row of another format.
fn of_form(row: &Row, first: Known, wanted: Option<System>) -> Result<(), RefusedRow> {
    match form::of(&row.fields, wanted) {
        Some(own) if own.form.name == first.form.name => Ok(()),
        Some(own) => Err(row.refusal()(format!(
            "this row is one of {}, while the first is one of {}; split the file by form",
            own.form.name, first.form.name
        ))),
        None => Err(row.refusal()(unknown(row))),
    }
}

/// The system of a row that states a theorem, if its form decides it, and the keys of its parts.
fn theorem_of(
    row: &Row,
    wanted: Option<System>,
) -> Result<(Option<System>, &'static [&'static str]), RefusedRow> {
    match form::of(&row.fields, wanted) {
        Some(Known { system, form }) => match form.holds {
            Holds::Theorem(parts) => Ok((system, parts)),
            Holds::Location | Holds::Other(_) => {
                Err(row.refusal()(format!("this row is one of {}, and states no theorem", form.name)))
            }
        },
        None => Err(row.refusal()(unknown(row))),
    }
}

fn unknown(row: &Row) -> String {
    let keys: Vec<&str> = row.fields.keys().map(String::as_str).collect();
    format!("unknown form of row, with the keys {}; {}", keys.join(", "), form::known())
}

/// The rows of a file.
pub(super) fn rows(path: &Path, content: Content) -> Result<Vec<Read>, DatasetError> {
    match content {
        Content::Text(text) => rows_of_text(path, &text),
        Content::Rows(rows) => {
            let read = |(fields, number)| Ok(Row { line: None, number, fields });
            Ok(rows.into_iter().zip(1..).map(read).collect())
        }
    }
}

fn rows_of_text(path: &Path, text: &str) -> Result<Vec<Read>, DatasetError> {
    let malformed = |line, what: String| DatasetError::malformed(path, line, what);
    match text.trim_start().chars().next() {
        None => Err(malformed(None, "the file is empty".to_owned())),
        Some('[') => array(text).map_err(|(line, what)| malformed(line, what)),
        Some('{') => match alone(text) {
            Alone::Row(fields) => of_whole_file(path, fields),
            Alone::Broken(line, what) => Err(malformed(Some(line), what)),
            Alone::No => Ok(lines(text)),
        },
        Some(_) => Err(malformed(
            None,
            "unsupported file; supported are `.v`, `.lean`, rows of JSON (`.jsonl`, `.json`), \
                 these packed by gzip or zstd, rows of Parquet, lists of names (`.txt`), and folders"
                .to_owned(),
        )),
    }
}

fn array(text: &str) -> Result<Vec<Read>, (Option<usize>, String)> {
    let values: Vec<Value> =
        serde_json::from_str(text).map_err(|e| (Some(e.line()), format!("not a JSON array: {e}")))?;
    let rows = values.into_iter().zip(1..).map(|(value, number)| match value {
        Value::Object(fields) => Ok(Row { line: None, number, fields }),
        _ => Err(RefusedRow { line: None, what: format!("row {number}: not a JSON object") }),
    });
    Ok(rows.collect())
}

fn lines(text: &str) -> Vec<Read> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let rows = lines.zip(1..).map(|((text, line), number)| match serde_json::from_str(text) {
        Ok(fields) => Ok(Row { line: Some(line), number, fields }),
        Err(error) => {
            let what = format!("not a JSON object (column {}): {error}", error.column());
            Err(RefusedRow { line: Some(line), what })
        }
    });
    rows.collect()
}

/// What a text that begins with `{` contains.
enum Alone {
    /// A single object.
    Row(Map<String, Value>),
    /// An invalid object over several lines.
    Broken(usize, String),
    /// One object per line, valid or not.
    No,
}

fn alone(text: &str) -> Alone {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    match values.next() {
        Some(Ok(fields)) if text[values.byte_offset()..].trim().is_empty() => Alone::Row(fields),
        Some(Err(error)) if error.line() > 1 && !is_followed_by_rows(text) => {
            Alone::Broken(error.line(), format!("not a JSON object: {error}"))
        }
        _ => Alone::No,
    }
}

/// Whether a later line is an object of its own.
fn is_followed_by_rows(text: &str) -> bool {
    let mut later = text.lines().filter(|line| !line.trim().is_empty()).skip(1);
    later.any(|line| serde_json::from_str::<Map<String, Value>>(line).is_ok())
}

/// A file with a single object may be a row, or a file of another kind.
fn of_whole_file(path: &Path, fields: Map<String, Value>) -> Result<Vec<Read>, DatasetError> {
    let is_plan = !fields.is_empty() && fields.values().all(|value| value.get("plan").is_some());
    let other = |what, count, advice| DatasetError::NoProblems { path: path.to_owned(), what, count, advice };
    if is_plan {
        return Err(other(
            "plans",
            fields.len(),
            "steps towards theorems that are stated elsewhere; this version searches without plans. Give the file of \
             the statements",
        ));
    }
    if let Some(codes) = fields.get("codes") {
        return Err(other(
            "entries of a server request",
            codes.as_array().map_or(0, Vec::len),
            "programs to be checked, not theorems to be proved; write them to files and check them with `andor check`",
        ));
    }
    Ok(vec![Ok(Row { line: Some(1), number: 1, fields })])
}
