//! The rows that training reads: JSON, one a line.

use std::path::Path;

use andor_artifact::files::{FileError, write_bytes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::LoopError;

/// What ends a prompt; trainers concatenate prompt and completion.
pub const SEPARATOR: &str = ":::";

/// A tactic that a rollout tried: a row of `andor export --format steps`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Tried {
    /// The tactic.
    pub tactic: String,
    /// The first goal before it.
    pub state_before: String,
    /// `success`, `failure`, `timeout` or `cyclic`.
    pub outcome: String,
    /// Its log-prior.
    pub log_prior: f64,
    /// Whether the accepted proof has it.
    pub in_proof: bool,
    /// The theorem.
    pub theorem: String,
    /// The attempt at it.
    pub attempt: u32,
}

/// A tactic to learn: a row of `steps.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRow {
    /// The goal, and [`SEPARATOR`].
    pub prompt: String,
    /// The tactic.
    pub completion: String,
    /// How much it counts.
    pub weight: f64,
    /// Whether an accepted proof has it.
    pub in_proof: bool,
    /// The theorem.
    pub theorem: String,
    /// The attempt at it.
    pub attempt: u32,
}

impl StepRow {
    /// The goal.
    pub fn state(&self) -> &str {
        self.prompt.strip_suffix(SEPARATOR).unwrap_or(&self.prompt)
    }
}

/// A tactic of a proof, and one that failed in its place: a row of `pairs.jsonl`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairRow {
    /// The goal, and [`SEPARATOR`].
    pub prompt: String,
    /// The tactic of the proof.
    pub chosen: String,
    /// The tactic that failed.
    pub rejected: String,
    /// The theorem.
    pub theorem: String,
    /// The attempt at it.
    pub attempt: u32,
}

/// A theorem to train on: a row of `theorems.jsonl`. Trainers that learn from rewards have proofs of it judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TheoremRow {
    /// Its id.
    pub theorem: String,
    /// Its system.
    pub system: String,
    /// Everything before the statement.
    pub header: String,
    /// The statement, without a proof.
    pub statement: String,
    /// What must follow the proof.
    pub footer: String,
}

/// What became of a goal: a row of `goals.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GoalRow {
    /// The goal.
    pub state: String,
    /// Whether an accepted proof proves it.
    pub proved: bool,
    /// How much it counts.
    pub weight: f64,
}

/// Reads all rows of a file. A file that does not exist has none: exports write none.
///
/// # Errors
///
/// The file cannot be read, or a line is malformed.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, LoopError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs_err::read_to_string(path)?;
    let row = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            FileError::Malformed { path: path.to_owned(), line: Some(at + 1), what: error.to_string() }.into()
        })
    };
    text.lines().enumerate().map(row).collect()
}

/// Writes rows to a file, which appears when it is complete.
///
/// # Errors
///
/// The file cannot be written.
pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<(), FileError> {
    let mut bytes = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut bytes, row).expect("a row is JSON");
        bytes.push(b'\n');
    }
    write_bytes(path, &bytes)
}
