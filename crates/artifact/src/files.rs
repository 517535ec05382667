//! Reads and writes files. A file appears under its name only when complete; a JSON Lines file grows line by
//! line, and an incomplete last line is not an error.

use std::fs::Permissions;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::input;
use crate::version::{Kind, Opening};

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// An operating-system error. The message names the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content is invalid.
    #[error("{path}{}: {what}", line.map_or(String::new(), |l| format!(", line {l}")))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, in a JSON Lines file.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
}

fn malformed(path: &Path, line: Option<usize>, what: impl ToString) -> FileError {
    FileError::Malformed { path: path.to_owned(), line, what: what.to_string() }
}

/// Checks in advance that a file can be written under this name: it must be unused, or a regular file that is no part of a
/// run. A file renamed to `/dev/stdout` would replace it, if the user has the permission.
pub fn ensure_replaceable(path: &Path) -> Result<(), FileError> {
    match path.canonicalize() {
        Ok(found) if !found.is_file() => {
            let what = "not a regular file, so it would be replaced; choose another name for the output";
            Err(malformed(path, None, what))
        }
        Ok(found) if is_part_of_run(&found) => Err(malformed(
            path,
            None,
            "a file of a run, which would be lost; choose another name for the output",
        )),
        _ => Ok(()),
    }
}

/// Whether a run wrote the file: it is one of those beside `run.db`, or below the folders of attempts.
fn is_part_of_run(file: &Path) -> bool {
    const OWN: [&str; 7] =
        ["run.db", "run.json", "results.jsonl", "plans.json", "progress.jsonl", "basin.json", "theorems"];
    file.ancestors().skip(1).any(|folder| {
        let inside = file.strip_prefix(folder).ok().and_then(|path| path.components().next());
        inside.is_some_and(|first| OWN.iter().any(|name| first.as_os_str() == *name))
            && folder.join("run.db").is_file()
    })
}

/// Writes a JSON file, compressed when its name ends in `.gz`.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| malformed(path, None, e))?;
    bytes.push(b'\n');
    if path.extension().is_some_and(|e| e == "gz") {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&bytes)?;
        bytes = encoder.finish()?;
    }
    write_bytes(path, &bytes)
}

/// The prefix of the name of an incomplete file.
const UNFINISHED: &str = ".andor-unfinished-";

/// Removes the incomplete files of killed programs from a folder. No other program may be writing there.
pub fn remove_unfinished(folder: &Path) -> Result<(), FileError> {
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            fs_err::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Writes a file under a temporary name, syncs it, and renames it.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs_err::create_dir_all(directory)?;
    // With the permissions of an ordinary file, not of a temporary one.
    let mode = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).permissions(mode).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| malformed(path, None, e.error))?;
    Ok(())
}

/// Size limit of a JSON file, uncompressed. A tree of a million nodes has some hundred megabytes.
const MAX_JSON_BYTES: u64 = 4 << 30;

/// Reads a JSON file of the given kind, compressed when its name ends in `.gz`.
pub fn read_json<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<T, FileError> {
    #[derive(serde::Deserialize)]
    struct Opened {
        opening: Opening,
    }
    let file = input::open(path)?;
    let read = |from: &mut dyn Read| {
        let mut text = String::new();
        from.take(MAX_JSON_BYTES + 1).read_to_string(&mut text).map_err(|e| malformed(path, None, e))?;
        if text.len() as u64 > MAX_JSON_BYTES {
            let what = format!("larger than {} MiB, the maximum", MAX_JSON_BYTES >> 20);
            return Err(malformed(path, None, what));
        }
        Ok(text)
    };
    let is_packed = path.extension().is_some_and(|e| e == "gz");
    let text = if is_packed { read(&mut GzDecoder::new(file)) } else { read(&mut BufReader::new(file)) }?;
    let not_of_kind = |e: serde_json::Error| {
        malformed(path, None, format!("no complete file of kind {}: {e}", kind.name()))
    };
    let opened: Opened = serde_json::from_str(&text).map_err(not_of_kind)?;
    opened.opening.check(kind).map_err(|what| malformed(path, None, what))?;
    serde_json::from_str(&text).map_err(not_of_kind)
}

/// The last line of a file, complete or not; empty if the file is. Only the end of the file is read.
///
/// # Errors
///
/// The file cannot be read.
pub fn last_line(path: &Path) -> Result<String, FileError> {
    const BLOCK: u64 = 1 << 16;
    let mut file = input::open(path)?;
    let (mut begin, mut bytes) = (file.seek(SeekFrom::End(0))?, Vec::new());
    while begin > 0 && !bytes.trim_ascii_end().contains(&b'\n') {
        let length = begin.min(BLOCK);
        begin -= length;
        file.seek(SeekFrom::Start(begin))?;
        let mut block = Vec::new();
        (&mut file).take(length).read_to_end(&mut block)?;
        block.append(&mut bytes);
        bytes = block;
    }
    let text = bytes.trim_ascii_end();
    let line = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

/// A JSON Lines file that grows.
pub struct LinesWriter<T> {
    out: BufWriter<fs_err::File>,
    path: PathBuf,
    line: Vec<u8>,
    records: PhantomData<fn(&T)>,
}

impl<T: Serialize> LinesWriter<T> {
    /// Starts a new file with its opening.
    pub fn create(path: &Path, kind: Kind) -> Result<Self, FileError> {
        if let Some(directory) = path.parent() {
            fs_err::create_dir_all(directory)?;
        }
        let file = fs_err::File::create(path)?;
        let out = BufWriter::with_capacity(1 << 16, file);
        let mut writer = Self { out, path: path.to_owned(), line: Vec::new(), records: PhantomData };
        writer.push(&Opening::new(kind))?;
        Ok(writer)
    }

    /// Goes on with a file of [`Self::create`], after its last complete line. What a killed program left of a line is
    /// cut off.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or is of another kind or major version.
    pub fn append(path: &Path, kind: Kind) -> Result<Self, FileError> {
        let mut file = fs_err::OpenOptions::new().read(true).write(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if end == 0 {
            drop(file);
            return Self::create(path, kind);
        }
        LinesReader::<IgnoredAny>::open(path, kind)?;
        file.set_len(end as u64)?;
        file.seek(SeekFrom::End(0))?;
        let out = BufWriter::with_capacity(1 << 16, file);
        Ok(Self { out, path: path.to_owned(), line: Vec::new(), records: PhantomData })
    }

    /// Adds a record.
    pub fn write(&mut self, record: &T) -> Result<(), FileError> {
        self.push(record)
    }

    /// Passes everything written so far to the operating system, so that it survives the end of this program, however
    /// that happens.
    pub fn flush(&mut self) -> Result<(), FileError> {
        self.out.flush()?;
        Ok(())
    }

    /// Syncs everything written so far to disk, so that it survives a failure of the machine.
    pub fn sync(&mut self) -> Result<(), FileError> {
        self.flush()?;
        self.out.get_ref().sync_data()?;
        Ok(())
    }

    fn push(&mut self, record: &impl Serialize) -> Result<(), FileError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, record).map_err(|e| malformed(&self.path, None, e))?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        Ok(())
    }
}

/// The content of a JSON Lines file.
#[derive(Debug)]
pub struct Lines<T> {
    /// Its opening.
    pub opening: Opening,
    /// Its records.
    pub records: Vec<T>,
}

/// Reads a JSON Lines file of the given kind. A last line without line feed is incomplete and ignored.
pub fn read_lines<T: DeserializeOwned>(path: &Path, kind: Kind) -> Result<Lines<T>, FileError> {
    let mut reader = LinesReader::open(path, kind)?;
    let records = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Lines { opening: reader.opening, records })
}

/// Reads the records of a JSON Lines file one by one, for files that do not fit into memory. A last line without
/// line feed is incomplete and ignored. Reading stops after an error.
pub struct LinesReader<T> {
    reader: BufReader<fs_err::File>,
    path: PathBuf,
    opening: Opening,
    /// The number of the last line read, from 1.
    line: usize,
    /// Bytes, because a line may end within a character.
    bytes: Vec<u8>,
    failed: bool,
    records: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> LinesReader<T> {
    /// Opens a file of the given kind and reads its opening.
    pub fn open(path: &Path, kind: Kind) -> Result<Self, FileError> {
        let mut reader = BufReader::new(input::open(path)?);
        let mut bytes = Vec::new();
        if !next_line(&mut reader, &mut bytes, path)? {
            return Err(malformed(path, Some(1), "the opening is missing"));
        }
        let opening: Opening = serde_json::from_slice(&bytes).map_err(|e| malformed(path, Some(1), e))?;
        opening.check(kind).map_err(|what| malformed(path, Some(1), what))?;
        let path = path.to_owned();
        Ok(Self { reader, path, opening, line: 1, bytes, failed: false, records: PhantomData })
    }

    fn read(&mut self) -> Result<Option<T>, FileError> {
        if !next_line(&mut self.reader, &mut self.bytes, &self.path)? {
            return Ok(None);
        }
        self.line += 1;
        serde_json::from_slice(&self.bytes).map(Some).map_err(|e| malformed(&self.path, Some(self.line), e))
    }
}

impl<T: DeserializeOwned> Iterator for LinesReader<T> {
    type Item = Result<T, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.read();
        self.failed = record.is_err();
        record.transpose()
    }
}

/// Reads a line; `false` at the end of the file, possibly after an incomplete line.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>, path: &Path) -> Result<bool, FileError> {
    line.clear();
    reader.read_until(b'\n', line).map_err(|e| malformed(path, None, e))?;
    Ok(line.ends_with(b"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Abort, TraceEvent, TraceTree};

    fn abort(iteration: u64) -> TraceEvent {
        let tree =
            TraceTree { nodes: 1, expansions: 0, max_depth: 0, solved: false, aborted: true, inflight: 0 };
        TraceEvent::Abort(Abort {
            iteration,
            reason: "time".into(),
            tree,
            tree_digest: String::new(),
            given_up: Vec::new(),
        })
    }

    #[test]
    fn files_of_a_run_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let attempt = folder.path().join("theorems/t/attempt-1");
        std::fs::create_dir_all(&attempt).unwrap();
        for name in ["run.db", "mine.jsonl", "theorems/t/attempt-1/trace.jsonl"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        for name in ["run.db", "theorems/t/attempt-1/trace.jsonl", "theorems"] {
            assert!(ensure_replaceable(&folder.path().join(name)).is_err(), "{name}");
        }
        for name in ["mine.jsonl", "new.jsonl"] {
            ensure_replaceable(&folder.path().join(name)).unwrap();
        }
        std::fs::remove_file(folder.path().join("run.db")).unwrap();
        ensure_replaceable(&attempt.join("trace.jsonl")).unwrap();
    }

    #[test]
    fn a_torn_last_line_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.jsonl");
        let mut writer = LinesWriter::create(&path, Kind::Trace).unwrap();
        writer.write(&abort(1)).unwrap();
        writer.sync().unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all("{\"event\":\"∀".as_bytes().split_last().unwrap().1).unwrap();
        let lines = read_lines::<TraceEvent>(&path, Kind::Trace).unwrap();
        assert_eq!(lines.records, [abort(1)]);
    }

    #[test]
    fn a_file_goes_on_after_its_last_complete_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.jsonl");
        let mut writer = LinesWriter::create(&path, Kind::Trace).unwrap();
        writer.write(&abort(1)).unwrap();
        writer.sync().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for torn in 0..=whole.len() {
            std::fs::write(&path, &whole[..torn]).unwrap();
            let mut writer = LinesWriter::append(&path, Kind::Trace).unwrap();
            writer.write(&abort(2)).unwrap();
            writer.sync().unwrap();
            let lines = read_lines::<TraceEvent>(&path, Kind::Trace).unwrap();
            let kept = if torn == whole.len() { vec![abort(1), abort(2)] } else { vec![abort(2)] };
            assert_eq!(lines.records, kept, "torn after {torn} bytes");
        }
        assert!(LinesWriter::<TraceEvent>::append(&path, Kind::Order).is_err(), "it is of another kind");
    }

    #[test]
    fn files_of_another_kind_or_major_version_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.jsonl");
        drop(LinesWriter::<TraceEvent>::create(&path, Kind::Trace).unwrap());
        let error = read_lines::<TraceEvent>(&path, Kind::Results).unwrap_err().to_string();
        assert!(error.contains("line 1: its kind is andor.trace, not andor.results"), "{error}");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"major\":3", "\"major\":1")).unwrap();
        let error = read_lines::<TraceEvent>(&path, Kind::Trace).unwrap_err().to_string();
        assert!(error.contains("format version 1."), "{error}");
        std::fs::write(&path, text.replace("\"minor\":1", "\"minor\":7")).unwrap();
        assert!(read_lines::<TraceEvent>(&path, Kind::Trace).is_ok(), "a newer minor version is read");
    }

    #[test]
    fn a_malformed_line_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.jsonl");
        let mut writer = LinesWriter::create(&path, Kind::Trace).unwrap();
        writer.write(&abort(1)).unwrap();
        writer.sync().unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"event\":\"nonsense\"}\n").unwrap();
        let error = read_lines::<TraceEvent>(&path, Kind::Trace).unwrap_err().to_string();
        assert!(error.contains("trace.jsonl, line 3: unknown variant"), "{error}");
    }
}
