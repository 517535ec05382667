//! What rows of the table are made of: ranges of numbers, and macros that declare an option.

use super::notation::{Notation, Range};
use super::{ConfigOption, DefaultValue, Need, Section, Setting};

/// Any whole number of 64 bits.
pub(super) const ANY: Range = Range { least: 0.0, most: u64::MAX as f64, is_open: (false, false), rule: "" };
/// Any whole number of 32 bits.
pub(super) const ANY_32: Range =
    Range { least: 0.0, most: u32::MAX as f64, is_open: (false, false), rule: "must be at most 4294967295" };
/// A number of agents, reservations, workers or seeds. The bound is far above useful values and keeps sums and
/// products finite.
pub(super) const COUNT: Range =
    Range { least: 1.0, most: 1e6, is_open: (false, false), rule: "must be at least 1 and at most 1000000" };
pub(super) const AT_LEAST_ONE: Range = Range { least: 1.0, rule: "must be at least 1", ..ANY };
pub(super) const MEGABYTES: Range = Range {
    least: 1.0,
    most: (1_u64 << 40) as f64,
    is_open: (false, false),
    rule: "must be at least 1 and at most 1099511627776 megabytes",
};
/// A weight; 0 disables it.
pub(super) const WEIGHT: Range =
    Range { least: 0.0, most: 1e6, is_open: (false, false), rule: "must be at least 0 and at most 1000000" };
pub(super) const TEMPERATURE: Range =
    Range { least: 0.0, most: 100.0, is_open: (false, false), rule: "must be between 0 and 100" };
/// An amount of money.
pub(super) const MONEY: Range =
    Range { least: 0.0, most: 1e9, is_open: (false, false), rule: "must be from 0 to 1e9" };
pub(super) const SHARE: Range =
    Range { least: 0.0, most: 1.0, is_open: (false, false), rule: "must be between 0 and 1" };
pub(super) const INSIDE: Range =
    Range { is_open: (true, true), rule: "must lie strictly between 0 and 1", ..SHARE };
pub(super) const BELOW_1: Range =
    Range { is_open: (false, true), rule: "must be at least 0 and below 1", ..SHARE };
pub(super) const ABOVE_0: Range =
    Range { is_open: (true, false), rule: "must be above 0 and at most 1", ..SHARE };

pub(super) const DISTRIBUTED: &[Need] = &[Need::Distributed];
pub(super) const OF_BLOCKS: &[Need] =
    &[Need::Distributed, Need::With("--mcts-block-fraction", "needs --mcts-block-fraction")];
pub(super) const REQUIRED_OF_BLOCKS: &[Need] = &[
    Need::Distributed,
    Need::With("--mcts-block-fraction", "needs --mcts-block-fraction"),
    Need::RequiredWith(&["--mcts-block-fraction"], "is required with --mcts-block-fraction"),
];
pub(super) const REQUIRED_OF_DELAYS: &[Need] =
    &[Need::Distributed, Need::RequiredWith(&["--mcts-delay-prob"], "is required with --mcts-delay-prob")];

/// Values shared by most options.
pub(super) const USUAL: ConfigOption = ConfigOption {
    flag: "",
    alias: None,
    key: "",
    sets_also: None,
    section: Section::Search,
    notation: Notation::Words,
    value_name: "",
    needs: &[],
    help: "",
    default: DefaultValue::OfConfig,
    get: |_| Setting::Absent,
    set: |_, _| {},
};

macro_rules! key {
    ($table:ident $(.$field:ident)*) => {
        concat!(stringify!($table) $(, ".", stringify!($field))*)
    };
}

/// Declares an option: flag, field, section, notation, placeholder, help.
macro_rules! option {
    ($flag:literal, $table:ident $(.$field:ident)*, $section:ident, $notation:expr, $value:literal, $help:expr
        $(, $more:ident: $is:expr)* $(,)?) => {
        ConfigOption {
            flag: $flag,
            key: key!($table $(.$field)*),
            section: Section::$section,
            notation: $notation,
            value_name: $value,
            help: $help,
            get: |config| Setting::from(config.$table$(.$field)*.to_owned()),
            set: |config, setting| config.$table$(.$field)* = setting.into(),
            $($more: $is,)*
            ..USUAL
        }
    };
}

/// Declares an option whose values form a list.
macro_rules! list {
    ($flag:literal, $table:ident $(.$field:ident)*, $section:ident, $notation:expr, $kind:ident, $value:literal, $help:expr) => {
        ConfigOption {
            flag: $flag,
            key: key!($table $(.$field)*),
            section: Section::$section,
            notation: $notation,
            value_name: $value,
            help: $help,
            get: |config| match config.$table$(.$field)*.is_empty() {
                true => Setting::Absent,
                false => Setting::$kind(config.$table$(.$field)*.clone()),
            },
            set: |config, setting| match setting {
                Setting::$kind(items) => config.$table$(.$field)*.extend(items),
                _ => config.$table$(.$field)*.clear(),
            },
            ..USUAL
        }
    };
}

/// Declares an option that binds folders of compiled modules.
macro_rules! load_path {
    ($binding:expr, $flag:literal, $help:expr) => {
        ConfigOption {
            flag: $flag,
            key: "load_path",
            section: Section::RocqProject,
            notation: Notation::LoadPath($binding),
            value_name: "DIR NAME",
            help: $help,
            get: |config| {
                let bound = config.load_path.iter().filter(|bound| bound.binding == $binding);
                let bound: Vec<_> = bound.cloned().collect();
                if bound.is_empty() { Setting::Absent } else { Setting::LoadPath(bound) }
            },
            set: |config, setting| match setting {
                Setting::LoadPath(bound) => config.load_path.extend(bound),
                _ => config.load_path.clear(),
            },
            ..USUAL
        }
    };
}

pub(super) use {key, list, load_path, option};
