//! Runs in other forms: recorded searches as drawings ([`dot`]), and training data ([`export`]).
//!
//! Only what replays is exported: each theorem is opened again, the recorded tactics are tried again in a fresh session, and
//! one that comes out otherwise is left out with all that lies below it (`docs/guide/training-data.md`).

mod collect;
mod drawing;
mod parquet;
mod recorded;
mod replay;
mod rows;
mod stepwise;
mod table;
mod writer;

use andor_artifact::files::FileError;
use andor_core::goal::Goal;
use andor_core::view;
use andor_engine::registry::RegistryError;
use andor_run::folder::some_ids;
use serde::Serialize;

pub use collect::export;
pub use drawing::dot;
pub use table::{Cell, Column, ColumnKind, Message, Row};
pub use writer::{Encoding, Writer};

/// What is exported, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// What a row is.
    pub format: Format,
    /// How states are written.
    pub view: View,
    /// What ends a prompt. Trainers join prompt and completion with nothing between.
    pub separator: String,
    /// Whether prompts and answers are messages of a conversation; of no meaning to formats without one.
    pub chat: bool,
    /// Whether candidates that the search left untried along the accepted proof are tried, so that a tactic that closed a goal
    /// has its losing siblings too; of no meaning to formats other than [`Format::Dpo`].
    pub complete_pairs: bool,
    /// Only these theorems, by their ids; all if there are none.
    pub theorems: Vec<String>,
    /// Attempts replayed at once; at least 1.
    pub jobs: usize,
}

/// What a row of training data is. Field names are those of TRL and LeanDojo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A step of an accepted proof: `prompt`, `completion`.
    Sft,
    /// A step of an accepted proof and a tactic that failed in its place: `prompt`, `chosen`, `rejected`
    /// (`best-first-prover-guide`, Preference Pair Extraction).
    Dpo,
    /// An accepted proof, or its beginning and a tactic that failed there: `prompt`, `completions`, `labels`.
    Stepwise,
    /// A tactic that was tried: `tactic`, `state_before`, `state_after`, `outcome`.
    Steps,
}

impl Format {
    /// All formats.
    pub const ALL: &[Self] = &[Self::Sft, Self::Dpo, Self::Stepwise, Self::Steps];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sft => "sft",
            Self::Dpo => "dpo",
            Self::Stepwise => "stepwise",
            Self::Steps => "steps",
        }
    }

    /// Whether its rows can be conversations.
    pub fn has_conversations(self) -> bool {
        matches!(self, Self::Sft | Self::Dpo)
    }
}

/// How a state is written (`best-first-prover-guide`, State Representation).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// All goals.
    Pp,
    /// The first goal alone, cleaned up.
    Pp1,
}

impl View {
    /// Both.
    pub const ALL: &[Self] = &[Self::Pp, Self::Pp1];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pp => "pp",
            Self::Pp1 => "pp1",
        }
    }

    /// Goals as one text.
    fn of(self, goals: &[Goal]) -> String {
        match self {
            Self::Pp => view::pp(goals),
            Self::Pp1 => view::pp1(goals),
        }
    }
}

/// What an export came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exported {
    /// What a row is.
    pub format: Format,
    /// Rows written.
    pub rows: u64,
    /// Theorems of which there are rows.
    pub theorems: u64,
    /// Attempts replayed.
    pub attempts: u64,
    /// Recorded tactics that were tried again and came out the same.
    pub replayed: u64,
    /// Recorded tactics that came out otherwise, or lie below one that did, and were left out.
    pub left_out: u64,
    /// Recorded texts that the screen stopped before any assistant saw them, and that were left out.
    pub screened: u64,
    /// Tactics tried that the search had left untried.
    pub completed: u64,
    /// Rows that were left out because they repeat an earlier one.
    pub duplicates: u64,
    /// Rows that were left out because readers of LeanDojo's format refuse their state.
    pub unsuited: u64,
    /// Attempts of which nothing could be exported.
    pub skipped: Vec<Skipped>,
}

/// An attempt of which nothing could be exported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skipped {
    /// The theorem's id.
    pub theorem: String,
    /// The attempt's number.
    pub attempt: u32,
    /// Why.
    pub reason: String,
}

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The run has no such theorem.
    #[error("the run has no theorem `{id}`; it has: {}", some_ids(known))]
    UnknownTheorem {
        /// The id asked for.
        id: String,
        /// Those of the run.
        known: Vec<String>,
    },
    /// Something that the run's configuration names cannot be had.
    #[error("the run's theorems cannot be opened again: {0}")]
    Registry(#[from] RegistryError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A Parquet file cannot be written.
    #[error("Parquet: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// The user interrupted. Nothing is left under the name of the file.
    #[error("interrupted")]
    Interrupted,
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.into())
    }
}
