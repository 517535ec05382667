//! Serialises the level to which proofs are verified by its name. Level 0 verifies nothing, so it is none.

use std::borrow::Cow;

use andor_core::choice::UnknownChoice;
use andor_env::checker::Level;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
    let name = Cow::<str>::deserialize(deserializer)?;
    Level::VERIFIED.iter().copied().find(|level| level.name() == name).ok_or_else(|| {
        let known = Level::VERIFIED.iter().map(|level| level.name()).collect();
        D::Error::custom(UnknownChoice { text: name.into_owned(), known })
    })
}
