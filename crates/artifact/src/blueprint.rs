//! Blueprints: graphs of definitions, lemmas and theorems; and what a run made of one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::level;
use crate::result::ModelUsage;
use crate::version::Opening;

/// A blueprint, as its user writes it: `blueprint.json`, or the same in TOML.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Blueprint {
    /// Kind and version; may be left out.
    #[serde(default)]
    pub opening: Option<Opening>,
    /// The proof system: `mini`, `lean4` or `rocq`.
    pub system: String,
    /// What comes before every node: imports, options, opened namespaces and scopes.
    #[serde(default)]
    pub header: String,
    /// A file beside the blueprint with more of the header. It comes first.
    #[serde(default)]
    pub header_file: Option<String>,
    /// The nodes, in any order.
    pub nodes: Vec<BlueprintNode>,
}

/// A node of a blueprint. It has a definition, a statement, or a file with one of these.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BlueprintNode {
    /// Its name: of a lemma or theorem, the one that it has in the system.
    pub name: String,
    /// What it is; by default a definition if it has `definition`, and else a lemma.
    #[serde(default)]
    pub kind: Option<NodeKind>,
    /// The names of the nodes that its statement, definition or proof needs. What those need need not be repeated.
    #[serde(default)]
    pub uses: Vec<String>,
    /// The text of a definition: any commands of the system.
    #[serde(default)]
    pub definition: Option<String>,
    /// What a lemma or theorem states: a proposition, or a sentence such as `theorem NAME (n : Nat) : n = n`.
    #[serde(default)]
    pub statement: Option<String>,
    /// A file beside the blueprint with the definition, or with the statement and perhaps its proof.
    #[serde(default)]
    pub file: Option<String>,
    /// A proof that should be complete. It is tried first, tactic by tactic.
    #[serde(default)]
    pub proof: Option<String>,
    /// A proof with gaps or mistakes to begin with.
    #[serde(default)]
    pub draft: Option<String>,
    /// A plan: intermediate statements, each as `have h : p`, or for Rocq as `assert (h : p)`.
    #[serde(default)]
    pub plan: Vec<String>,
    /// The same for people. Planners are shown it.
    #[serde(default)]
    pub informal: Option<String>,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A text that other nodes need.
    Definition,
    /// A statement on the way. A planner may correct it.
    Lemma,
    /// A statement that is never changed.
    Theorem,
}

impl NodeKind {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Lemma => "lemma",
            Self::Theorem => "theorem",
        }
    }
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a node has come. The words are those of Lean's blueprints where these have one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// A definition that it needs is not there yet.
    NotReady,
    /// The definitions that it needs are there; a lemma that it needs is not proved yet.
    CanState,
    /// All that it needs is there: it is worked on, or will be.
    CanProve,
    /// The system accepts the definition.
    Defined,
    /// Its proof is accepted, in a file with the proofs of all that it needs.
    Proved,
    /// It is also part of the final file, which is accepted as a whole.
    FullyProved,
    /// The search ended without a proof.
    NotProved,
    /// Its attempts failed, which says nothing about it. Since 1.2.
    Failed,
    /// Its negation is proved.
    Disproved,
    /// The system rejects its text.
    Refused,
    /// It needs a node that is not proved, disproved or refused.
    Blocked,
    /// The file says that it is proved or disproved, and no stored result bears that out. Only readers say so. Since 1.2.
    Unverified,
}

impl NodeState {
    /// Every state.
    pub const ALL: [Self; 12] = [
        Self::NotReady,
        Self::CanState,
        Self::CanProve,
        Self::Defined,
        Self::Proved,
        Self::FullyProved,
        Self::NotProved,
        Self::Failed,
        Self::Disproved,
        Self::Refused,
        Self::Blocked,
        Self::Unverified,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotReady => "not_ready",
            Self::CanState => "can_state",
            Self::CanProve => "can_prove",
            Self::Defined => "defined",
            Self::Proved => "proved",
            Self::FullyProved => "fully_proved",
            Self::NotProved => "not_proved",
            Self::Failed => "failed",
            Self::Disproved => "disproved",
            Self::Refused => "refused",
            Self::Blocked => "blocked",
            Self::Unverified => "unverified",
        }
    }

    /// Its name for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotReady => "not ready",
            Self::CanState => "can be stated",
            Self::CanProve => "can be proved",
            Self::Defined => "defined",
            Self::Proved => "proved",
            Self::FullyProved => "fully proved",
            Self::NotProved => "not proved",
            Self::Failed => "failed",
            Self::Disproved => "disproved",
            Self::Refused => "refused",
            Self::Blocked => "blocked",
            Self::Unverified => "unverified",
        }
    }
}

/// `blueprint.json` in a run's folder: the blueprint as it is now, and how far its nodes have come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlueprintRun {
    /// Kind and version.
    pub opening: Opening,
    /// A digest of the blueprint as it was given, in hexadecimal.
    pub given_digest: String,
    /// The proof system.
    pub system: String,
    /// What comes before every node.
    pub header: String,
    /// The nodes, in the order of the final file.
    pub nodes: Vec<NodeRecord>,
    /// What the planner changed, in order.
    pub refinements: Vec<RefinementRecord>,
    /// The final file; `null` as long as no node is proved.
    pub whole: Option<WholeRecord>,
}

/// A node of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NodeRecord {
    /// The node as it is now.
    pub node: BlueprintNode,
    /// What it is.
    pub kind: NodeKind,
    /// Whether no other node of the given blueprint uses it, or it is a theorem. Its statement is never changed.
    pub root: bool,
    /// Its state.
    pub state: NodeState,
    /// More about the state: why it was refused, or what blocks it.
    pub detail: Option<String>,
    /// The proof of its negation, as a complete file, if there is one.
    pub disproof: Option<String>,
    /// The node of the given blueprint for whose sake a planner added it.
    pub origin: Option<String>,
}

/// A change that a planner made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefinementRecord {
    /// The node that could not be proved.
    pub node: String,
    /// The node of the given blueprint that it came from; the same one if it was given.
    pub origin: String,
    /// What had become of it.
    pub state: NodeState,
    /// The planner.
    pub planner: String,
    /// The node before the change.
    pub before: BlueprintNode,
    /// The node after the change.
    pub after: BlueprintNode,
    /// The nodes that were added.
    pub added: Vec<BlueprintNode>,
    /// The number of answers until one could be used.
    pub tries: u64,
    /// What they cost.
    pub model: ModelUsage,
}

/// The final file of a blueprint, with all that is proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WholeRecord {
    /// Its name in the folder.
    pub file: String,
    /// Whether it is accepted.
    pub accepted: bool,
    /// The level to which it is verified.
    #[serde(default, deserialize_with = "level::known_or_none")]
    pub verification_level: Option<u8>,
    /// Why the level is lower than the one asked for, if it is.
    pub verification_shortfall: Option<String>,
    /// The axioms that it depends on.
    pub axioms: Vec<String>,
    /// Who is silent of those asked to judge it a second time, and why.
    #[serde(default)]
    pub second_judge_silence: Option<String>,
    /// Why it is not accepted.
    pub error: Option<String>,
}
