//! The value of one option.

use std::path::PathBuf;

use andor_core::plan::PlanSchedule;
use andor_core::policy::CycleRule;
use andor_core::schedule::ObstacleVisits;
use andor_core::systems::{LeanBackend, Universes};
use andor_core::tree::Identity;
use andor_env::checker::Level;
use andor_env::worker::Grouping;

use crate::{
    Backup, Clock, Expansion, Form, LatencySpec, LoadPath, MctsMode, Preset, ProviderConfig, RankerConfig,
    SecondJudgeConfig, Selection, ShareProgress,
};

/// The value of an option, as parsed or as held by a configuration.
#[derive(Clone, PartialEq, Debug)]
pub enum Setting {
    /// No value: the option was not given, or is set to `none`.
    Absent,
    /// On or off.
    Switch(bool),
    /// A whole number of 64 bits.
    Whole(u64),
    /// A whole number that may be negative.
    Integer(i64),
    /// A number, or a duration in seconds.
    Number(f64),
    /// A name.
    Name(String),
    /// Several words.
    Words(Vec<String>),
    /// A distribution of latencies.
    Latency(LatencySpec),
    /// Providers.
    Providers(Vec<ProviderConfig>),
    /// Folders of compiled modules.
    LoadPath(Vec<LoadPath>),
}

impl Setting {
    /// The value as a number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Integer(number) => Some(*number as f64),
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// The notation and the field's type are declared in the same row, and a test sets every option.
fn mismatch(setting: &Setting) -> ! {
    unreachable!("the notation of an option gives what its field takes, and not {setting:?}")
}

macro_rules! conversions {
    ($($type:ty: $value:pat => $from:expr, $setting:pat => $to:expr;)*) => {$(
        impl From<$type> for Setting {
            fn from($value: $type) -> Self {
                $from
            }
        }
        impl From<Setting> for $type {
            fn from(setting: Setting) -> Self {
                match setting {
                    $setting => $to,
                    other => mismatch(&other),
                }
            }
        }
    )*};
}

conversions! {
    bool: on => Self::Switch(on), Setting::Switch(on) => on;
    u64: number => Self::Whole(number), Setting::Whole(number) => number;
    u32: number => Self::Whole(number.into()), Setting::Whole(number) => u32::try_from(number).unwrap_or(u32::MAX);
    usize: number => Self::Whole(number as u64), Setting::Whole(number) => usize::try_from(number).unwrap_or(usize::MAX);
    i64: number => Self::Integer(number), Setting::Integer(number) => number;
    String: text => Self::Name(text), Setting::Name(text) => text;
    f64: number => Self::Number(number), Setting::Number(number) => number;
    LatencySpec: latency => Self::Latency(latency), Setting::Latency(latency) => latency;
}

/// Settings for choices.
macro_rules! choices {
    ($($type:ty),* $(,)?) => {$(
        impl From<$type> for Setting {
            fn from(choice: $type) -> Self {
                Self::Name(choice.name().to_owned())
            }
        }
        impl From<Setting> for $type {
            fn from(setting: Setting) -> Self {
                match setting {
                    Setting::Name(name) => name.parse().expect("only listed names are read"),
                    other => mismatch(&other),
                }
            }
        }
    )*};
}

impl From<Level> for Setting {
    fn from(level: Level) -> Self {
        Self::Name(level.name().to_owned())
    }
}

impl From<Setting> for Level {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Name(name) => name.parse().expect("only listed names are read"),
            other => mismatch(&other),
        }
    }
}

choices!(
    Backup,
    Clock,
    CycleRule,
    Expansion,
    Form,
    Grouping,
    Identity,
    LeanBackend,
    MctsMode,
    ObstacleVisits,
    PlanSchedule,
    Selection,
    Preset,
    RankerConfig,
    SecondJudgeConfig,
    ShareProgress,
    Universes,
);

/// Settings for an optional field.
macro_rules! optional {
    ($($type:ty),*) => {$(
        impl From<Option<$type>> for Setting {
            fn from(value: Option<$type>) -> Self {
                value.map_or(Self::Absent, Self::from)
            }
        }
        impl From<Setting> for Option<$type> {
            fn from(setting: Setting) -> Self {
                match setting {
                    Setting::Absent => None,
                    setting => Some(setting.into()),
                }
            }
        }
    )*};
}

optional!(u64, u32, i64, f64, String, Form, RankerConfig, ObstacleVisits);

impl From<Option<PathBuf>> for Setting {
    fn from(path: Option<PathBuf>) -> Self {
        path.map_or(Self::Absent, |path| Self::Name(path.display().to_string()))
    }
}

impl From<Setting> for Option<PathBuf> {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Absent => None,
            Setting::Name(path) => Some(path.into()),
            other => mismatch(&other),
        }
    }
}
