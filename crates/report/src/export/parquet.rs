//! Rows as Apache Parquet, in Arrow's layout for nullable columns, lists and lists of structs.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::ExportError;
use super::table::{Cell, Column, ColumnKind, Row};

/// Rows per row group. Readers and the writer hold one group in memory.
const GROUP: usize = 10_000;

/// A Parquet file being written.
pub(super) struct ParquetRows<W: Write + Send> {
    columns: Vec<Column>,
    writer: SerializedFileWriter<W>,
    group: Vec<Row>,
}

impl<W: Write + Send> ParquetRows<W> {
    pub(super) fn new(columns: &[Column], out: W) -> Result<Self, ExportError> {
        let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { columns: columns.to_vec(), writer, group: Vec::new() })
    }

    pub(super) fn write(&mut self, row: Row) -> Result<(), ExportError> {
        self.group.push(row);
        if self.group.len() == GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes the last group, and returns the file.
    pub(super) fn finish(mut self) -> Result<W, ExportError> {
        if !self.group.is_empty() {
            self.flush()?;
        }
        Ok(self.writer.into_inner()?)
    }

    fn flush(&mut self) -> Result<(), ExportError> {
        let rows = std::mem::take(&mut self.group);
        let mut group = self.writer.next_row_group()?;
        for (at, column) in self.columns.iter().enumerate() {
            let cells: Vec<&Cell> = rows.iter().map(|row| &row[at]).collect();
            for leaf in leaves(column.kind, &cells) {
                let writer = group.next_column()?.expect("the schema has a column for every leaf");
                leaf.write(writer)?;
            }
        }
        group.close()?;
        Ok(())
    }
}

/// The schema of a column. Columns are nullable; list elements are not.
fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    const OPTIONAL: Repetition = Repetition::OPTIONAL;
    const REQUIRED: Repetition = Repetition::REQUIRED;
    match column.kind {
        ColumnKind::Text => text(column.name, OPTIONAL),
        ColumnKind::Integer => plain(column.name, Physical::INT64, OPTIONAL),
        ColumnKind::Number => plain(column.name, Physical::DOUBLE, OPTIONAL),
        ColumnKind::Truth => plain(column.name, Physical::BOOLEAN, OPTIONAL),
        ColumnKind::Texts => list(column.name, text("element", REQUIRED)?),
        ColumnKind::Truths => list(column.name, plain("element", Physical::BOOLEAN, REQUIRED)?),
        ColumnKind::Messages => {
            let fields = vec![text("role", REQUIRED)?, text("content", REQUIRED)?];
            list(column.name, group("element", REQUIRED, fields)?)
        }
    }
}

fn plain(name: &str, physical: Physical, repetition: Repetition) -> Result<TypePtr, ParquetError> {
    Ok(Arc::new(Type::primitive_type_builder(name, physical).with_repetition(repetition).build()?))
}

fn text(name: &str, repetition: Repetition) -> Result<TypePtr, ParquetError> {
    let text = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::String))
        .with_converted_type(ConvertedType::UTF8);
    Ok(Arc::new(text.build()?))
}

fn group(name: &str, repetition: Repetition, fields: Vec<TypePtr>) -> Result<TypePtr, ParquetError> {
    Ok(Arc::new(Type::group_type_builder(name).with_repetition(repetition).with_fields(fields).build()?))
}

/// The three levels of a list: the nullable list, its repetition, and its elements.
fn list(name: &str, element: TypePtr) -> Result<TypePtr, ParquetError> {
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![group("list", Repetition::REPEATED, vec![element])?]);
    Ok(Arc::new(list.build()?))
}

/// The values of a leaf column, with their levels.
struct Leaf {
    values: Values,
    /// Definition levels: the maximum for a present value.
    definitions: Vec<i16>,
    /// Repetition levels: 0 at the start of a row, 1 for further elements; `None` for columns without lists.
    repetitions: Option<Vec<i16>>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Truths(Vec<bool>),
}

impl Leaf {
    fn write(self, mut writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let (definitions, repetitions) = (Some(&self.definitions[..]), self.repetitions.as_deref());
        match &self.values {
            Values::Texts(v) => writer.typed::<ByteArrayType>().write_batch(v, definitions, repetitions)?,
            Values::Integers(v) => writer.typed::<Int64Type>().write_batch(v, definitions, repetitions)?,
            Values::Numbers(v) => writer.typed::<DoubleType>().write_batch(v, definitions, repetitions)?,
            Values::Truths(v) => writer.typed::<BoolType>().write_batch(v, definitions, repetitions)?,
        };
        writer.close()
    }
}

/// The leaf columns of a column, in the order of the schema.
fn leaves(kind: ColumnKind, cells: &[&Cell]) -> Vec<Leaf> {
    let bytes = |text: &str| ByteArray::from(text);
    match kind {
        ColumnKind::Text => vec![scalars(cells, Values::Texts, |cell| match cell {
            Cell::Text(text) => Some(bytes(text)),
            _ => None,
        })],
        ColumnKind::Integer => vec![scalars(cells, Values::Integers, |cell| match cell {
            Cell::Integer(n) => Some(*n),
            _ => None,
        })],
        ColumnKind::Number => vec![scalars(cells, Values::Numbers, |cell| match cell {
            Cell::Number(x) => Some(*x),
            _ => None,
        })],
        ColumnKind::Truth => vec![scalars(cells, Values::Truths, |cell| match cell {
            Cell::Truth(b) => Some(*b),
            _ => None,
        })],
        ColumnKind::Texts => vec![lists(cells, Values::Texts, |cell| match cell {
            Cell::Texts(texts) => Some(texts.iter().map(|t| bytes(t)).collect()),
            _ => None,
        })],
        ColumnKind::Truths => vec![lists(cells, Values::Truths, |cell| match cell {
            Cell::Truths(truths) => Some(truths.clone()),
            _ => None,
        })],
        ColumnKind::Messages => {
            let role = lists(cells, Values::Texts, |cell| match cell {
                Cell::Messages(messages) => Some(messages.iter().map(|m| bytes(m.role)).collect()),
                _ => None,
            });
            let content = lists(cells, Values::Texts, |cell| match cell {
                Cell::Messages(messages) => Some(messages.iter().map(|m| bytes(&m.content)).collect()),
                _ => None,
            });
            vec![role, content]
        }
    }
}

fn scalars<T>(
    cells: &[&Cell],
    values: impl Fn(Vec<T>) -> Values,
    value: impl Fn(&Cell) -> Option<T>,
) -> Leaf {
    let read: Vec<Option<T>> = cells.iter().map(|cell| value(cell)).collect();
    let definitions = read.iter().map(|value| i16::from(value.is_some())).collect();
    Leaf { values: values(read.into_iter().flatten().collect()), definitions, repetitions: None }
}

fn lists<T>(
    cells: &[&Cell],
    values: impl Fn(Vec<T>) -> Values,
    elements: impl Fn(&Cell) -> Option<Vec<T>>,
) -> Leaf {
    let (mut all, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    for cell in cells {
        match elements(cell) {
            None => {
                definitions.push(0);
                repetitions.push(0);
            }
            Some(elements) if elements.is_empty() => {
                definitions.push(1);
                repetitions.push(0);
            }
            Some(elements) => {
                definitions.extend(std::iter::repeat_n(2, elements.len()));
                repetitions.extend((0..elements.len()).map(|at| i16::from(at > 0)));
                all.extend(elements);
            }
        }
    }
    Leaf { values: values(all), definitions, repetitions: Some(repetitions) }
}
