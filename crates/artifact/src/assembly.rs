//! `assembly.json.gz`: the committed steps and, for a proved root, the winning tree.

use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Assembly {
    /// Kind and version.
    pub opening: Opening,
    /// The theorem's id.
    pub theorem: String,
    /// The committed steps, in the order in which they entered the tree.
    pub steps: Vec<AssemblyStep>,
    /// The proof tree from which the script was rendered, the root first; `null` without a proof.
    pub winning: Option<Vec<WinningStep>>,
}

/// A committed step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssemblyStep {
    /// Its id, `s<number>`.
    pub step: String,
    /// The obligation to which the tactic was applied.
    pub target_mvar_id: String,
    /// The tactic.
    pub tactic: String,
    /// The obligations it left.
    pub child_mvar_ids: Vec<String>,
}

/// A step of the proof tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinningStep {
    /// Its id, `s<number>`.
    pub step: String,
    /// Its text in the script.
    pub script: String,
    /// The proofs of its children as indices into this list, in goal order.
    pub children: Vec<usize>,
}
