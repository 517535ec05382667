//! Problem sets: from what users have on disk to theorems.

mod filter;
mod jsonl;
mod lean_source;
mod rocq_source;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use andor_core::theorem::{System, Theorem};
use andor_env::mini::source as lean;
use andor_env::rocq::source::statement_name;
use serde_json::{Map, Value};

pub use filter::Filter;

/// A theorem to be proved, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The theorem.
    pub theorem: Theorem,
    /// Whatever else the data set says of it, such as `split`.
    pub fields: Map<String, Value>,
}

/// Why a problem set cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The operating system refuses. The message names the file.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The content is not what it should be.
    #[error("{}{}: {what}", path.display(), line.map_or(String::new(), |l| format!(", line {l}")))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A statement given by itself is wrong.
    #[error("{0}")]
    Statement(String),
}

/// Reads a problem set: a `.v` or `.lean` file with unfinished proofs, or JSON Lines.
pub fn read(path: &Path) -> Result<Vec<Problem>, DatasetError> {
    let malformed =
        |what: &str| DatasetError::Malformed { path: path.to_owned(), line: None, what: what.to_owned() };
    let text = fs_err::read_to_string(path)?;
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut problems = match path.extension().and_then(|e| e.to_str()) {
        Some("v") => rocq_source::read(path, text)?,
        Some("jsonl" | "ndjson") => jsonl::read(path, text)?,
        Some("lean") => lean_source::read(path, text)?,
        _ => return Err(malformed("unknown kind of file: known are `.v`, `.lean` and `.jsonl`")),
    };
    make_ids_unique(&mut problems);
    Ok(problems)
}

/// The system that a statement is meant for, by how it begins: Lean writes `theorem` small.
pub fn system_of(statement: &str) -> System {
    if lean::looks_like_lean(statement) { System::Mini } else { System::Rocq }
}

/// A theorem given by its statement: a sentence such as `Theorem t : 1 = 1.` or `theorem t : 1 = 1`, or a bare
/// proposition.
pub fn from_statement(system: System, statement: &str, imports: &[String]) -> Result<Problem, DatasetError> {
    let mut statement = statement.trim().to_owned();
    if statement.is_empty() {
        return Err(DatasetError::Statement("the statement is empty".to_owned()));
    }
    let mut name = statement.clone();
    let mut header = String::new();
    match system {
        System::Rocq => {
            if !statement.ends_with('.') {
                statement.push('.');
            }
            if let Some(found) = statement_name(&statement) {
                name = found;
            } else {
                name = "goal".to_owned();
                statement = format!("Theorem goal : {statement}");
            }
            header = imports.iter().map(|line| format!("{}\n", sentence(line))).collect();
        }
        System::Mini => {
            header = imports.iter().map(|line| format!("{line}\n")).collect();
            if !lean::looks_like_lean(&statement) {
                statement = format!("theorem goal : {statement}");
            }
            name = lean_source::name(&header, &statement).map_err(DatasetError::Statement)?;
        }
        System::Lean4 | System::Synthetic => {}
    }
    let theorem = Theorem {
        id: name.replace(' ', "-"),
        name,
        system,
        header,
        statement,
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    Ok(Problem { theorem, fields: Map::new() })
}

/// An import line with its final period; a bare library name becomes `Require Import`.
fn sentence(line: &str) -> String {
    let line = line.trim().trim_end_matches('.');
    let is_command = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains(' ');
    if is_command { format!("{line}.") } else { format!("Require Import {line}.") }
}

/// Ids name folders and results, so a repeated one gets a number.
fn make_ids_unique(problems: &mut [Problem]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for problem in problems {
        let id = &mut problem.theorem.id;
        let count = seen.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *id = format!("{id}#{count}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_completed() {
        let problem = |statement: &str, imports: &[&str]| {
            let imports: Vec<String> = imports.iter().map(|i| (*i).to_owned()).collect();
            from_statement(System::Rocq, statement, &imports).unwrap().theorem
        };
        let bare = problem(
            "forall n : nat, n = n",
            &["Lia", "Open Scope Z_scope.", "From Coq Require Import Reals"],
        );
        assert_eq!(bare.statement, "Theorem goal : forall n : nat, n = n.");
        assert_eq!(bare.header, "Require Import Lia.\nOpen Scope Z_scope.\nFrom Coq Require Import Reals.\n");
        let whole = problem("Lemma x (n : nat) : n = n.", &[]);
        assert_eq!((whole.id.as_str(), whole.statement.as_str()), ("x", "Lemma x (n : nat) : n = n."));
    }
}
