//! The line that `andor check --json` prints for each file: `docs/formats/check.md`.

use serde::{Deserialize, Serialize};

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// Its theorems are accepted.
    Accepted,
    /// They are rejected.
    Rejected,
    /// It could not be judged.
    Infrastructure,
    /// A file or an option cannot be used.
    #[default]
    Unusable,
}

/// A judgement.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckRecord {
    /// What became of the file.
    pub verdict: CheckVerdict,
    /// Accepted: the level reached. Rejected: the level not reached. Infrastructure: the level that failed.
    pub level: Option<u8>,
    /// The level that is demanded.
    pub demanded: Option<u8>,
    /// What this machine lacks for the level that was asked for.
    pub shortfall: Option<String>,
    /// The system.
    pub system: Option<String>,
    /// The theorems; if unusable, those that were named.
    pub theorems: Vec<String>,
    /// The file that states the theorems; `null` if that is the judged file itself.
    pub statement_from: Option<String>,
    /// The axioms that the proofs depend on.
    pub axioms: Vec<String>,
    /// Those of them on which the statements themselves depend.
    pub statement_axioms: Vec<String>,
    /// The features of the kernel that are used.
    pub features: Vec<String>,
    /// The known bugs that the proofs were trusted with.
    pub known_bugs: Vec<String>,
    /// The compiled libraries that the proofs load beside the prover's.
    pub libraries: Vec<String>,
    /// Libraries whose universes bound those of a polymorphic theorem.
    pub universes: Vec<String>,
    /// The other kernels that accept the proof.
    pub kernels: Vec<String>,
    /// What another system's kernel says: `accepted`, `refused`, `silent` or `absent`.
    pub second_judge: Option<String>,
    /// Why it says nothing.
    pub second_judge_silence: Option<String>,
    /// Rejected: why, in one word.
    pub reason: Option<String>,
    /// The axioms that would have to be allowed.
    pub allow_axioms: Option<String>,
    /// The known bug that would have to be trusted.
    pub trust: Option<String>,
    /// Rejected: the reason as text. Infrastructure: what failed. Unusable: why.
    pub message: Option<String>,
    /// What of the file was judged, if not the whole.
    pub note: Option<String>,
}
