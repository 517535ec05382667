//! In place of the reader of Parquet and Zstandard, in a build without it.

use serde_json::{Map, Value};

const ABSENT: &str = "which this build does not read; build it with the feature `parquet`";

/// Why the rows of a Parquet file are not read.
pub(super) fn rows(_: Vec<u8>) -> Result<Vec<Map<String, Value>>, String> {
    Err(format!("a Parquet file, {ABSENT}"))
}

/// Why it is not unpacked.
pub(super) fn zstd(_: &[u8]) -> Result<&[u8], String> {
    Err(format!("compressed by Zstandard, {ABSENT}"))
}
