//! Serde support for a number or the word `none`, as on the command line. TOML has no null, and keys missing from a
//! file take their defaults. `null` is accepted too.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => to.serialize_f64(*number),
        None => to.serialize_str("none"),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    from.deserialize_any(NumberOrNone)
}

struct NumberOrNone;

impl Visitor<'_> for NumberOrNone {
    type Value = Option<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or \"none\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(number as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match text {
            "none" => Ok(None),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}
