//! `progress.jsonl`: what attempts at one theorem share. The file only grows: each line adds a proof of a subgoal, or
//! takes one back. The order of lines means nothing, and a line may be there twice, so that files can be joined.

use serde::{Deserialize, Serialize};

use crate::result::{PreferencePair, ProofStep};

/// A line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ProgressLine {
    /// A proof of a subgoal. It was replayed in a session of its own before it was written.
    Proved(Box<ProvedSubgoal>),
    /// A proof that counts no more: the checker rejected a proof of the theorem that was made of it.
    Withdrawn(WithdrawnProof),
}

/// A subgoal with its proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProvedSubgoal {
    /// The theorem's id.
    pub theorem: String,
    /// The digest of its statement, as in results.
    pub statement_digest: String,
    /// The strict signature of the subgoal, in 16 hexadecimal digits: equal for goals that differ in names only.
    pub signature: String,
    /// The digest of the subgoal as printed, names included, in 16 hexadecimal digits.
    pub key: String,
    /// The subgoal as printed.
    pub goal: String,
    /// The names of its variables and hypotheses, in order. The script is written for them.
    pub names: Vec<String>,
    /// How the subgoal is reached from the theorem; the other goals on the way are left open.
    pub way: Vec<WayStep>,
    /// The script that closes it.
    pub script: String,
    /// The number of its tactics; repeated ones count each time.
    pub size: u64,
    /// The tactics as the search found them, each with its state, duration and log-prior.
    pub steps: Vec<ProofStep>,
    /// For each of them, the tactics that failed in its place.
    pub preference_pairs: Vec<PreferencePair>,
    /// Who found it.
    pub found: FoundBy,
}

/// A tactic on the way to a subgoal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WayStep {
    /// The tactic.
    pub tactic: String,
    /// Which of the goals that it leaves leads on, from 0. Goals that share metavariables count as one.
    pub child: u32,
}

/// Who found a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundBy {
    /// The name of the run's folder; `null` if the run keeps no files.
    pub run: Option<String>,
    /// The number of the attempt.
    pub attempt: u32,
    /// Its seed.
    pub seed: u64,
}

/// A proof that is taken back.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WithdrawnProof {
    /// The digest of the theorem's statement.
    pub statement_digest: String,
    /// The strict signature of the subgoal.
    pub signature: String,
    /// The script.
    pub script: String,
}

/// How an attempt shared what is proved with others.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharingRecord {
    /// Proofs from a file that closed their subgoals when they were replayed before the search.
    pub confirmed: u64,
    /// Proofs from a file that did not, and were left out.
    pub refused: u64,
    /// Subgoals of the plan with a proof by another attempt.
    pub found: u64,
    /// Those of them whose hypotheses had other names, and were renamed.
    pub renamed: u64,
    /// Those of them that the proof closed in this search.
    pub closed: u64,
    /// Those of them where it failed: the names do not fit, or a tactic does not hold.
    pub failed: u64,
    /// Subgoals of the plan that this search proved.
    pub offered: u64,
    /// Proofs of them that were replayed in a session of their own, and written down.
    pub accepted: u64,
    /// Proofs of them that are no better than what was known.
    pub known: u64,
    /// Proofs of them that did not hold when they were replayed.
    pub rejected: u64,
    /// Proofs of them that could not be replayed, because the assistant failed or the attempt was cancelled.
    pub unchecked: u64,
    /// Proofs taken back, because the checker rejected a proof of the theorem that was made of them.
    pub withdrawn: u64,
}

impl SharingRecord {
    /// The sum of two records about different parts of an attempt.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self {
            confirmed: self.confirmed + other.confirmed,
            refused: self.refused + other.refused,
            found: self.found + other.found,
            renamed: self.renamed + other.renamed,
            closed: self.closed + other.closed,
            failed: self.failed + other.failed,
            offered: self.offered + other.offered,
            accepted: self.accepted + other.accepted,
            known: self.known + other.known,
            rejected: self.rejected + other.rejected,
            unchecked: self.unchecked + other.unchecked,
            withdrawn: self.withdrawn + other.withdrawn,
        }
    }
}

impl ProvedSubgoal {
    /// The proof, to be taken back.
    pub fn withdrawn(&self) -> WithdrawnProof {
        WithdrawnProof {
            statement_digest: self.statement_digest.clone(),
            signature: self.signature.clone(),
            script: self.script.clone(),
        }
    }
}
