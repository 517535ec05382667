//! Tables: named columns, and rows of numbers and texts.

use std::io;
use std::path::Path;

use serde_json::{Map, Value};

use crate::export::{Cell, Column, ColumnKind, Encoding, ExportError, Writer};

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

    /// Writes the table as Apache Parquet. All columns are nullable.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write_parquet(&self, path: &Path) -> Result<(), ExportError> {
        let kind = |at: usize| kind(self.rows.iter().map(|row| &row[at]));
        let columns: Vec<Column> =
            self.columns.iter().enumerate().map(|(at, name)| Column { name, kind: kind(at) }).collect();
        let mut writer = Writer::file(columns.clone(), path, Encoding::Parquet)?;
        for row in &self.rows {
            writer
                .write(row.iter().zip(&columns).map(|(value, column)| cell(value, column.kind)).collect())?;
        }
        writer.finish()
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

/// The type of a column that has these values. One of nulls is numeric: a figure that no row has.
fn kind<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> ColumnKind {
    let mut some = values.filter(|value| !value.is_null()).peekable();
    if some.peek().is_none() {
        ColumnKind::Number
    } else if some.clone().all(|value| value.as_i64().is_some()) {
        ColumnKind::Integer
    } else if some.clone().all(Value::is_number) {
        ColumnKind::Number
    } else if some.all(Value::is_boolean) {
        ColumnKind::Truth
    } else {
        ColumnKind::Text
    }
}

fn cell(value: &Value, kind: ColumnKind) -> Cell {
    let cell = match kind {
        ColumnKind::Integer => value.as_i64().map(Cell::Integer),
        ColumnKind::Number => value.as_f64().map(Cell::Number),
        ColumnKind::Truth => value.as_bool().map(Cell::Truth),
        _ => (!value.is_null()).then(|| Cell::Text(text(value))),
    };
    cell.unwrap_or(Cell::Null)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_is_read_back_from_parquet() {
        let table = Table {
            name: "t",
            about: "",
            columns: &["text", "count", "ratio", "is", "nothing", "mixed"],
            rows: vec![
                vec![json!("a\n\"b\""), json!(3), json!(1), json!(true), Value::Null, json!(1)],
                vec![Value::Null, Value::Null, json!(0.5), Value::Null, Value::Null, json!("x")],
            ],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        table.write_parquet(&path).unwrap();
        let reader = SerializedFileReader::new(fs_err::File::open(&path).unwrap().into_file()).unwrap();
        let rows: Vec<Value> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_json_value()).collect();
        let expected = [
            json!({ "text": "a\n\"b\"", "count": 3, "ratio": 1.0, "is": true, "nothing": null, "mixed": "1" }),
            json!({ "text": null, "count": null, "ratio": 0.5, "is": null, "nothing": null, "mixed": "x" }),
        ];
        assert_eq!(rows, expected);
    }
}
