//! The options of a configuration. A row of [`OPTIONS`] is the only declaration of an option; the command line, the
//! key names in messages, the rules for single values and the reference page are derived from it.

mod models;
mod notation;
mod plans;
mod row;
mod setting;
mod table;
mod verify;

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
    /// Its name on the command line: `--policy`, `-Q`.
    pub flag: &'static str,
    /// An alternative name.
    pub alias: Option<&'static str>,
    /// Its name in files: table and key names separated by periods.
    pub key: &'static str,
    /// A further key that it sets.
    pub sets_also: Option<&'static str>,
    /// The group in which it is listed.
    pub section: Section,
    /// The format of its value; for a switch, the value that it sets.
    pub notation: Notation,
    /// The placeholder for its value in help texts.
    pub value_name: &'static str,
    /// Rules about other options it requires.
    pub needs: &'static [Need],
    /// Its purpose, without its default.
    pub help: &'static str,
    /// Its default, if that is not simply its value in [`Config::default`].
    pub default: DefaultValue,
    /// Reads its value from a configuration.
    pub get: fn(&Config) -> Setting,
    /// Sets its value; lists are extended.
    pub set: fn(&mut Config, Setting),
}

/// How the default of an option is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultValue {
    /// Its value in [`Config::default`], if it has one.
    OfConfig,
    /// This text, which describes an absent value.
    Is(&'static str),
    /// Not at all: the help text explains the default.
    Explained,
}

/// A rule that relates an option to another. The text completes a message that begins with the option's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// If it is given, this option must be given too.
    With(&'static str, &'static str),
    /// It must be given if one of these options is.
    RequiredWith(&'static [&'static str], &'static str),
    /// It applies only to several agents: `--mcts-mode distributed`.
    Distributed,
    /// It is required for several agents.
    RequiredInDistributed,
}

/// A group of options in the help and the reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the headings say what they are")]
pub enum Section {
    Budget,
    Search,
    Agents,
    Interventions,
    Providers,
    Models,
    Tactics,
    Basins,
    Soundness,
    Workers,
    RocqProject,
    LeanProject,
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
            Self::Models => "Language models",
            Self::Tactics => "Excluded tactics",
            Self::Basins => "Basins",
            Self::Soundness => "Soundness",
            Self::Workers => "Workers",
            Self::RocqProject => "Rocq project",
            Self::LeanProject => "Lean project",
            Self::Clock => "Clock",
        }
    }
}

/// Keys that no option sets; they occur in files only.
pub const FILE_KEYS: &[&str] = &["tactics.hygiene", "models"];

impl ConfigOption {
    /// The option with this flag or alias.
    pub fn called(flag: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.flag == flag)
    }

    /// The first option in [`OPTIONS`] that sets this key.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.keys().any(|own| own == key))
    }

    /// The keys that it sets.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        [self.key].into_iter().chain(self.sets_also)
    }

    /// Whether a configuration differs from one without this option.
    pub fn is_given(&self, config: &Config) -> bool {
        match ((self.get)(config), self.notation) {
            (Setting::Switch(on), Notation::Switch(to)) => on == to,
            (setting, _) => setting != Setting::Absent,
        }
    }

    /// Its default in the notation of its values, if it can be stated.
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

    /// The first rule that its value violates, or that relates it to other options.
    pub(crate) fn check(&self, config: &Config) -> Result<(), ConfigError> {
        if let Some(range) = self.notation.range()
            && let Some(number) = (self.get)(config).number()
            && !range.contains(number)
        {
            return broken(self.flag, range.rule);
        }
        Ok(())
    }

    /// Whether it is given to a search with one agent although it applies only to several.
    pub(crate) fn check_mode(&self, config: &Config) -> Result<(), ConfigError> {
        match self.needs.contains(&Need::Distributed) && self.is_given(config) {
            true => broken(self.flag, "needs --mcts-mode distributed"),
            false => Ok(()),
        }
    }

    /// The first violated rule about other options. `is_distributed` says whether there are several agents.
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

/// Overrides a configuration by the given options. A given list replaces the earlier one.
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
        "# Options\n\nThe options of `andor prove` and `andor run`, and their keys in configuration files \
         ([`--config`](../formats/run.md#configuration-files)). This page is generated from `crates/config/src/options/table.rs`: \
         `ANDOR_GOLDEN=write cargo test -p andor-config` regenerates it.\n",
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
