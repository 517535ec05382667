//! The options of a configuration. A row of [`OPTIONS`] is the only declaration of an option: the command line, the names of
//! keys in messages, the rules for single values and the reference page are made from it.

mod notation;
mod setting;
mod table;

use std::fmt::Write as _;

pub(crate) use notation::LONGEST_S;
pub use notation::{Notation, positive_seconds, seconds, whole};
pub use setting::Setting;
pub use table::OPTIONS;

use crate::rules::broken;
use crate::{Config, ConfigError};

/// An option.
#[derive(Debug)]
pub struct ConfigOption {
    /// What the command line calls it: `--policy`, `-Q`.
    pub flag: &'static str,
    /// A second name of it.
    pub alias: Option<&'static str>,
    /// What files call it, the names of tables and keys separated by periods. One that sets two keys has the first here.
    pub key: &'static str,
    /// The group that it is listed in.
    pub section: Section,
    /// How its value is written; for a switch, what it sets the key to.
    pub notation: Notation,
    /// What stands for its value in help.
    pub value_name: &'static str,
    /// The rules for what it may be given with.
    pub needs: &'static [Need],
    /// What it is for, without its default.
    pub help: &'static str,
    /// Its default, where that is not simply its value in [`Config::default`].
    pub default: DefaultValue,
    /// Its value in a configuration.
    pub get: fn(&Config) -> Setting,
    /// Sets it; lists are extended.
    pub set: fn(&mut Config, Setting),
}

/// What is said of an option's default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultValue {
    /// Its value in [`Config::default`], if it has one.
    OfConfig,
    /// This, which an absent value stands for.
    Is(&'static str),
    /// Nothing: the help text says what it follows from.
    Explained,
}

/// A rule about an option and another one; a text is how it is said after the option's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Whoever gives it must give this option, too.
    With(&'static str, &'static str),
    /// It must be given where one of these is.
    RequiredWith(&'static [&'static str], &'static str),
    /// It is for several agents only: `--mcts-mode distributed`.
    Distributed,
    /// Several agents need it.
    RequiredInDistributed,
}

/// A group of options in help and in the reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the headings say what they are")]
pub enum Section {
    Budget,
    Search,
    Agents,
    Interventions,
    Providers,
    Tactics,
    Basins,
    Soundness,
    Workers,
    RocqProject,
    Clock,
}

impl Section {
    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Budget => "Budget per theorem",
            Self::Search => "Search",
            Self::Agents => "Agents",
            Self::Interventions => "Interventions (durations are in iterations of all agents together)",
            Self::Providers => "Providers",
            Self::Tactics => "Tactics kept from the search",
            Self::Basins => "Basins",
            Self::Soundness => "Soundness",
            Self::Workers => "Workers",
            Self::RocqProject => "Rocq project",
            Self::Clock => "Clock",
        }
    }
}

/// The keys of a configuration that no option sets: they stand in files only.
pub const FILE_KEYS: &[&str] = &["tactics.hygiene"];

/// The second key that `--verify` sets.
pub const SECOND_KEYS: &[(&str, &str)] = &[("--verify", "verify.demanded")];

impl ConfigOption {
    /// The option with this flag.
    pub fn called(flag: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.flag == flag)
    }

    /// The option that sets this key, in [`OPTIONS`] the first.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        let first = SECOND_KEYS.iter().find(|(_, second)| *second == key).map(|(flag, _)| *flag);
        OPTIONS.iter().find(|option| option.key == key || Some(option.flag) == first)
    }

    /// Whether a configuration differs from one that never heard of the option.
    pub fn is_given(&self, config: &Config) -> bool {
        match ((self.get)(config), self.notation) {
            (Setting::Switch(on), Notation::Switch(to)) => on == to,
            (setting, _) => setting != Setting::Absent,
        }
    }

    /// Its default as it would be written, if anything can be said of it.
    pub fn default_text(&self) -> Option<String> {
        match self.default {
            DefaultValue::Is(text) => Some(text.to_owned()),
            DefaultValue::Explained => None,
            DefaultValue::OfConfig => self.notation.write(&(self.get)(&Config::default())),
        }
    }

    /// Its help text, with its default.
    pub fn help(&self) -> String {
        match self.default_text() {
            Some(default) => format!("{} [default: {default}]", self.help),
            None => self.help.to_owned(),
        }
    }

    /// The first rule that its value breaks, or what it is given with.
    pub(crate) fn check(&self, config: &Config) -> Result<(), ConfigError> {
        if let Some(range) = self.notation.range()
            && let Some(number) = (self.get)(config).number()
            && !range.contains(number)
        {
            return broken(self.flag, range.rule);
        }
        Ok(())
    }

    /// Whether it is given to a search by one agent, and is for several only.
    pub(crate) fn check_mode(&self, config: &Config) -> Result<(), ConfigError> {
        match self.needs.contains(&Need::Distributed) && self.is_given(config) {
            true => broken(self.flag, "needs --mcts-mode distributed"),
            false => Ok(()),
        }
    }

    /// The first rule that it breaks by what else is given. `is_distributed` says whether there are several agents.
    pub(crate) fn check_needs(&self, config: &Config, is_distributed: bool) -> Result<(), ConfigError> {
        if self.needs.is_empty() {
            return Ok(());
        }
        let given = |flag: &str| Self::called(flag).expect("rules name options").is_given(config);
        let is_given = self.is_given(config);
        for need in self.needs {
            let (is_broken, rule) = match *need {
                Need::With(other, rule) => (is_given && !given(other), rule),
                Need::RequiredWith(others, rule) => {
                    (!is_given && others.iter().any(|other| given(other)), rule)
                }
                Need::RequiredInDistributed => {
                    (!is_given && is_distributed, "is required in distributed mode")
                }
                Need::Distributed => continue,
            };
            if is_broken {
                return broken(self.flag, rule);
            }
        }
        Ok(())
    }
}

/// Sets options on top of a configuration. Lists take the place of those that were there.
pub fn overlay(config: &mut Config, given: &[(&'static ConfigOption, Setting)]) {
    for (option, _) in given.iter().filter(|(option, _)| option.notation.is_list()) {
        (option.set)(config, Setting::Absent);
    }
    for (option, setting) in given {
        (option.set)(config, setting.clone());
    }
}

/// The reference page of all options, in Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# Options\n\nThe options of `andor prove` and `andor run`, and what they are called in configuration files \
         ([`--config`](../formats/run.md#configuration-files)). This page is generated from `crates/config/src/options/table.rs`: \
         `ANDOR_GOLDEN=write cargo test -p andor-config` writes it anew.\n",
    );
    let mut section = None;
    for option in OPTIONS {
        if section != Some(option.section) {
            section = Some(option.section);
            let _ = write!(
                page,
                "\n## {}\n\n| option | key | default | meaning |\n| --- | --- | --- | --- |\n",
                option.section.heading()
            );
        }
        let value = match option.notation {
            Notation::Switch(_) => String::new(),
            Notation::OneOf(names) => format!(" {}", names().join(" \\| ")),
            _ => format!(" {}", option.value_name),
        };
        let default = option.default_text().map(|text| format!("`{text}`")).unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}{}` | `{}` | {default} | {} |",
            option.flag,
            value.replace("\\|", "|").replace('|', "\\|"),
            option.key,
            option.help
        );
    }
    page
}
