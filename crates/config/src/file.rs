//! Configurations in files: TOML with the tables and keys of a [`Config`], or the `run.json` of an earlier run.

use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::version::{Kind, Opening};
use serde::Deserialize;
use serde_json::Value;

use super::preset::PARTS;
use super::{Config, ConfigError, ConfigOption, Preset};

/// A configuration from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ConfigFile {
    /// The file.
    pub path: PathBuf,
    /// The values of the file, and defaults for the rest. It may violate rules.
    pub config: Config,
    /// The values of the file alone.
    given: Value,
}

/// Why a file is not a configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigFileError {
    /// It cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is malformed.
    #[error(
        "`{}`, line {line}{}: {message}; docs/reference/options.md lists the keys and their values", path.display(), quoted(.text)
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: usize,
        /// The text of the line.
        text: String,
        /// What is wrong.
        message: String,
    },
    /// A JSON file that is not a run's, or of another version.
    #[error("`{}`: {message}; a configuration is TOML, or the run.json of a run", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// What kind of file it is.
        message: String,
    },
}

impl ConfigFileError {
    /// The error without a place, for a configuration that was a part of another file.
    pub fn without_place(&self) -> String {
        match self {
            Self::Malformed { text, message, .. } => {
                format!(
                    "{message}{}; docs/reference/options.md lists the keys and their values",
                    quoted(text)
                )
            }
            Self::Io(_) | Self::NoRun { .. } => self.to_string(),
        }
    }
}

/// A line, in parentheses. One that may have an API key in it is not repeated.
fn quoted(line: &str) -> String {
    const SECRET: [&str; 4] = ["key", "token", "secret", "password"];
    let lower = line.to_lowercase();
    if SECRET.iter().any(|word| lower.contains(word)) { String::new() } else { format!(" (`{line}`)") }
}

/// The fields of `run.json` that are read.
#[derive(Deserialize)]
struct Run<C> {
    opening: Opening,
    config: C,
}

impl ConfigFile {
    /// Reads a file.
    ///
    /// The file cannot be read, or is malformed. Rules are not checked, since command-line options may still override
    /// the values that violate them.
    pub fn read(path: &Path) -> Result<Self, ConfigFileError> {
        Self::parse(&input::text(path)?, path)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// As [`ConfigFile::read`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigFileError> {
        // No TOML file begins with a brace.
        let (mut config, given) =
            if text.trim_start().starts_with('{') { from_json(text, path)? } else { from_toml(text, path)? };
        if look_up(&given, "search.exploration").is_none() {
            config.search.exploration = config.search.policy.default_exploration();
        }
        if look_up(&given, "workers.tactic_timeout_s").is_none() {
            config.workers.tactic_timeout_s = config.default_tactic_timeout_s();
        }
        if look_up(&given, "clock").is_none() {
            config.clock = config.default_clock();
        }
        Ok(Self { path: path.to_owned(), config, given })
    }

    /// Whether the file sets a key, such as `search.exploration`. For the record of a run, only those parts of the
    /// search count that differ from its preset.
    pub fn gives(&self, key: &str) -> bool {
        look_up(&self.given, key).is_some()
    }

    /// The key in the file that is responsible for a violated rule of `config`, which was derived from it: the file
    /// sets the value, or sets a table that lacks it.
    pub fn blame(&self, error: &ConfigError, config: &Config) -> Option<&'static str> {
        let key = ConfigOption::called(error.option)?.key;
        let value = |config| look_up(&serde_json::to_value(config).ok()?, key).cloned();
        let blamed = match value(config) {
            Some(value_now) => self.gives(key) && value(&self.config) == Some(value_now),
            None => key.split_once('.').is_some_and(|(table, _)| self.gives(table)),
        };
        blamed.then_some(key)
    }
}

fn look_up<'a>(table: &'a Value, key: &str) -> Option<&'a Value> {
    key.split('.').try_fold(table, |table, name| table.get(name)).filter(|value| !value.is_null())
}

fn from_toml(text: &str, path: &Path) -> Result<(Config, Value), ConfigFileError> {
    let malformed = |error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(at).filter(|&b| b == b'\n').count();
        // A syntax error's message may span several lines.
        malformed(text, path, line, &error.message().replace('\n', ", "))
    };
    let mut config: Config = toml::from_str(text).map_err(malformed)?;
    let given = toml::from_str(text).map_err(malformed)?;
    let preset = config.search.preset;
    preset.fill_in(&mut config, |key| look_up(&given, key).is_some());
    Ok((config, given))
}

fn from_json(text: &str, path: &Path) -> Result<(Config, Value), ConfigFileError> {
    let malformed = |error: serde_json::Error| {
        let message = error.to_string();
        // The line number is already part of our message.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        malformed(text, path, error.line(), message)
    };
    let given: Run<Value> = serde_json::from_str(text).map_err(malformed)?;
    let no_run = |message| ConfigFileError::NoRun { path: path.to_owned(), message };
    given.opening.check(Kind::Run).map_err(no_run)?;
    let Run { mut config, .. }: Run<Config> = serde_json::from_str(text).map_err(malformed)?;
    let mut given = without_parts_of(config.search.preset, given.config);
    for key in config.forget_defaults() {
        given["workers"][key] = Value::Null;
    }
    Ok((config, given))
}

/// The keys that a record sets beyond its preset. A record holds all parts of the search; those equal to the preset
/// do not count as set, so that another preset can change them.
fn without_parts_of(preset: Preset, mut given: Value) -> Value {
    let own = serde_json::to_value(preset.config()).expect("a configuration is JSON");
    for key in PARTS {
        let (table, field) = key.split_once('.').expect("parts stand in tables");
        if look_up(&given, key) == look_up(&own, key)
            && let Some(Value::Object(table)) = given.get_mut(table)
        {
            table.remove(field);
        }
    }
    given
}

fn malformed(text: &str, path: &Path, line: usize, message: &str) -> ConfigFileError {
    let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned();
    ConfigFileError::Malformed { path: path.to_owned(), line, text, message: message.to_owned() }
}
