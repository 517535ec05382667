//! Exports of a run: drawings of recorded searches ([`dot`], [`graphml`], [`cytoscape`]) and of blueprints
//! ([`blueprint_dot`], [`blueprint_svg`]), training data ([`export`]), and data sets to share ([`dataset()`]).
//!
//! Only data that replays is exported: each theorem is opened again, and its recorded tactics are run in a fresh
//! session. A tactic with a different outcome is left out together with everything below it
//! (`docs/guide/training-data.md`).

mod blueprint;
mod collect;
mod dataset;
mod drawing;
mod lean;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet;
mod recorded;
mod replay;
mod rows;
mod stepwise;
mod table;
mod writer;

use std::path::PathBuf;

use andor_artifact::files::FileError;
use andor_core::goal::Goal;
use andor_core::view;
use andor_dataset::DatasetError;
use andor_engine::registry::RegistryError;
use andor_run::folder::some_ids;
use serde::Serialize;

pub use blueprint::{blueprint_dot, blueprint_svg};
pub use collect::export;
pub use dataset::{
    Benchmark, Contamination, DatasetReport, DatasetRequest, Duplicates, Measure, Overlap, Provenance,
    SplitReport, dataset, in_context,
};
pub use drawing::{cytoscape, dot, graphml};
pub use lean::{LeanProof, lean_terms};
pub use table::{Cell, Column, ColumnKind, Message, Row};
pub use writer::{Encoding, Writer};

/// What to export, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// What each row holds.
    pub format: Format,
    /// How states are written.
    pub view: View,
    /// The text that ends a prompt. Trainers concatenate prompt and completion without a separator.
    pub separator: String,
    /// Whether prompts and answers are written as chat messages; ignored by formats without them.
    pub chat: bool,
    /// Whether to try the candidates that the search left untried along the accepted proof, so that a tactic that
    /// closed a goal is paired with its failing siblings. Only for [`Format::Dpo`].
    pub complete_pairs: bool,
    /// The ids of the theorems to export; empty for all.
    pub theorems: Vec<String>,
    /// Number of attempts replayed concurrently; at least 1.
    pub jobs: usize,
}

/// What a row of training data holds. Field names are those of TRL and LeanDojo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A step of an accepted proof: `prompt`, `completion`.
    Sft,
    /// A step of an accepted proof and a tactic that failed in its place: `prompt`, `chosen`, `rejected`.
    Dpo,
    /// An accepted proof, or a prefix of it and a tactic that failed there: `prompt`, `completions`, `labels`.
    Stepwise,
    /// A tried tactic: `tactic`, `state_before`, `state_after`, `outcome`.
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

    /// Whether its rows can be chat messages.
    pub fn has_conversations(self) -> bool {
        matches!(self, Self::Sft | Self::Dpo)
    }
}

/// How a state is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// All goals.
    Pp,
    /// Only the first goal, without its case line and hypotheses of type `True`.
    Pp1,
}

impl View {
    /// Both views.
    pub const ALL: &[Self] = &[Self::Pp, Self::Pp1];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pp => "pp",
            Self::Pp1 => "pp1",
        }
    }

    /// The text of a state.
    fn of(self, goals: &[Goal]) -> String {
        match self {
            Self::Pp => view::pp(goals),
            Self::Pp1 => view::pp1(goals),
        }
    }
}

/// A summary of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exported {
    /// What each row holds.
    pub format: Format,
    /// Number of rows written.
    pub rows: u64,
    /// Number of theorems with rows.
    pub theorems: u64,
    /// Number of replayed attempts.
    pub attempts: u64,
    /// Recorded tactics whose replay had the same outcome.
    pub replayed: u64,
    /// Recorded tactics left out because their replay, or that of a tactic above them, had a different outcome.
    pub left_out: u64,
    /// Recorded texts left out because the screen blocked them before any assistant saw them.
    pub screened: u64,
    /// Tactics tried that the search had left untried.
    pub completed: u64,
    /// Rows left out as duplicates.
    pub duplicates: u64,
    /// Rows left out because LeanDojo's readers reject their state.
    pub unsuited: u64,
    /// Attempts without exportable data.
    pub skipped: Vec<Skipped>,
}

/// An attempt without exportable data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skipped {
    /// The theorem's id.
    pub theorem: String,
    /// The attempt's number.
    pub attempt: u32,
    /// The reason.
    pub reason: String,
}

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The run has no such theorem.
    #[error("the run has no theorem `{id}`; it has: {}", some_ids(known))]
    UnknownTheorem {
        /// The requested id.
        id: String,
        /// The ids of the run.
        known: Vec<String>,
    },
    /// A proof cannot be written for Lean.
    #[error("cannot write the proof of `{theorem}` for Lean: {error}")]
    LeanTerm {
        /// The theorem's id.
        theorem: String,
        /// Why.
        error: String,
    },
    /// Something named in the run's configuration is unavailable.
    #[error("cannot reopen the theorems of the run: {0}")]
    Registry(#[from] RegistryError),
    /// The folder of a data set holds something.
    #[error("{}: a data set needs a new folder, or an empty one", .0.display())]
    Occupied(PathBuf),
    /// A benchmark cannot be read.
    #[error("benchmark: {0}")]
    Benchmark(#[from] DatasetError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// This build does not write Parquet.
    #[cfg(not(feature = "parquet"))]
    #[error("this build writes no Parquet; build it with the feature `parquet`")]
    NoParquet,
    /// A Parquet file cannot be written.
    #[cfg(feature = "parquet")]
    #[error("Parquet: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// The user interrupted. No file is left.
    #[error("interrupted")]
    Interrupted,
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.into())
    }
}
