//! The contract of a checker: judges a finished proof afresh, climbing a ladder of levels (design, section 4.4;
//! `docs/guide/verification.md`).

use std::fmt;
use std::str::FromStr;

use andor_core::theorem::Theorem;
use async_trait::async_trait;

use crate::error::EnvError;
use crate::trust::Trust;

/// How much is verified. Higher levels include the lower.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The search saw no goals left: a claim.
    Claimed,
    /// The assistant, starting afresh, accepts the whole file.
    Compiled,
    /// The theorem states what a separate, trusted file says, and rests on allowed axioms only.
    Audited,
    /// A second run of the kernel alone accepts it too.
    Rechecked,
    /// All of it happened in a sandbox that was seen to hold.
    Judged,
}

impl Level {
    /// Every level, lowest first.
    pub const ALL: [Self; 5] = [Self::Claimed, Self::Compiled, Self::Audited, Self::Rechecked, Self::Judged];

    /// The number used on the command line and in artifacts.
    pub fn number(self) -> u8 {
        match self {
            Self::Claimed => 0,
            Self::Compiled => 1,
            Self::Audited => 2,
            Self::Rechecked => 3,
            Self::Judged => 4,
        }
    }

    /// The name used on the command line and in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Compiled => "compiled",
            Self::Audited => "audited",
            Self::Rechecked => "rechecked",
            Self::Judged => "judged",
        }
    }

    /// Whether a text is its name or its number.
    pub fn is_called(self, text: &str) -> bool {
        self.name() == text || self.number().to_string() == text
    }

    /// The next lower level.
    pub fn lower(self) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|&level| level < self)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level {} ({})", self.number(), self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Reads a name or a number.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|level| level.is_called(text)).ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// The text names no level.
#[derive(Debug, thiserror::Error)]
#[error("unknown level `{0}` (known: claimed, compiled, audited, rechecked, judged, or 0 to 4)")]
pub struct UnknownLevel(String);

/// What is judged: a file with proofs, against a file that is trusted to say what they prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The file with the proofs. Nothing in it is trusted.
    pub submission: String,
    /// A complete file that states the theorems. It is trusted; whether and how it proves them does not matter.
    pub challenge: String,
    /// The theorems, as they are called at the end of both files.
    pub theorems: Vec<String>,
}

/// Why a proof is rejected, for programs; a message beside it says more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The file cannot be read.
    Malformed,
    /// The file contains something that no proof needs and a cheat could use.
    Forbidden,
    /// The assistant refuses the file.
    Refused,
    /// The file has no such theorem.
    Missing,
    /// The proof, or one that must be there, is left out.
    Unproved,
    /// The theorem states something else.
    Statement,
    /// It rests on an axiom that is not allowed.
    Axiom,
    /// It was accepted with a check of the kernel switched off.
    Unchecked,
    /// It does what a known bug of the kernel at hand needs.
    Bug,
    /// The second run of the kernel refuses it.
    Kernel,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::Malformed,
        Self::Forbidden,
        Self::Refused,
        Self::Missing,
        Self::Unproved,
        Self::Statement,
        Self::Axiom,
        Self::Unchecked,
        Self::Bug,
        Self::Kernel,
    ];

    /// The name used in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Forbidden => "forbidden",
            Self::Refused => "refused",
            Self::Missing => "missing",
            Self::Unproved => "unproved",
            Self::Statement => "statement",
            Self::Axiom => "axiom",
            Self::Unchecked => "unchecked",
            Self::Bug => "bug",
            Self::Kernel => "kernel",
        }
    }
}

/// What a user may permit so that a claim is no longer rejected for what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Permission {
    /// An axiom or a set of axioms, by its name.
    Axioms(String),
    /// A known bug of the kernel, by its name.
    Bug(String),
}

/// What the checker says about a claim.
#[derive(Debug)]
pub enum Verdict {
    /// The proof holds.
    Accepted {
        /// How much was verified.
        level: Level,
        /// The axioms it rests on, all of them allowed.
        axioms: Vec<String>,
        /// What else it trusts, from level 2 on.
        trust: Trust,
        /// Why the level is lower than the one asked for, if it is.
        shortfall: Option<String>,
    },
    /// The proof does not hold.
    Rejected {
        /// The level that it does not reach.
        level: Level,
        /// Why.
        reason: Reason,
        /// The same for people, with particulars.
        message: String,
        /// What its user may permit instead.
        permission: Option<Permission>,
    },
    /// The machinery failed; this says nothing about the proof.
    Infrastructure {
        /// The level that was being worked on.
        level: Level,
        /// How it failed.
        error: EnvError,
    },
}

impl Verdict {
    /// Acceptance at the level asked for.
    pub fn accepted(level: Level, axioms: Vec<String>) -> Self {
        Self::Accepted { level, axioms, trust: Trust::default(), shortfall: None }
    }

    /// A failure of the machinery at a level, for [`Result::map_err`].
    pub fn failed(level: Level) -> impl Fn(EnvError) -> Self {
        move |error| Self::Infrastructure { level, error }
    }

    /// Rejection.
    pub fn rejected(level: Level, reason: Reason, message: impl Into<String>) -> Self {
        Self::Rejected { level, reason, message: message.into(), permission: None }
    }

    /// Rejection for what a user may permit.
    pub fn not_permitted(
        level: Level,
        reason: Reason,
        message: impl Into<String>,
        permission: Permission,
    ) -> Self {
        Self::Rejected { level, reason, message: message.into(), permission: Some(permission) }
    }
}

/// A step of a climb: what it gives to the next, or the verdict with which the climb ends there.
pub(crate) type Step<T> = Result<T, Verdict>;

/// How far up the ladder a checker can climb on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The highest level to be had.
    pub highest: Level,
    /// Why not a higher one.
    pub shortfall: Option<String>,
}

/// Judges finished proofs.
#[async_trait]
pub trait Checker: Send + Sync {
    /// How far up this checker can climb. Looks for what it needs at the first call.
    async fn reach(&self) -> Reach {
        let shortfall = "the system has no second look at a proof".to_owned();
        Reach { highest: Level::Compiled, shortfall: Some(shortfall) }
    }

    /// Prepares to judge proofs of a theorem, before there is one and apart from all of them.
    ///
    /// Fails with [`EnvError::TheoremRefused`] when what the theorem states cannot be pinned faithfully.
    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let _ = theorem;
        Ok(())
    }

    /// Judges a claim, from the lowest level up to `level`, or as far as there is.
    async fn check(&self, claim: &Claim, level: Level) -> Verdict;
}

/// How often a check is repeated when the machinery fails.
const RETRIES: u32 = 2;

/// Judges a claim. When the machinery fails the check is repeated; when it fails again and again on a higher level,
/// the proof is accepted on the level below, which says why it is no higher. A challenge that does not state the theorem
/// is no such failure: then there is nothing to be judged.
pub async fn judge(checker: &dyn Checker, claim: &Claim, level: Level) -> Verdict {
    let mut verdict = checker.check(claim, level).await;
    for _ in 0..RETRIES {
        let Verdict::Infrastructure { error, .. } = &verdict else { return verdict };
        if !error.is_retryable() {
            break;
        }
        tracing::warn!("a check is repeated: {error}");
        verdict = checker.check(claim, level).await;
    }
    let Verdict::Infrastructure { level: failed, error } = &verdict else { return verdict };
    if matches!(error, EnvError::TheoremRefused { .. }) {
        return verdict;
    }
    let Some(below) = failed.lower().filter(|&below| below > Level::Claimed) else { return verdict };
    let shortfall = format!("{failed} failed: {error}");
    match checker.check(claim, below).await {
        Verdict::Accepted { level, axioms, trust, .. } => {
            Verdict::Accepted { level, axioms, trust, shortfall: Some(shortfall) }
        }
        rejected @ Verdict::Rejected { .. } => rejected,
        Verdict::Infrastructure { .. } => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_by_name_and_number() {
        for level in Level::ALL {
            assert_eq!(level.name().parse::<Level>().ok(), Some(level));
            assert_eq!(level.number().to_string().parse::<Level>().ok(), Some(level));
        }
        assert!("5".parse::<Level>().is_err());
        assert_eq!(Level::Judged.lower(), Some(Level::Rechecked));
        assert_eq!(Level::Claimed.lower(), None);
    }
}
