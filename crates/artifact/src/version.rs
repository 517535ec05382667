//! Kinds of files and versions of their formats.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of file it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Kind {
    /// `run.json`
    #[serde(rename = "andor.run")]
    Run,
    /// `results.jsonl`
    #[serde(rename = "andor.results")]
    Results,
    /// `trace.jsonl`
    #[serde(rename = "andor.trace")]
    Trace,
    /// `history.json`
    #[serde(rename = "andor.history")]
    History,
    /// `graph.json`
    #[serde(rename = "andor.graph")]
    Graph,
    /// `assembly.json.gz`
    #[serde(rename = "andor.assembly")]
    Assembly,
    /// `order.json.gz`
    #[serde(rename = "andor.order")]
    Order,
    /// Files of plans.
    #[serde(rename = "andor.plans")]
    Plans,
    /// `progress.jsonl`
    #[serde(rename = "andor.progress")]
    Progress,
    /// What `--record-latencies` writes.
    #[serde(rename = "andor.latencies")]
    Latencies,
    /// `basin.json`
    #[serde(rename = "andor.basin")]
    Basin,
    /// Blueprints, as their users write them.
    #[serde(rename = "andor.blueprint")]
    Blueprint,
    /// `blueprint.json` in a run's folder.
    #[serde(rename = "andor.blueprint-run")]
    BlueprintRun,
    /// `rollout.jsonl`
    #[serde(rename = "andor.rollout")]
    Rollout,
    /// Learned models of tactics.
    #[serde(rename = "andor.learned")]
    Learned,
    /// `code-results.jsonl`
    #[serde(rename = "andor.code-results")]
    CodeResults,
}

/// A format version. A reader accepts files of its own major version, whatever the minor: a newer minor
/// version only adds fields, which it ignores. A writer never changes a file of another version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatVersion {
    /// Changes when old readers would misread the file.
    pub major: u32,
    /// Changes when fields are added.
    pub minor: u32,
}

impl fmt::Display for FormatVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Kind {
    /// The version that this program writes.
    pub fn current(self) -> FormatVersion {
        match self {
            Self::Trace => FormatVersion { major: 3, minor: 4 },
            Self::Results => FormatVersion { major: 3, minor: 9 },
            Self::Run => FormatVersion { major: 1, minor: 3 },
            Self::Plans | Self::Graph | Self::BlueprintRun => FormatVersion { major: 1, minor: 2 },
            Self::Basin => FormatVersion { major: 1, minor: 1 },
            Self::History
            | Self::Assembly
            | Self::Order
            | Self::Latencies
            | Self::Progress
            | Self::Blueprint
            | Self::Rollout
            | Self::Learned
            | Self::CodeResults => FormatVersion { major: 1, minor: 0 },
        }
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "andor.run",
            Self::Results => "andor.results",
            Self::Trace => "andor.trace",
            Self::History => "andor.history",
            Self::Graph => "andor.graph",
            Self::Assembly => "andor.assembly",
            Self::Order => "andor.order",
            Self::Plans => "andor.plans",
            Self::Progress => "andor.progress",
            Self::Latencies => "andor.latencies",
            Self::Basin => "andor.basin",
            Self::Blueprint => "andor.blueprint",
            Self::BlueprintRun => "andor.blueprint-run",
            Self::Rollout => "andor.rollout",
            Self::Learned => "andor.learned",
            Self::CodeResults => "andor.code-results",
        }
    }
}

/// The opening of every file: the first fields of a JSON file, the first line of a JSON Lines file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Opening {
    /// What kind of file it is.
    pub kind: Kind,
    /// The version of its format.
    pub format_version: FormatVersion,
    /// The version of the program that wrote it.
    pub engine_version: String,
}

impl Opening {
    /// The opening of a file of this kind, written by this program.
    pub fn new(kind: Kind) -> Self {
        let engine_version = env!("CARGO_PKG_VERSION").to_owned();
        Self { kind, format_version: kind.current(), engine_version }
    }

    /// Whether this program can read the file.
    pub fn check(&self, kind: Kind) -> Result<(), String> {
        let current = kind.current();
        if self.kind != kind {
            Err(format!("its kind is {}, not {}", self.kind.name(), kind.name()))
        } else if self.format_version.major != current.major {
            Err(format!(
                "format version {} is not supported (this program reads {}.x); use the program that wrote it ({})",
                self.format_version, current.major, self.engine_version
            ))
        } else {
            Ok(())
        }
    }
}
