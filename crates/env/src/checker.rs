//! The interface of checkers, which verify finished proofs in fresh processes, level by level
//! (`docs/guide/verification.md`).

use std::fmt;
use std::str::FromStr;

use andor_core::theorem::Theorem;
use andor_core::verdict::Reason;
use async_trait::async_trait;

use crate::error::EnvError;
use crate::outline::Place;
use crate::trust::{SecondJudge, Trust};

/// A level of verification. Higher levels include the lower ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// A claim: the search saw no goals left.
    Claimed,
    /// A fresh proof assistant accepts the whole file.
    Compiled,
    /// The statement equals the one in a separate trusted file, and the proof uses only allowed axioms.
    Audited,
    /// A separate run of the kernel accepts it too.
    Rechecked,
    /// All of this happened in a sandbox that was tested beforehand.
    Judged,
}

impl Level {
    /// Every level, lowest first.
    pub const ALL: [Self; 5] = [Self::Claimed, Self::Compiled, Self::Audited, Self::Rechecked, Self::Judged];

    /// The levels at which something is verified, lowest first.
    pub const VERIFIED: &[Self] = &[Self::Compiled, Self::Audited, Self::Rechecked, Self::Judged];

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

    /// Whether a text is the name or number of this level.
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

    /// Parses a name or a number.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|level| level.is_called(text)).ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// The text is not a level.
#[derive(Debug, thiserror::Error)]
#[error("unknown level `{0}` (known: claimed, compiled, audited, rechecked, judged, or 0 to 4)")]
pub struct UnknownLevel(String);

/// A claim to verify: a file with proofs, and a trusted file that states what they prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The file with the proofs. It is not trusted.
    pub submission: String,
    /// A complete, trusted file that states the theorems. Whether and how it proves them does not matter.
    pub challenge: String,
    /// The theorems, by their names at the end of both files.
    pub theorems: Vec<String>,
}

/// What a user can permit so that a claim is no longer rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Permission {
    /// An axiom or a set of axioms, by its name.
    Axioms(String),
    /// A known bug of the kernel, by its name.
    Bug(String),
    /// Bounds of universes by those of libraries.
    Universes,
}

/// The verdict on a claim.
#[derive(Debug)]
pub enum Verdict {
    /// The proof is accepted.
    Accepted {
        /// The level that was reached.
        level: Level,
        /// The axioms it depends on, all of them allowed.
        axioms: Vec<String>,
        /// What else has to be trusted, from level 2 on.
        trust: Box<Trust>,
        /// What this machine lacks for the requested level, if the level is lower.
        shortfall: Option<String>,
    },
    /// The proof is rejected.
    Rejected {
        /// The level that was not reached.
        level: Level,
        /// Why.
        reason: Reason,
        /// The message.
        message: String,
        /// What its user may permit instead.
        permission: Option<Permission>,
        /// The place in the submission that the message is about, if it is about one.
        at: Option<Place>,
    },
    /// The check did not finish. This says nothing about the proof, and the proof is not accepted at any level.
    Infrastructure {
        /// The level at which it occurred.
        level: Level,
        /// The failure.
        error: EnvError,
    },
}

impl Verdict {
    /// Acceptance at the requested level.
    pub fn accepted(level: Level, axioms: Vec<String>) -> Self {
        Self::Accepted { level, axioms, trust: Box::default(), shortfall: None }
    }

    /// A technical failure at a level, for [`Result::map_err`].
    pub fn failed(level: Level) -> impl Fn(EnvError) -> Self {
        move |error| Self::Infrastructure { level, error }
    }

    /// A rejection.
    pub fn rejected(level: Level, reason: Reason, message: impl Into<String>) -> Self {
        Self::Rejected { level, reason, message: message.into(), permission: None, at: None }
    }

    /// The same, if it is a rejection, with the place in the submission that its message is about.
    #[must_use]
    pub fn located(mut self, place: Option<Place>) -> Self {
        if let Self::Rejected { at, .. } = &mut self {
            *at = place;
        }
        self
    }

    /// A rejection that a user can avoid by a permission.
    pub fn not_permitted(
        level: Level,
        reason: Reason,
        message: impl Into<String>,
        permission: Permission,
    ) -> Self {
        Self::Rejected { level, reason, message: message.into(), permission: Some(permission), at: None }
    }
}

/// A verification step: its result for the next step, or the final verdict.
pub type Step<T> = Result<T, Verdict>;

/// What is asked of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The level to verify to, or as far below it as the tools of this machine reach.
    pub level: Level,
    /// The lowest level that will do.
    pub least: Level,
    /// Whether a second judge must accept the proof, too.
    pub second_judge: bool,
    /// The size, in bytes, of the largest file that is read: reading takes time that no limit of a process covers.
    pub max_bytes: usize,
}

/// A level, or as far below it as the tools reach.
impl From<Level> for Demand {
    fn from(level: Level) -> Self {
        Self { level, least: Level::Compiled, second_judge: false, max_bytes: usize::MAX }
    }
}

/// The levels that a checker supports on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The highest available level.
    pub highest: Level,
    /// Why no higher level is available.
    pub shortfall: Option<String>,
}

/// Verifies finished proofs.
#[async_trait]
pub trait Checker: Send + Sync {
    /// The highest level that the system supports on any machine.
    fn ceiling(&self) -> Level {
        Level::Judged
    }

    /// The levels that this checker supports, by what is installed and never by how a check ended. The first call looks
    /// for the required programs.
    async fn reach(&self) -> Reach {
        let shortfall = "the system has no second check of a proof".to_owned();
        Reach { highest: Level::Compiled, shortfall: Some(shortfall) }
    }

    /// The other kernels that are asked at [`Level::Rechecked`], or why there are none here. `None` if the system has none.
    async fn second_judge(&self) -> Option<Result<Vec<String>, String>> {
        None
    }

    /// The theorems of a claim that is accepted, with everything that they need, as other kernels read them: the format of
    /// lean4export, version 3.1.0. The claim is compiled and compared with its challenge again.
    async fn export(&self, claim: &Claim) -> Result<Vec<u8>, EnvError> {
        let _ = claim;
        Err(EnvError::NoExport)
    }

    /// Prepares the verification of a theorem's proofs before the first one exists, independently of them.
    ///
    /// Fails with [`EnvError::TheoremRefused`] if the statement cannot be pinned faithfully.
    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let _ = theorem;
        Ok(())
    }

    /// Verifies a claim from the lowest level up to `level`, which is not above [`Reach::highest`]. Whatever keeps the
    /// check from reaching it is [`Verdict::Infrastructure`], never acceptance at a lower level. [`judge`] calls this.
    async fn check(&self, claim: &Claim, level: Level) -> Verdict;
}

/// How often verification is repeated after technical failures.
const RETRIES: u32 = 2;

/// Verifies a claim to the level demanded, or as far as the tools of this machine reach; the verdict then says what is
/// missing.
///
/// Only a missing tool lowers the level. A failure of the check itself (its time is up, a program crashes or runs out of
/// memory) is repeated where that can help, and is then the verdict: a submission that can make a level fail must not be
/// accepted at the level below. Nor is one accepted that keeps a required second judge from answering.
pub async fn judge(checker: &dyn Checker, claim: &Claim, demand: impl Into<Demand>) -> Verdict {
    let Demand { level, least, second_judge, max_bytes } = demand.into();
    let size = claim.submission.len().max(claim.challenge.len());
    if size > max_bytes {
        let message = format!("it has {size} bytes, which is more than {max_bytes}, the maximum");
        return Verdict::rejected(Level::Compiled, Reason::Refused, message);
    }
    let Reach { highest, shortfall } = checker.reach().await;
    if highest == Level::Claimed {
        let why = shortfall.unwrap_or_else(|| "this machine has no checker for this system".to_owned());
        return Verdict::Infrastructure { level: Level::Compiled, error: EnvError::NoChecker { why } };
    }
    let required = level.min(highest);
    let mut verdict = checker.check(claim, required).await;
    for _ in 0..RETRIES {
        let Verdict::Infrastructure { error, .. } = &verdict else { break };
        if !error.is_retryable() {
            break;
        }
        tracing::warn!("a check is repeated: {error}");
        verdict = checker.check(claim, required).await;
    }
    let Verdict::Accepted { level: reached, axioms, trust, shortfall: why } = verdict else { return verdict };
    let why = why.or(shortfall.filter(|_| reached < level));
    let required = required.max(least);
    if reached < required {
        let why = why.unwrap_or_else(|| "no reason is known".to_owned());
        return Verdict::Infrastructure { level: required, error: EnvError::Short { reached, why } };
    }
    if second_judge && !matches!(trust.second_judge, SecondJudge::Accepted { .. }) {
        let why = match (trust.second_judge.silence(), checker.second_judge().await) {
            (Some(silence), _) => format!("it is silent: {silence}"),
            (None, Some(Err(why))) => format!("there is none: {why}"),
            (None, Some(Ok(_))) => format!("it is not asked at {reached}"),
            (None, None) => "the system has none".to_owned(),
        };
        return Verdict::Infrastructure { level: Level::Rechecked, error: EnvError::NoSecondJudge { why } };
    }
    Verdict::Accepted { level: reached, axioms, trust, shortfall: why }
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
