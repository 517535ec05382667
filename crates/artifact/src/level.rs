//! Levels of verification, as files number them.

use serde::{Deserialize, Deserializer, de};

/// The highest level that this version knows: 4, `judged`.
pub const HIGHEST_LEVEL: u8 = 4;

/// Reads a level.
pub(crate) fn known<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    check(u8::deserialize(from)?)
}

/// Reads a level, or `null`.
pub(crate) fn known_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    Option::deserialize(from)?.map(check).transpose()
}

fn check<E: de::Error>(level: u8) -> Result<u8, E> {
    if level <= HIGHEST_LEVEL {
        Ok(level)
    } else {
        Err(E::custom(format!(
            "unknown level of verification {level}; this version knows 0 to {HIGHEST_LEVEL}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use crate::result::RejectedClaim;

    #[test]
    fn a_level_that_is_unknown_is_named() {
        let claim = |level: &str| {
            let text = format!(r#"{{"level": {level}, "reason": "axiom", "message": ""}}"#);
            serde_json::from_str::<RejectedClaim>(&text).map(|claim| claim.level)
        };
        assert_eq!(claim("4").map_err(|error| error.to_string()), Ok(4));
        let error = claim("5").expect_err("there is no such level").to_string();
        assert!(error.starts_with("unknown level of verification 5; this version knows 0 to 4"), "{error}");
        assert!(claim("-1").is_err() && claim("256").is_err() && claim("null").is_err());
    }
}
