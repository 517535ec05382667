//! Tables: named columns, and rows of numbers and texts.

use std::io;

use serde_json::{Map, Value};

/// A table.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its name, also that of its file.
    pub name: &'static str,
    /// What a row is, in one sentence.
    pub about: &'static str,
    /// The names of the columns.
    pub columns: &'static [&'static str],
    /// The rows: a number, a text, a truth value or null for each column.
    pub rows: Vec<Vec<Value>>,
}

/// A table with more rows is not printed.
const PRINTED: usize = 40;

impl Table {
    /// The position of a column that the table has.
    pub fn column(&self, name: &str) -> usize {
        self.columns.iter().position(|column| *column == name).expect("the table has this column")
    }

    /// Whether the table is too long to be read: it is written to files only.
    pub fn is_long(&self) -> bool {
        self.rows.len() > PRINTED
    }

    /// The table as CSV, with a heading line. Nulls are empty cells.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write_csv(&self, out: impl io::Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(text))?;
        }
        writer.flush()
    }

    /// The rows as JSON objects, with the name of the table as `table`.
    pub fn objects(&self) -> impl Iterator<Item = Map<String, Value>> + '_ {
        self.rows.iter().map(|row| {
            let cells = self.columns.iter().zip(row).map(|(name, cell)| ((*name).to_owned(), cell.clone()));
            std::iter::once(("table".to_owned(), Value::from(self.name))).chain(cells).collect()
        })
    }
}

/// A cell without quotes.
fn text(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
