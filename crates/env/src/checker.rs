//! The contract of a checker: judges a finished proof in a fresh process (design, section 4.4).

use async_trait::async_trait;

use crate::error::EnvError;

/// How much a checker has verified. Higher levels include the lower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The search saw no goals left: a claim.
    Claimed,
    /// A fresh process accepted the whole file, nothing is admitted, and the axioms are allowed.
    Compiled,
}

impl Level {
    /// The number used on the command line and in artifacts.
    pub fn number(self) -> u8 {
        match self {
            Self::Claimed => 0,
            Self::Compiled => 1,
        }
    }

    /// The name used in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Compiled => "compiled",
        }
    }
}

/// What the checker says about a finished proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The proof holds.
    Accepted {
        /// How much was verified.
        level: Level,
        /// The axioms it rests on, all of them allowed.
        axioms: Vec<String>,
    },
    /// The proof does not hold.
    Rejected {
        /// Why.
        reason: String,
    },
}

/// A complete source file to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The text.
    pub text: String,
    /// The declarations whose proofs are judged, as they are called at the end of the file.
    pub theorems: Vec<String>,
}

/// Judges finished proofs. An [`EnvError`] is never a rejection.
#[async_trait]
pub trait Checker: Send + Sync {
    /// Judges a file in a fresh process.
    async fn check(&self, file: &SourceFile) -> Result<Verdict, EnvError>;
}
