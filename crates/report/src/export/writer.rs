//! Writes rows. A file appears under its final name only when it is complete.

use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use andor_artifact::files::ensure_replaceable;
use tempfile::NamedTempFile;

use super::ExportError;
use super::parquet::ParquetRows;
use super::table::{Column, Object, Row};

/// The encoding of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// A JSON object per line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

/// Writes rows of one table.
pub struct Writer {
    columns: Vec<Column>,
    rows: Rows,
}

enum Rows {
    Stream(Box<dyn Write + Send>),
    Lines(Box<BufWriter<NamedTempFile>>, PathBuf),
    Parquet(Box<ParquetRows<NamedTempFile>>, PathBuf),
}

impl Writer {
    /// A writer of JSON lines to a stream.
    pub fn stream(columns: Vec<Column>, out: impl Write + Send + 'static) -> Self {
        Self { columns, rows: Rows::Stream(Box::new(out)) }
    }

    /// A writer to a file, which has a temporary name in the same folder until it is finished.
    pub fn file(columns: Vec<Column>, path: &Path, encoding: Encoding) -> Result<Self, ExportError> {
        ensure_replaceable(path)?;
        let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs_err::create_dir_all(directory)?;
        // Default permissions instead of the private ones of temporary files.
        let mode = Permissions::from_mode(0o666);
        let file = tempfile::Builder::new().permissions(mode).tempfile_in(directory)?;
        let rows = match encoding {
            Encoding::JsonLines => Rows::Lines(Box::new(BufWriter::new(file)), path.to_owned()),
            Encoding::Parquet => Rows::Parquet(Box::new(ParquetRows::new(&columns, file)?), path.to_owned()),
        };
        Ok(Self { columns, rows })
    }

    /// Adds a row.
    pub fn write(&mut self, row: Row) -> Result<(), ExportError> {
        match &mut self.rows {
            Rows::Stream(out) => line(out, &self.columns, &row),
            Rows::Lines(out, _) => line(out, &self.columns, &row),
            Rows::Parquet(rows, _) => rows.write(row),
        }
    }

    /// Completes the table and gives the file its final name.
    pub fn finish(self) -> Result<(), ExportError> {
        let (file, path) = match self.rows {
            Rows::Stream(mut out) => return Ok(out.flush()?),
            Rows::Lines(out, path) => (out.into_inner().map_err(|e| e.into_error())?, path),
            Rows::Parquet(rows, path) => (rows.finish()?, path),
        };
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    }
}

fn line(mut out: impl Write, columns: &[Column], row: &Row) -> Result<(), ExportError> {
    serde_json::to_writer(&mut out, &Object(columns, row)).map_err(std::io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}
