//! The declaration of a study: a TOML file, described in `docs/guide/studies.md`.

use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_config::{Config, ConfigFile};
use andor_core::choice;
use andor_report::analyze::{Cost, Label, Measure};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::StudyError;

/// A study as its author declares it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The file that declares it.
    #[serde(skip)]
    pub path: PathBuf,
    /// The digest of that file.
    #[serde(skip)]
    pub digest: String,
    /// The title of its page.
    pub title: String,
    /// The question that it answers.
    pub question: String,
    /// The file or folder of its theorems. A relative path starts at the folder of the declaration.
    pub theorems: PathBuf,
    /// Only these theorems, by their ids; all if empty.
    #[serde(default)]
    pub only: Vec<String>,
    /// Number of seeds: attempts of each arm at each theorem. They are counted up from `config.seed`, the same for all
    /// arms.
    #[serde(default = "one")]
    pub seeds: u32,
    /// What all arms have in common, with the keys of `andor run --config`.
    #[serde(default)]
    pub config: Table,
    /// The configurations that are compared; the first is the baseline of [`Study::analyses`].
    pub arms: Vec<Arm>,
    /// What is tested.
    #[serde(default)]
    pub comparisons: Vec<Comparison>,
    /// Differences with a corrected p-value below this are not due to chance.
    #[serde(default = "significance")]
    pub significance: f64,
    /// What is analyzed besides, as by `andor analyze`.
    #[serde(default)]
    pub analyses: Vec<Measure>,
    /// What makes nodes of proofs and searches equal in these.
    #[serde(default = "strict")]
    pub label: Label,
    /// The author's reading of the results, for the page.
    #[serde(default)]
    pub reading: String,
}

fn one() -> u32 {
    1
}

fn significance() -> f64 {
    0.05
}

fn strict() -> Label {
    Label::Strict
}

/// A configuration under study.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Its name.
    pub name: String,
    /// What differs from [`Study::config`].
    #[serde(default)]
    pub config: Table,
}

/// A hypothesis: an arm against another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The arm in question.
    pub arm: String,
    /// The arm it is compared with.
    pub with: String,
    /// What is compared: `solved`, or a cost of `andor analyze`.
    pub measure: Quantity,
    /// What is expected, if anything.
    #[serde(default)]
    pub expect: Option<Expectation>,
}

impl Comparison {
    /// Whether it is about time on the wall clock.
    pub(super) fn is_of_seconds(&self) -> bool {
        self.measure == Quantity::Cost(Cost::Seconds)
    }
}

choice! {
    /// What is expected of an arm against another.
    Expectation {
        /// A larger value.
        More = "more",
        /// A smaller value.
        Less = "less",
    }
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// The share of seeds under which a theorem is proved.
    Solved,
    /// What a proof costs, over theorems and seeds that both arms prove.
    Cost(Cost),
}

impl Quantity {
    const SOLVED: &'static str = "solved";

    /// Its name in declarations and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => Self::SOLVED,
            Self::Cost(cost) => cost.name(),
        }
    }
}

impl Serialize for Quantity {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let all = || std::iter::once(Self::Solved).chain(Cost::ALL.iter().map(|cost| Self::Cost(*cost)));
        all().find(|quantity| quantity.name() == text).ok_or_else(|| {
            let known: Vec<&str> = all().map(Self::name).collect();
            serde::de::Error::custom(format!("unknown measure `{text}` (known: {})", known.join(", ")))
        })
    }
}

impl Study {
    /// Reads a declaration; the path of its theorems then starts at the current folder.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is malformed, or breaks a rule.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let refuse = |what: String| StudyError::Declaration { path: path.to_owned(), what };
        let text = input::text(path)?;
        let mut study = Self::parse(&text).map_err(refuse)?;
        study.path = path.to_owned();
        study.digest = blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
        study.theorems = path.parent().unwrap_or(Path::new("")).join(&study.theorems);
        for arm in &study.arms {
            study.config_of(arm)?;
        }
        Ok(study)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let study: Self = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        study.check()?;
        Ok(study)
    }

    fn check(&self) -> Result<(), String> {
        if self.arms.is_empty() {
            return Err("a study needs at least one of [[arms]]".to_owned());
        }
        if self.seeds == 0 {
            return Err("`seeds` must be at least 1".to_owned());
        }
        if !(0.0..=1.0).contains(&self.significance) {
            return Err("`significance` must be from 0 to 1".to_owned());
        }
        let mut folders = Vec::new();
        for arm in &self.arms {
            let folder = andor_artifact::folders::folder_name(&arm.name);
            if arm.name.is_empty() || folders.contains(&folder) {
                return Err(format!("the name of the arm `{}` is empty or taken", arm.name));
            }
            folders.push(folder);
        }
        for (at, comparison) in self.comparisons.iter().enumerate() {
            for name in [&comparison.arm, &comparison.with] {
                if !self.arms.iter().any(|arm| arm.name == *name) {
                    let known: Vec<&str> = self.arms.iter().map(|arm| arm.name.as_str()).collect();
                    return Err(format!(
                        "a comparison names the arm `{name}`; there are {}",
                        known.join(", ")
                    ));
                }
            }
            if comparison.arm == comparison.with {
                return Err(format!("`{}` is compared with itself", comparison.arm));
            }
            // The p-values are corrected for the number of comparisons.
            let arms = |of: &Comparison| {
                let mut names = [of.arm.clone(), of.with.clone()];
                names.sort();
                names
            };
            let is_same =
                |other: &Comparison| other.measure == comparison.measure && arms(other) == arms(comparison);
            if self.comparisons[..at].iter().any(is_same) {
                let Comparison { arm, with, measure, .. } = comparison;
                return Err(format!("`{arm}` and `{with}` are compared by `{}` twice", measure.name()));
            }
        }
        for table in std::iter::once(&self.config).chain(self.arms.iter().map(|arm| &arm.config)) {
            if table
                .get("basin")
                .and_then(toml::Value::as_table)
                .is_some_and(|basin| basin.contains_key("seeds"))
            {
                return Err("give `seeds` instead of `basin.seeds`; all arms have the same".to_owned());
            }
        }
        Ok(())
    }

    /// The configuration of an arm's run.
    ///
    /// # Errors
    ///
    /// It is malformed, or breaks a rule.
    pub fn config_of(&self, arm: &Arm) -> Result<Config, StudyError> {
        let refuse = |what: String| StudyError::Declaration {
            path: self.path.clone(),
            what: format!("arm `{}`: {what}", arm.name),
        };
        let parsed = |table: &Table| {
            let text = toml::to_string(table).expect("a table that was read can be written");
            ConfigFile::parse(&text, Path::new("config"))
        };
        if let Err(error) = parsed(&self.config) {
            let what = format!("the table `config`: {}", error.without_place());
            return Err(StudyError::Declaration { path: self.path.clone(), what });
        }
        let mut table = self.config.clone();
        overlay(&mut table, &arm.config);
        let mut config = parsed(&table).map_err(|error| refuse(error.without_place()))?.config;
        config.basin.seeds = (self.seeds > 1).then_some(self.seeds);
        config.validate().map_err(|error| refuse(error.to_string()))?;
        Ok(config)
    }
}

/// Puts the values of a table over those of another, table by table.
fn overlay(under: &mut Table, over: &Table) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(toml::Value::Table(under)), toml::Value::Table(over)) => overlay(under, over),
            _ => {
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str = "title = \"t\"\nquestion = \"q\"\ntheorems = \"a.lean\"\n";

    #[test]
    fn arms_are_laid_over_what_is_common() {
        let text = format!(
            "{BEGIN}seeds = 3\n[config]\nseed = 7\n[config.budget]\nmax_nodes = 5\nmax_iterations = 6\n[[arms]]\nname = \"a\"\n\
             [[arms]]\nname = \"b\"\n[arms.config.budget]\nmax_nodes = 9\n"
        );
        let study = Study::parse(&text).unwrap();
        let config = |at: usize| study.config_of(&study.arms[at]).unwrap();
        assert_eq!((config(0).budget.max_nodes, config(0).budget.max_iterations), (Some(5), Some(6)));
        assert_eq!((config(1).budget.max_nodes, config(1).budget.max_iterations), (Some(9), Some(6)));
        assert_eq!((config(1).seed, config(1).basin.seeds), (7, Some(3)));
    }

    #[test]
    fn mistakes_are_named() {
        let arms = "[[arms]]\nname = \"a\"\n[[arms]]\nname = \"b\"\n";
        for (more, expected) in [
            ("arms = []".to_owned(), "at least one"),
            (format!("seeds = 0\n{arms}"), "seeds"),
            (format!("significance = 2\n{arms}"), "significance"),
            (format!("{arms}[[arms]]\nname = \"a\"\n"), "taken"),
            (
                format!("{arms}[[comparisons]]\narm = \"c\"\nwith = \"a\"\nmeasure = \"solved\"\n"),
                "`c`; there are a, b",
            ),
            (format!("{arms}[[comparisons]]\narm = \"a\"\nwith = \"a\"\nmeasure = \"solved\"\n"), "itself"),
            (
                format!("{arms}[[comparisons]]\narm = \"a\"\nwith = \"b\"\nmeasure = \"luck\"\n"),
                "unknown measure `luck`",
            ),
            (
                format!(
                    "{arms}[[comparisons]]\narm = \"a\"\nwith = \"b\"\nmeasure = \"solved\"\n\
                     [[comparisons]]\narm = \"b\"\nwith = \"a\"\nmeasure = \"solved\"\n"
                ),
                "`b` and `a` are compared by `solved` twice",
            ),
            (format!("analyses = [\"taste\"]\n{arms}"), "taste"),
            (format!("{arms}[config.basin]\nseeds = 3\n"), "instead of `basin.seeds`"),
            (format!("colour = 1\n{arms}"), "colour"),
        ] {
            let error = Study::parse(&format!("{BEGIN}{more}")).unwrap_err();
            assert!(error.contains(expected), "{more}: {error}");
        }
        let study =
            Study::parse(&format!("{BEGIN}[[arms]]\nname = \"a\"\n[arms.config]\ncolour = 1\n")).unwrap();
        let error = study.config_of(&study.arms[0]).unwrap_err().to_string();
        assert!(error.contains("arm `a`") && error.contains("colour"), "{error}");
    }
}
