//! Selects problems of a data set.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::{DatasetError, Problem};

/// A part of a data set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// All theorems, whatever their split.
    #[default]
    Generic,
    /// For training.
    Train,
    /// For choosing settings.
    Valid,
    /// For measurements.
    Test,
}

impl Split {
    /// All splits, in the order shown to users.
    pub const ALL: [Self; 4] = [Self::Valid, Self::Test, Self::Train, Self::Generic];

    /// Its name in rows and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Train => "train",
            Self::Valid => "valid",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Split {
    type Err = UnknownSplit;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = canonical(text);
        Self::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| UnknownSplit(text.to_owned()))
    }
}

/// The text is not the name of a split.
#[derive(Debug, thiserror::Error)]
#[error("unknown split `{0}` (known: valid, test, train, and generic for all)")]
pub struct UnknownSplit(String);

/// The canonical name of a split in [`Problem::fields`]: some data sets write `val` for `valid`.
pub(super) fn canonical(split: &str) -> String {
    let split = split.to_lowercase();
    if matches!(split.as_str(), "val" | "validation") { Split::Valid.name().to_owned() } else { split }
}

/// A condition on problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The id contains this.
    IdContains(String),
    /// A field of the problem has this value, in JSON or, for strings, without quotes. In addition to the fields of
    /// its row, a problem has the fields `id` and `system`.
    Field {
        /// The field.
        name: String,
        /// Its value.
        value: String,
    },
}

impl FromStr for Filter {
    type Err = Infallible;

    /// `TEXT`, or `FIELD=VALUE`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once('=') {
            Some((name, value)) => Self::Field { name: name.to_owned(), value: value.to_owned() },
            None => Self::IdContains(text.to_owned()),
        })
    }
}

impl Filter {
    /// Whether a problem satisfies the condition.
    pub fn admits(&self, problem: &Problem) -> bool {
        match self {
            Self::IdContains(text) => problem.theorem.id.contains(text),
            Self::Field { name, value } => match name.as_str() {
                "id" => problem.theorem.id == *value,
                "system" => problem.theorem.system.name() == value,
                _ => match problem.fields.get(name) {
                    Some(Value::String(text)) => text == value,
                    Some(other) => serde_json::from_str(value).is_ok_and(|value: Value| value == *other),
                    None => false,
                },
            },
        }
    }
}

/// A selection of problems. The conditions are applied in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Problems of this split.
    pub split: Split,
    /// Problems with this name: the id, the full name of the theorem, or its last component.
    pub theorem: Option<String>,
    /// The problem that stands at this line of its source file.
    pub line: Option<usize>,
    /// Problems that satisfy all conditions.
    pub filters: Vec<Filter>,
    /// The first so many problems.
    pub limit: Option<usize>,
}

impl Choice {
    /// The selected problems, in order. Fails if there are none, or if there is no such split or field.
    pub fn of(&self, mut problems: Vec<Problem>) -> Result<Vec<Problem>, DatasetError> {
        self.check(&problems)?;
        if self.split != Split::Generic {
            problems.retain(|p| p.split() == Some(self.split.name()));
        }
        if let Some(name) = &self.theorem {
            let there: Vec<String> = problems.iter().map(|p| p.theorem.name.clone()).collect();
            problems.retain(|p| is_called(p, name));
            if problems.is_empty() {
                return Err(DatasetError::NoSuchTheorem { name: name.clone(), there: brief(&there) });
            }
        }
        if let Some(line) = self.line {
            let lines = |p: &Problem| p.place.as_ref().map(|place| place.lines.clone());
            let there: Vec<String> =
                problems.iter().filter_map(lines).map(|lines| lines.start().to_string()).collect();
            problems.retain(|p| lines(p).is_some_and(|lines| lines.contains(&line)));
            if problems.is_empty() {
                return Err(DatasetError::NoSuchLine { line, there: brief(&there) });
            }
        }
        let all = problems.len();
        problems.retain(|p| self.filters.iter().all(|f| f.admits(p)));
        problems.truncate(self.limit.unwrap_or(usize::MAX));
        if problems.is_empty() {
            return Err(DatasetError::NoneChosen { all });
        }
        Ok(problems)
    }

    fn check(&self, problems: &[Problem]) -> Result<(), DatasetError> {
        let splits = splits(problems);
        if self.split != Split::Generic && !splits.contains(self.split.name()) {
            let there = match splits.len() {
                0 => "its theorems have no split; leave out --split".to_owned(),
                _ => format!("available: {}", splits.into_iter().collect::<Vec<_>>().join(", ")),
            };
            return Err(DatasetError::NoSuchSplit { split: self.split, there });
        }
        let fields = problems.iter().flat_map(|p| p.fields.keys().map(String::as_str));
        let fields: BTreeSet<&str> = fields.chain(["id", "system"]).collect();
        for filter in &self.filters {
            if let Filter::Field { name, .. } = filter
                && !fields.contains(name.as_str())
            {
                let there = fields.into_iter().collect::<Vec<_>>().join(", ");
                return Err(DatasetError::NoSuchField { name: name.clone(), there });
            }
        }
        Ok(())
    }
}

/// The splits that problems belong to.
pub(super) fn splits(problems: &[Problem]) -> BTreeSet<&str> {
    problems.iter().filter_map(Problem::split).collect()
}

fn is_called(problem: &Problem, name: &str) -> bool {
    let theorem = &problem.theorem;
    theorem.id == name || theorem.name == name || theorem.name.rsplit('.').next() == Some(name)
}

/// A list of names for a message, shortened if it is long.
fn brief(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}
