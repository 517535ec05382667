//! Values of options that have a notation of their own.

use std::time::Duration;

use andor_run::config::VerifyLevel;
use andor_run::judge::Level;

/// A duration or `none`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionalDuration(pub(crate) Option<Duration>);

/// How far to verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verify {
    /// To this level or fail.
    Demand(VerifyLevel),
    /// As far as possible.
    Best,
}

/// A number or `none`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionalNumber(pub(crate) Option<f64>);

pub(super) fn optional_duration(text: &str) -> Result<OptionalDuration, String> {
    match text {
        "none" => Ok(OptionalDuration(None)),
        text => duration(text).map(|d| OptionalDuration(Some(d))),
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

/// `500ms`, `30s`, `2m`, `1h`; a bare number is seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
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
    let seconds = number * seconds;
    if !(seconds > 0.0 && seconds < 1e9) {
        return Err("a duration must be positive".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        for bad in ["", "s", "-1s", "0", "3 weeks", "1e99", "NaN"] {
            assert!(duration(bad).is_err(), "{bad}");
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
