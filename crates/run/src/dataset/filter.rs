//! Choosing some problems of a set.

use std::convert::Infallible;
use std::str::FromStr;

use serde_json::Value;

use super::Problem;

/// A condition on problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The id contains this.
    IdContains(String),
    /// A field of the row has this value, written as JSON or, for strings, without quotes.
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
    /// Whether a problem meets the condition.
    pub fn admits(&self, problem: &Problem) -> bool {
        match self {
            Self::IdContains(text) => problem.theorem.id.contains(text),
            Self::Field { name, value } => match problem.fields.get(name) {
                Some(Value::String(text)) => text == value,
                Some(other) => serde_json::from_str(value).is_ok_and(|value: Value| value == *other),
                None => false,
            },
        }
    }
}
