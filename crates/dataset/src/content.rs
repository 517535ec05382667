//! From bytes to text, or to rows: decompresses files, reads Parquet, and recognises files that are neither.

use std::io::{self, Read};
use std::path::Path;

use andor_artifact::input;
use serde_json::{Map, Value};

use super::{DatasetError, parquet};

/// Limit of a file's decompressed size, so that a small compressed file cannot fill the memory.
pub(super) const MAX_BYTES: u64 = 1 << 30;

const GZIP: &[u8] = &[0x1f, 0x8b];
/// What a Parquet file begins with.
const PARQUET: &[u8] = b"PAR1";
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What a file contains.
pub(super) enum Content {
    /// Text, without a byte order mark, and with `\n` line ends.
    Text(String),
    /// The rows of a Parquet file.
    Rows(Vec<Map<String, Value>>),
}

/// The text of a file, decompressed.
pub(super) fn text(path: &Path) -> Result<String, DatasetError> {
    match read(path)? {
        Content::Text(text) => Ok(text),
        Content::Rows(_) => {
            Err(DatasetError::malformed(path, None, "a Parquet file; its name should end in `.parquet`"))
        }
    }
}

/// The content of a file, decompressed.
pub(super) fn read(path: &Path) -> Result<Content, DatasetError> {
    let mut bytes = limited(path, input::reader(path)?)?;
    loop {
        let unpacked = match &bytes[..] {
            packed if packed.starts_with(GZIP) => limited(path, flate2::read::MultiGzDecoder::new(packed)),
            packed if packed.starts_with(ZSTD) => limited(
                path,
                parquet::zstd(packed).map_err(|what| DatasetError::malformed(path, None, what))?,
            ),
            _ => break,
        };
        bytes = unpacked?;
    }
    if bytes.starts_with(PARQUET) {
        let rows = parquet::rows(bytes).map_err(|what| DatasetError::malformed(path, None, what))?;
        return Ok(Content::Rows(rows));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|b| **b == b'\n').count() + 1;
        let what = "not UTF-8 text; check that it is the right file, or save it as UTF-8";
        DatasetError::malformed(path, Some(line), what)
    })?;
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(Content::Text(text.replace("\r\n", "\n")))
}

fn limited(path: &Path, from: impl Read) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| match e.kind() {
        io::ErrorKind::InvalidInput
        | io::ErrorKind::InvalidData
        | io::ErrorKind::UnexpectedEof
        | io::ErrorKind::Other => unpacking(path, &e.to_string()),
        _ => DatasetError::Io(e),
    })?;
    if bytes.len() as u64 > MAX_BYTES {
        let what = format!("holds more than {} MiB; split it into several files", MAX_BYTES >> 20);
        return Err(DatasetError::malformed(path, None, what));
    }
    Ok(bytes)
}

fn unpacking(path: &Path, error: &str) -> DatasetError {
    DatasetError::malformed(path, None, format!("a damaged archive: {error}"))
}
