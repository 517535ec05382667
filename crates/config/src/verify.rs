//! How far proofs are verified.

use andor_core::choice;
use std::borrow::Cow;

use andor_core::choice::UnknownChoice;
use andor_core::systems::Universes;
use andor_env::checker::{Demand, Level};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The level to which proofs are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VerifyConfig {
    /// The target level, 1 or higher.
    #[serde(with = "target_level")]
    pub level: Level,
    /// Whether the target level is required. Otherwise a proof is verified as far as this machine supports.
    pub demanded: bool,
    /// Whether level 3 also checks the libraries.
    pub recheck_deps: bool,
    /// For which universes a polymorphic theorem of Rocq has to be proved.
    pub universes: Universes,
    /// Whether the kernel of another system must accept a proof, too.
    pub second_judge: SecondJudgeConfig,
    /// The size of the largest file with proofs or statements that is read, in megabytes of 2²⁰ bytes.
    pub max_file_mb: u64,
}

choice!(
    /// Whether the kernel of another system must accept a proof, too.
    SecondJudgeConfig {
        /// It is asked where there is one.
        Optional = "optional",
        /// Only what it accepts is accepted.
        Required = "required",
    }
);

impl VerifyConfig {
    /// The target level.
    pub fn wanted(self) -> Level {
        self.level
    }

    /// The lowest sufficient level.
    pub fn least(self) -> Level {
        if self.demanded { self.wanted() } else { Level::Compiled }
    }

    /// What is asked of a check.
    pub fn demand(self) -> Demand {
        let second_judge = self.second_judge == SecondJudgeConfig::Required;
        let max_bytes = usize::try_from(self.max_bytes()).unwrap_or(usize::MAX);
        Demand { level: self.wanted(), least: self.least(), second_judge, max_bytes }
    }

    /// The size of the largest file that is read, in bytes.
    pub fn max_bytes(self) -> u64 {
        self.max_file_mb << 20
    }
}

impl Default for VerifyConfig {
    fn default() -> Self {
        Self {
            level: Level::Rechecked,
            demanded: false,
            recheck_deps: false,
            universes: Universes::default(),
            second_judge: SecondJudgeConfig::Optional,
            max_file_mb: 16,
        }
    }
}

/// Serialises the target level by its name. Level 0 verifies nothing, so it is none.
mod target_level {
    use super::*;

    pub(super) fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Level::VERIFIED.iter().copied().find(|level| level.name() == name).ok_or_else(|| {
            let known = Level::VERIFIED.iter().map(|level| level.name()).collect();
            D::Error::custom(UnknownChoice { text: name.into_owned(), known })
        })
    }
}
