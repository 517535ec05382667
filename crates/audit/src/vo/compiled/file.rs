//! A compiled file: a header, and segments of values (`lib/objFile.ml` of Rocq).

use super::DecodeError::{self, Corrupt};
use super::marshal::{Heap, Reader};

/// The first bytes of a compiled file.
const MAGIC: u64 = 0x436F_7121;
/// The size in bytes of a digest, which follows a segment and is also in its summary.
const DIGEST_BYTES: usize = 16;

/// A compiled file.
#[derive(Debug)]
pub(super) struct File<'a> {
    bytes: &'a [u8],
    /// The format number, which is the version: 81601 is 8.16.1.
    pub(super) version: u64,
    segments: Vec<Segment<'a>>,
}

/// The place of a segment.
#[derive(Debug)]
struct Segment<'a> {
    name: &'a [u8],
    start: usize,
    end: usize,
    digest: &'a [u8],
}

impl<'a> File<'a> {
    /// Reads the header and the table of segments.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.number(4)? != MAGIC {
            return Err(Corrupt("it is not a compiled file"));
        }
        let version = reader.number(4)?;
        let table = reader.number(8)?;
        reader.at = usize::try_from(table).ok().filter(|&at| at <= bytes.len()).ok_or(Corrupt(OUTSIDE))?;
        let mut segments = Vec::new();
        for _ in 0..reader.number(4)? {
            let length = reader.number(4)?;
            let name = reader.take(reader.length(length)?)?;
            let (start, length) = (reader.number(8)?, reader.number(8)?);
            let digest = reader.take(DIGEST_BYTES)?;
            let end = start.checked_add(length).and_then(|end| usize::try_from(end).ok());
            let end = end.filter(|&end| end <= bytes.len()).ok_or(Corrupt(OUTSIDE))?;
            let start = end - usize::try_from(length).map_err(|_| Corrupt(OUTSIDE))?;
            segments.push(Segment { name, start, end, digest });
        }
        Ok(Self { bytes, version, segments })
    }

    /// The value of a segment.
    pub(super) fn segment(&self, name: &str) -> Result<Heap<'a>, DecodeError> {
        let &Segment { start, end, .. } = self.named(name)?;
        Heap::read(&self.bytes[start..end])
    }

    /// The digest of a segment, by which other files know it.
    pub(super) fn digest(&self, name: &str) -> Result<&'a [u8], DecodeError> {
        self.named(name).map(|segment| segment.digest)
    }

    fn named(&self, name: &str) -> Result<&Segment<'a>, DecodeError> {
        let mut named = self.segments.iter().filter(|segment| segment.name == name.as_bytes());
        match (named.next(), named.next()) {
            (Some(segment), None) => Ok(segment),
            _ => Err(Corrupt("a segment is missing or duplicated")),
        }
    }
}

const OUTSIDE: &str = "a segment lies outside the file";
