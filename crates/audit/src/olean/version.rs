//! Versions of Lean.

use std::fmt;
use std::str::FromStr;

/// A version of Lean 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The second number: 35 of 4.35.0.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "4.{}.{}", self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = UnknownVersion;

    /// Parses `4.35.0`; a suffix such as `-rc1` or `-nightly-2026-01-01` is ignored.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let release = text.trim().trim_start_matches('v').split('-').next().unwrap_or_default();
        let mut numbers = release.split('.').map(|part| part.parse::<u32>().ok());
        match (numbers.next(), numbers.next(), numbers.next(), numbers.next()) {
            (Some(Some(4)), Some(Some(minor)), Some(Some(patch)), None) => Ok(Self { minor, patch }),
            _ => Err(UnknownVersion(text.trim().to_owned())),
        }
    }
}

/// The text is not a version of Lean 4.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a version of Lean 4, such as 4.35.0")]
pub struct UnknownVersion(String);
