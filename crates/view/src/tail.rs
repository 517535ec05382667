//! Reads the lines of a file that may still grow.

use std::fs::Metadata;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::version::{Kind, Opening};
use serde::de::DeserializeOwned;

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// A JSON Lines file, read up to its last complete line so far.
#[derive(Debug)]
pub(crate) struct Tail {
    path: PathBuf,
    kind: Kind,
    /// The file that was read, so that one in its place is noticed.
    inode: u64,
    /// Where the first line begins that was not read.
    offset: u64,
    /// Lines read.
    line: usize,
    /// Why no more is read.
    pub(crate) failed: Option<String>,
}

impl Tail {
    pub(crate) fn new(path: &Path, kind: Kind) -> Self {
        Self { path: path.to_owned(), kind, inode: 0, offset: 0, line: 0, failed: None }
    }

    /// Whether the file is shorter than what was read of it, or another one.
    pub(crate) fn is_replaced(&self) -> bool {
        let is_other = |data: Metadata| data.len() < self.offset || data.ino() != self.inode;
        self.offset > 0 && self.path.metadata().is_ok_and(is_other)
    }

    /// Passes on the complete lines that were added since the last call. What cannot be read is kept in
    /// [`Self::failed`], and ends the reading.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, mut take: impl FnMut(T) -> Result<(), String>) {
        if self.failed.is_some() {
            return;
        }
        if let Err(why) = self.lines(&mut take) {
            self.failed = Some(why);
        }
    }

    fn lines<T: DeserializeOwned>(
        &mut self,
        take: &mut impl FnMut(T) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut file = input::open(&self.path).map_err(|why| why.to_string())?;
        self.inode = file.metadata().map_err(|why| why.to_string())?.ino();
        file.seek(SeekFrom::Start(self.offset)).map_err(|why| why.to_string())?;
        let mut held: Vec<u8> = Vec::new();
        loop {
            let searched = held.len();
            let read = read_block(&mut file, &mut held).map_err(|why| why.to_string())?;
            if read == 0 {
                return Ok(());
            }
            // A long line is not searched twice.
            let Some(end) = held[searched..].iter().rposition(|&b| b == b'\n').map(|at| searched + at + 1)
            else {
                continue;
            };
            for line in held[..end].split_inclusive(|&b| b == b'\n') {
                self.take_line(line, take)
                    .map_err(|why| format!("line {} is unusable: {why}", self.line + 1))?;
                self.offset += line.len() as u64;
                self.line += 1;
            }
            held.drain(..end);
        }
    }

    fn take_line<T: DeserializeOwned>(
        &self,
        line: &[u8],
        take: &mut impl FnMut(T) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.line == 0 {
            let opening: Opening = serde_json::from_slice(line).map_err(|why| why.to_string())?;
            return opening.check(self.kind);
        }
        take(serde_json::from_slice(line).map_err(|why| why.to_string())?)
    }
}

fn read_block(file: &mut impl Read, held: &mut Vec<u8>) -> io::Result<usize> {
    file.take(BLOCK as u64).read_to_end(held)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn lines_are_read_once_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        let mut file = fs_err::File::create(&path).unwrap();
        let opening = serde_json::to_string(&Opening::new(Kind::Trace)).unwrap();
        write!(file, "{opening}\n1\n\"\u{2200}").unwrap();
        let mut tail = Tail::new(&path, Kind::Trace);
        let read = |tail: &mut Tail| {
            let mut lines: Vec<Value> = Vec::new();
            tail.read(|line| {
                lines.push(line);
                Ok(())
            });
            lines
        };
        assert_eq!(read(&mut tail), [json!(1)]);
        assert_eq!(read(&mut tail), [] as [Value; 0]);
        write!(file, "\"\n3\n").unwrap();
        assert_eq!(read(&mut tail), [json!("\u{2200}"), json!(3)]);
        assert!(!tail.is_replaced());
        writeln!(file, "{{").unwrap();
        writeln!(file, "5").unwrap();
        assert_eq!(read(&mut tail), [] as [Value; 0]);
        let failed = tail.failed.clone().unwrap();
        assert!(failed.starts_with("line 5 is unusable: EOF"), "{failed}");
        fs_err::write(&path, "").unwrap();
        assert!(tail.is_replaced());
    }
}
