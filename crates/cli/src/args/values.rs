//! Values of options that have a notation of their own.

use std::num::NonZeroUsize;

use andor_run::config::VerifyLevel;
use andor_run::judge::Level;

/// How far to verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verify {
    /// To this level or fail.
    Demand(VerifyLevel),
    /// As far as possible.
    Best,
}

/// A parser for the names of a choice.
macro_rules! names {
    ($type:ty) => {
        clap::builder::TypedValueParser::map(
            clap::builder::PossibleValuesParser::new(<$type>::ALL.iter().map(|c| c.name())),
            |text| <$type>::ALL.iter().copied().find(|c| c.name() == text).expect("only listed names pass"),
        )
    };
}
pub(super) use names;

/// A number or `none`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionalNumber(pub(crate) Option<f64>);

/// A duration in seconds, or `none`.
pub(super) fn optional_seconds(text: &str) -> Result<OptionalNumber, String> {
    match text {
        "none" => Ok(OptionalNumber(None)),
        text => seconds(text).map(|s| OptionalNumber(Some(s))),
    }
}

/// A level by number or name, or `best`.
pub(super) fn verify(text: &str) -> Result<Verify, String> {
    match text {
        "best" => Ok(Verify::Best),
        "0" | "claimed" => {
            Err("a claim is what the search says by itself: level 0 verifies nothing".to_owned())
        }
        text => match VerifyLevel::ALL.iter().find(|&&level| Level::from(level).is_called(text)) {
            Some(&level) => Ok(Verify::Demand(level)),
            None => {
                Err("known are 1 or compiled, 2 or audited, 3 or rechecked, 4 or judged, and best".to_owned())
            }
        },
    }
}

pub(super) fn optional_number(text: &str) -> Result<OptionalNumber, String> {
    match text {
        "none" => Ok(OptionalNumber(None)),
        text => text.parse().map(|n| OptionalNumber(Some(n))).map_err(|_| format!("`{text}` is no number")),
    }
}

/// How many of something, at least one.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "write a whole number, 1 or more".to_owned())
}

/// A number of 64 bits, such as a seed.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number between 0 and {}", u64::MAX))
}

/// A duration that is not 0, in seconds.
pub(super) fn positive_seconds(text: &str) -> Result<f64, String> {
    match seconds(text)? {
        seconds if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("must be positive and at most 1000000000 seconds".to_owned()),
    }
}

/// `500ms`, `30s`, `2m`, `1h` in seconds; a bare number is seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`: known are ms, s, m, h")),
    };
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is no duration; write for example 30s or 2m"))?;
    Ok(number * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(seconds("500ms"), Ok(0.5));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("7"), Ok(7.0));
        assert_eq!(seconds("-1s"), Ok(-1.0));
        for bad in ["", "s", "3 weeks", "1e99", "NaN", "inf"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn levels_of_verification() {
        for level in VerifyLevel::ALL {
            let number = Level::from(*level).number().to_string();
            assert_eq!(verify(level.name()), Ok(Verify::Demand(*level)));
            assert_eq!(verify(&number), Ok(Verify::Demand(*level)));
        }
        assert_eq!(verify("best"), Ok(Verify::Best));
        for bad in ["", "0", "claimed", "5", "-1", "Judged"] {
            assert!(verify(bad).is_err(), "{bad}");
        }
    }
}
