//! How the values of options are written.

use std::path::PathBuf;

use andor_env::checker::Level;

use super::Setting;
use crate::{Binding, ProviderConfig, VerifyLevel};

/// How the value of an option is written, and the numbers that it may be.
#[derive(Clone, Copy, Debug)]
pub enum Notation {
    /// It has none: to give the option sets its key to this.
    Switch(bool),
    /// A whole number.
    Whole(Range),
    /// A whole number that may be negative.
    Integer(Option<Range>),
    /// A number.
    Number(Range),
    /// A number, or `none`.
    NumberOrNone(Range),
    /// A duration: `500ms`, `30s`, `2m`, `1h`.
    Duration,
    /// A duration, or `none`.
    DurationOrNone,
    /// One of these names.
    OneOf(fn() -> Vec<&'static str>),
    /// Words with commas between them; repeatable.
    Words,
    /// A distribution of latencies.
    Latency,
    /// A provider; repeatable.
    Provider,
    /// A level of verification, by number or name, or `best`.
    Level,
    /// A folder and a logical path; repeatable.
    LoadPath(Binding),
}

/// The greatest duration, in seconds.
pub(crate) const LONGEST_S: f64 = 1e9;

/// The numbers that an option takes.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The smallest.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Whether the two themselves are left out.
    pub is_open: (bool, bool),
    /// What is said to another number.
    pub rule: &'static str,
}

impl Range {
    /// Above 0, and at most a thousand million seconds.
    pub const SECONDS: Self = Self {
        least: 0.0,
        most: LONGEST_S,
        is_open: (true, false),
        rule: "must be positive and at most 1000000000 seconds",
    };

    pub(crate) fn contains(&self, number: f64) -> bool {
        let above = if self.is_open.0 { number > self.least } else { number >= self.least };
        let below = if self.is_open.1 { number < self.most } else { number <= self.most };
        above && below
    }
}

impl Notation {
    /// The numbers that it takes, if it takes numbers.
    pub fn range(&self) -> Option<Range> {
        match *self {
            Self::Whole(range) | Self::Number(range) | Self::NumberOrNone(range) => Some(range),
            Self::Integer(range) => range,
            Self::Duration | Self::DurationOrNone => Some(Range::SECONDS),
            _ => None,
        }
    }

    /// Whether the option may be repeated, and its values together are a list.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Words | Self::Provider | Self::LoadPath(_))
    }

    /// Reads a value; of lists, one item. The error says what is expected. Whether a number is in its range is a rule of
    /// configurations.
    pub fn read(&self, text: &str) -> Result<Setting, String> {
        Ok(match self {
            Self::Switch(to) => Setting::Switch(*to),
            Self::Whole(_) => Setting::Whole(whole(text)?),
            Self::Integer(_) => {
                Setting::Integer(text.parse().map_err(|_| format!("`{text}` is no whole number"))?)
            }
            Self::NumberOrNone(_) | Self::DurationOrNone if text == "none" => Setting::Absent,
            Self::Number(_) | Self::NumberOrNone(_) => {
                Setting::Number(text.parse().map_err(|_| format!("`{text}` is no number"))?)
            }
            Self::Duration | Self::DurationOrNone => Setting::Number(seconds(text)?),
            Self::OneOf(_) => Setting::Name(text.to_owned()),
            Self::Words => Setting::Words(vec![text.to_owned()]),
            Self::Latency => Setting::Latency(text.parse()?),
            Self::Provider => Setting::Providers(vec![provider(text)?]),
            Self::Level => Setting::Name(level(text)?.to_owned()),
            Self::LoadPath(_) => Err("a folder and a name are expected")?,
        })
    }

    /// How a value is written; `None` for one that is absent, or a list.
    pub fn write(&self, setting: &Setting) -> Option<String> {
        Some(match setting {
            Setting::Number(seconds) if matches!(self, Self::Duration | Self::DurationOrNone) => {
                format!("{seconds}s")
            }
            Setting::Number(number) => number.to_string(),
            Setting::Whole(number) => number.to_string(),
            Setting::Integer(number) => number.to_string(),
            Setting::Name(name) => name.clone(),
            Setting::Latency(latency) => latency.to_string(),
            Setting::Absent
            | Setting::Switch(_)
            | Setting::Words(_)
            | Setting::Providers(_)
            | Setting::LoadPath(_) => return None,
        })
    }
}

/// A whole number of 64 bits.
///
/// # Errors
/// What is expected.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number between 0 and {}", u64::MAX))
}

/// A duration that is not 0, in seconds.
///
/// # Errors
/// What is expected.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match seconds(text)? {
        seconds if Range::SECONDS.contains(seconds) => Ok(seconds),
        _ => Err(Range::SECONDS.rule.to_owned()),
    }
}

/// `500ms`, `30s`, `2m`, `1h` in seconds; a bare number is seconds.
///
/// # Errors
/// What is expected.
pub fn seconds(text: &str) -> Result<f64, String> {
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

/// A level of verification by number or name, or `best`.
fn level(text: &str) -> Result<&'static str, String> {
    match text {
        "best" => Ok("best"),
        "0" | "claimed" => {
            Err("a claim is what the search says by itself: level 0 verifies nothing".to_owned())
        }
        text => match VerifyLevel::ALL.iter().find(|&&level| Level::from(level).is_called(text)) {
            Some(level) => Ok(level.name()),
            None => {
                Err("known are 1 or compiled, 2 or audited, 3 or rechecked, 4 or judged, and best".to_owned())
            }
        },
    }
}

fn provider(text: &str) -> Result<ProviderConfig, String> {
    match text.split_once('=') {
        None if text == "heuristic" => Ok(ProviderConfig::Heuristic),
        None if text == "synthetic" => Ok(ProviderConfig::Synthetic { critic: false }),
        None if text == "synthetic+critic" => Ok(ProviderConfig::Synthetic { critic: true }),
        Some(("scripted", path)) => Ok(ProviderConfig::Scripted { path: PathBuf::from(path) }),
        _ => Err(format!(
            "unknown provider `{text}`: known are heuristic, scripted=FILE, synthetic, synthetic+critic"
        )),
    }
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
        for known in VerifyLevel::ALL {
            let number = Level::from(*known).number().to_string();
            assert_eq!(level(known.name()), Ok(known.name()));
            assert_eq!(level(&number), Ok(known.name()));
        }
        assert_eq!(level("best"), Ok("best"));
        for bad in ["", "0", "claimed", "5", "-1", "Judged"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
