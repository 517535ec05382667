//! What is to be proved, and in which system.

use std::fmt;
use std::str::FromStr;

/// A proof system that andor knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum System {
    /// The Lean 4 proof assistant.
    Lean4,
    /// The Rocq (formerly Coq) proof assistant.
    Rocq,
    /// The embedded prover.
    Mini,
    /// The synthetic search environment, for measuring searches.
    Synthetic,
}

impl System {
    /// Every system, in the order in which it is listed to users.
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

/// The text names no system.
#[derive(Debug, thiserror::Error)]
#[error("unknown system `{0}` (known: lean4, rocq, mini, synthetic)")]
pub struct UnknownSystem(String);

/// A named statement plus the header it is stated under, for one system.
///
/// `header`, `statement` and `footer` are the user's own text, byte for byte: a finished proof is
/// checked in a file that contains them unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// Unique within a run.
    pub id: String,
    /// The declaration's name as the system sees it.
    pub name: String,
    /// The system whose language the texts are in.
    pub system: System,
    /// Everything before the statement: imports, options, definitions, opened sections.
    pub header: String,
    /// The statement without a proof, for example `Theorem t : 1 = 1.`
    pub statement: String,
    /// What must follow the proof, for example `End section.`
    pub footer: String,
    /// Imports that a provider needs for its tactics. They are read after the statement, so they cannot
    /// change its meaning; those that the system refuses are left out.
    pub extra_imports: Vec<ExtraImport>,
}

impl Theorem {
    /// A digest of what is to be proved and for which system, as 16 hexadecimal digits; the id and the name say nothing.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [self.system.name(), &self.header, &self.statement, &self.footer] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }
}

/// An import beyond a theorem's own header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraImport {
    /// The line, for example `From Coq Require Import Lia.`
    pub line: String,
    /// The tactics for which it is there. A finished proof that uses none of them does without it.
    pub provides: Vec<String>,
}
