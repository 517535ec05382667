//! Grafts: scripts that were applied in a search as far as they hold.

use serde::{Deserialize, Serialize};

/// What became of a script that was applied below a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraftRecord {
    /// Its number among the grafts of the search, from 0.
    pub number: u64,
    /// Where the script comes from.
    pub origin: GraftOrigin,
    /// The provider that wrote it, if one did.
    pub provider_id: Option<String>,
    /// The name of the obligation to which it was applied.
    pub mvar_id: String,
    /// Steps that it added.
    pub steps: u64,
    /// Tactics in it that were steps of the tree before, or that change nothing.
    pub known: u64,
    /// Goals that it leaves open on purpose, or without a word.
    pub holes: u64,
    /// Commands that were left out because they change no goal, in the order of the script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<GraftSkip>,
    /// What was cut off, in the order of the script.
    pub cuts: Vec<GraftCut>,
}

/// A command that was left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraftSkip {
    /// Its line, from 1, as for [`GraftCut`].
    pub line: u64,
    /// Its column, from 1, in characters.
    pub column: u64,
    /// Its text.
    pub text: String,
}

/// Where a script comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GraftOrigin {
    /// It is the theorem's own unfinished proof. Only what it leaves open is searched.
    File,
    /// It is a draft. The search may go other ways as well.
    Draft,
    /// It is a plan: its steps are stated and left open. The search may go other ways as well.
    Plan,
    /// It is the proof of a subgoal that another attempt found. The search may go other ways as well.
    Shared,
    /// It is the proof that an earlier search of the same statement found. The search may go other ways as well.
    Cache,
}

/// A tactic that was cut off, with what follows it in its block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraftCut {
    /// Its line, from 1: in the file of the theorem for `file`, and in the script for `draft`.
    pub line: u64,
    /// Its column, from 1, in characters.
    pub column: u64,
    /// The tactic; `null` if the script cannot be read there, or asks for a goal that does not exist.
    pub tactic: Option<String>,
    /// Why it was cut off: the assistant's message, or what is wrong with the script.
    pub error: String,
    /// The name of the obligation on which it was tried, if it was.
    pub mvar_id: Option<String>,
}
