//! Theorems and the systems they are stated in.

use std::fmt;
use std::str::FromStr;

/// A supported proof system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum System {
    /// The Lean 4 proof assistant.
    Lean4,
    /// The Rocq (formerly Coq) proof assistant.
    Rocq,
    /// The embedded prover.
    Mini,
    /// The synthetic search environment, for benchmarks.
    Synthetic,
}

impl System {
    /// All systems, in the order shown to users.
    pub const ALL: [Self; 4] = [Self::Lean4, Self::Rocq, Self::Mini, Self::Synthetic];

    /// The name used on the command line and in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lean4 => "lean4",
            Self::Rocq => "rocq",
            Self::Mini => "mini",
            Self::Synthetic => "synthetic",
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for System {
    type Err = UnknownSystem;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|s| s.name() == text).ok_or_else(|| UnknownSystem(text.to_owned()))
    }
}

/// The text is not the name of a system.
#[derive(Debug, thiserror::Error)]
#[error("unknown system `{0}` (known: lean4, rocq, mini, synthetic)")]
pub struct UnknownSystem(String);

/// A named statement with its header, for one system.
///
/// `header`, `statement` and `footer` are the user's text, byte for byte: a finished proof is checked in a file that
/// contains them unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// Unique within a run.
    pub id: String,
    /// The declaration's name in the system.
    pub name: String,
    /// The system whose language the texts are in.
    pub system: System,
    /// Everything before the statement: imports, options, definitions, opened sections.
    pub header: String,
    /// The statement without a proof, for example `Theorem t : 1 = 1.`
    pub statement: String,
    /// What must follow the proof, for example `End section.`
    pub footer: String,
    /// Imports that a provider's tactics need. They are placed after the statement, so they cannot change its
    /// meaning; imports that the system rejects are left out.
    pub extra_imports: Vec<ExtraImport>,
}

impl Theorem {
    /// A digest of the theorem and its system, as 16 hexadecimal digits. Id and name are not included.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [self.system.name(), &self.header, &self.statement, &self.footer] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }
}

/// An import in addition to a theorem's own header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraImport {
    /// The line, for example `From Coq Require Import Lia.`
    pub line: String,
    /// The tactics that it brings. It is left out of finished proofs that use neither these nor what it extends.
    pub provides: Vec<String>,
    /// Words of tactics that are there without it, and do more with it.
    pub extends: Vec<String>,
}

impl ExtraImport {
    /// Whether a script mentions a tactic that needs the import. One that provides no tactics is always needed.
    pub fn is_used_in(&self, script: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.');
        let is_meant = |word: &str| self.provides.iter().chain(&self.extends).any(|tactic| tactic == word);
        self.provides.is_empty()
            || script.split(|c| !is_word(c)).any(|word| is_meant(word.trim_end_matches('.')))
    }
}
