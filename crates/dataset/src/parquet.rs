//! Rows of Parquet files, and what is compressed by Zstandard, as their pages may be.

use std::io::Read;
use std::panic::catch_unwind;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use serde_json::{Map, Value};

use super::content::MAX_BYTES;

/// The rows of a Parquet file, or why they cannot be read. Groups and lists become objects and arrays.
pub(super) fn rows(bytes: Vec<u8>) -> Result<Vec<Map<String, Value>>, String> {
    // The library panics on some damaged files.
    catch_unwind(|| read(bytes)).unwrap_or_else(|_| Err(unread("it is damaged")))
}

/// What is compressed by Zstandard.
pub(super) fn zstd(packed: &[u8]) -> Result<impl Read, String> {
    zstd::Decoder::with_buffer(packed).map_err(|error| format!("a damaged archive: {error}"))
}

fn read(bytes: Vec<u8>) -> Result<Vec<Map<String, Value>>, String> {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| refused(&error))?;
    let unpacked: i64 = reader.metadata().row_groups().iter().map(|group| group.total_byte_size()).sum();
    if u64::try_from(unpacked).is_ok_and(|unpacked| unpacked > MAX_BYTES) {
        return Err(format!("its rows hold more than {} MiB; split it into several files", MAX_BYTES >> 20));
    }
    let mut rows = Vec::new();
    for row in RowIter::from_file_into(Box::new(reader)) {
        match row.map_err(|error| refused(&error))?.to_json_value() {
            Value::Object(fields) => rows.push(fields),
            _ => unreachable!("rows are objects"),
        }
    }
    Ok(rows)
}

fn refused(error: &ParquetError) -> String {
    let text = error.to_string();
    unread(&match text.split_once("Disabled feature at compile time: ") {
        Some((_, compression)) => {
            format!("its pages are compressed by {compression}, which andor does not read")
        }
        None => format!("it cannot be read: {text}"),
    })
}

fn unread(why: &str) -> String {
    format!(
        "a Parquet file, but {why}; if you can open it, write it anew, for example with \
         `python3 -c \"import pandas; pandas.read_parquet('FILE').to_parquet('rows.parquet')\"`"
    )
}
