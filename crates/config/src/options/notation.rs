//! Formats of option values.

use std::path::PathBuf;

use andor_env::checker::Level;

use super::Setting;
use crate::{Binding, ProviderConfig};

/// The format of an option's value, and the allowed range of numbers.
#[derive(Clone, Copy, Debug)]
pub enum Notation {
    /// No value: giving the option sets its key to this.
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
    /// Any text.
    Text,
    /// One of these names.
    OneOf(fn() -> Vec<&'static str>),
    /// Words separated by commas; repeatable.
    Words,
    /// A distribution of latencies.
    Latency,
    /// A provider; repeatable.
    Provider,
    /// A language model as a provider; repeatable.
    Model,
    /// A file.
    File,
    /// A level of verification, by number or name, or `best`.
    Level,
    /// A folder and a logical path; repeatable.
    LoadPath(Binding),
}

/// Upper bound of durations, in seconds.
pub(crate) const LONGEST_S: f64 = 1e9;

/// The allowed range of a number.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The lower bound.
    pub least: f64,
    /// The upper bound.
    pub most: f64,
    /// Whether each bound is excluded.
    pub is_open: (bool, bool),
    /// The error message for a number outside the range.
    pub rule: &'static str,
}

impl Range {
    /// Above 0, and at most 10^9 seconds.
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
    /// The allowed range, if the value is a number.
    pub fn range(&self) -> Option<Range> {
        match *self {
            Self::Whole(range) | Self::Number(range) | Self::NumberOrNone(range) => Some(range),
            Self::Integer(range) => range,
            Self::Duration | Self::DurationOrNone => Some(Range::SECONDS),
            _ => None,
        }
    }

    /// Whether the option is repeatable and its values form a list.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Words | Self::Provider | Self::Model | Self::LoadPath(_))
    }

    /// Parses a value, or one item of a list. The error says what is expected. Ranges are checked later, as rules of
    /// the configuration.
    pub fn read(&self, text: &str) -> Result<Setting, String> {
        Ok(match self {
            Self::Switch(to) => Setting::Switch(*to),
            Self::Whole(_) => Setting::Whole(whole(text)?),
            Self::Integer(_) => {
                Setting::Integer(text.parse().map_err(|_| format!("`{text}` is not a whole number"))?)
            }
            Self::NumberOrNone(_) | Self::DurationOrNone if text == "none" => Setting::Absent,
            Self::Number(_) | Self::NumberOrNone(_) => {
                Setting::Number(text.parse().map_err(|_| format!("`{text}` is not a number"))?)
            }
            Self::Duration | Self::DurationOrNone => Setting::Number(seconds(text)?),
            Self::OneOf(_) | Self::Text => Setting::Name(text.to_owned()),
            Self::File if text.is_empty() => Err("the name of a file is expected")?,
            Self::File => Setting::Name(text.to_owned()),
            Self::Words => Setting::Words(vec![text.to_owned()]),
            Self::Latency => Setting::Latency(text.parse()?),
            Self::Provider => Setting::Providers(vec![provider(text)?]),
            Self::Model => Setting::Providers(vec![ProviderConfig::Llm { model: text.to_owned() }]),
            Self::Level => Setting::Name(level(text)?.to_owned()),
            Self::LoadPath(_) => Err("expected a folder and a name")?,
        })
    }

    /// Formats a value; `None` if it is absent or a list.
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

/// Parses an unsigned 64-bit integer.
///
/// # Errors
/// What is expected.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number between 0 and {}", u64::MAX))
}

/// Parses a positive duration, and returns seconds.
///
/// # Errors
/// What is expected.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match seconds(text)? {
        seconds if Range::SECONDS.contains(seconds) => Ok(seconds),
        _ => Err(Range::SECONDS.rule.to_owned()),
    }
}

/// Parses `500ms`, `30s`, `2m` or `1h`, and returns seconds; a bare number is in seconds.
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
        _ => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    let number: f64 =
        number.parse().map_err(|_| format!("`{text}` is not a duration; write for example 30s or 2m"))?;
    Ok(number * seconds)
}

/// Parses a level of verification, by number or name, or `best`.
fn level(text: &str) -> Result<&'static str, String> {
    match text {
        "best" => Ok("best"),
        "0" | "claimed" => Err("level 0 (claimed) verifies nothing; choose a level from 1".to_owned()),
        text => match Level::VERIFIED.iter().find(|level| level.is_called(text)) {
            Some(level) => Ok(level.name()),
            None => {
                Err("choose 1 or compiled, 2 or audited, 3 or rechecked, 4 or judged, or best".to_owned())
            }
        },
    }
}

fn provider(text: &str) -> Result<ProviderConfig, String> {
    match text.split_once('=') {
        None if text == "heuristic" => Ok(ProviderConfig::Heuristic),
        None if text == "synthetic" => Ok(ProviderConfig::Synthetic { critic: false }),
        None if text == "synthetic+critic" => Ok(ProviderConfig::Synthetic { critic: true }),
        Some(("llm", model)) => Ok(ProviderConfig::Llm { model: model.to_owned() }),
        Some(("replay", run)) => Ok(ProviderConfig::Replay { run: PathBuf::from(run) }),
        Some(("scripted", path)) => Ok(ProviderConfig::Scripted { path: PathBuf::from(path) }),
        Some(("learned", path)) => Ok(ProviderConfig::Learned { path: PathBuf::from(path) }),
        Some(("exec", command)) => Ok(ProviderConfig::Exec { command: command.to_owned() }),
        _ => Err(format!(
            "unknown provider `{text}`; choose heuristic, llm=MODEL, replay=RUN, scripted=FILE, exec=COMMAND, learned=FILE, synthetic, synthetic+critic"
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
        for known in Level::VERIFIED {
            let number = known.number().to_string();
            assert_eq!(level(known.name()), Ok(known.name()));
            assert_eq!(level(&number), Ok(known.name()));
        }
        assert_eq!(level("best"), Ok("best"));
        for bad in ["", "0", "claimed", "5", "-1", "Judged"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
