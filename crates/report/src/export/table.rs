//! The tables of training data: the columns of each format, and the contents of a row.
//!
//! Every row has every column, and a column has the same type in all rows, since some readers infer the schema from
//! the first rows. The columns that trainers use come first.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Format;

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The type of its non-null cells.
    pub kind: ColumnKind,
}

/// The type of a column, with its Arrow type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// `string`
    Text,
    /// `int64`
    Integer,
    /// `float64`
    Number,
    /// `bool`
    Truth,
    /// `list<string>`
    Texts,
    /// `list<bool>`
    Truths,
    /// `list<struct<role: string, content: string>>`
    Messages,
}

/// The value of a cell.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Nothing.
    Null,
    /// Of [`ColumnKind::Text`].
    Text(String),
    /// Of [`ColumnKind::Integer`].
    Integer(i64),
    /// Of [`ColumnKind::Number`].
    Number(f64),
    /// Of [`ColumnKind::Truth`].
    Truth(bool),
    /// Of [`ColumnKind::Texts`].
    Texts(Vec<String>),
    /// Of [`ColumnKind::Truths`].
    Truths(Vec<bool>),
    /// Of [`ColumnKind::Messages`].
    Messages(Vec<Message>),
}

impl From<Option<&str>> for Cell {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(text.to_owned()))
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Message {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// The text.
    pub content: String,
}

/// A row: a cell for each column.
pub type Row = Vec<Cell>;

const fn column(name: &'static str, kind: ColumnKind) -> Column {
    Column { name, kind }
}

impl Format {
    /// The columns of this format.
    pub fn columns(self, chat: bool) -> Vec<Column> {
        use ColumnKind::{Integer, Messages, Number, Text, Texts, Truth, Truths};
        let said = if chat { Messages } else { Text };
        let read = match self {
            Self::Sft => vec![column("prompt", said), column("completion", said)],
            Self::Dpo => vec![column("prompt", said), column("chosen", said), column("rejected", said)],
            Self::Stepwise => {
                vec![column("prompt", Text), column("completions", Texts), column("labels", Truths)]
            }
            Self::Steps => vec![
                column("tactic", Text),
                column("state_before", Text),
                column("state_after", Text),
                column("outcome", Text),
                column("log_prior", Number),
                column("error", Text),
                column("in_proof", Truth),
                column("provider", Text),
            ],
        };
        let origin = [
            column("theorem", Text),
            column("attempt", Integer),
            column("step", Text),
            column("node", Text),
            column("run", Text),
            column("assistant", Text),
        ];
        read.into_iter().chain(origin).collect()
    }

    /// The number of leading columns that identify a row: those that trainers use. Tried tactics are also identified
    /// by where and when they were tried.
    pub(super) fn identity(self) -> usize {
        match self {
            Self::Sft => 2,
            Self::Dpo | Self::Stepwise => 3,
            Self::Steps => self.columns(false).len(),
        }
    }
}

/// A row as a JSON object, its keys in the order of the columns.
pub(super) struct Object<'a>(pub(super) &'a [Column], pub(super) &'a [Cell]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (column, cell) in self.0.iter().zip(self.1) {
            map.serialize_entry(column.name, cell)?;
        }
        map.end()
    }
}
