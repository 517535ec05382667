//! The file of a journal: lines that are only ever appended, and can be read again by their place.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::rollout::RolloutLine;
use andor_artifact::version::{Kind, Opening};
use fs_err::{File, OpenOptions};

use super::JournalError;

/// Where a line is in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    begin: u64,
    length: usize,
}

impl Place {
    /// The bytes of the line.
    pub(super) fn length(self) -> usize {
        self.length
    }
}

#[derive(Debug)]
pub(super) struct LinesFile {
    file: File,
    path: PathBuf,
    end: u64,
}

impl LinesFile {
    pub(super) fn create(path: &Path) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        let mut new = Self { file, path: path.to_owned(), end: 0 };
        new.push(&Opening::new(Kind::Rollout))?;
        Ok(new)
    }

    /// Opens a file to append to it after its first `end` bytes, as [`read`] counted them: a last line that was cut off is
    /// removed.
    pub(super) fn open(path: &Path, end: u64) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        file.set_len(end)?;
        Ok(Self { file, path: path.to_owned(), end })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line, and hands it to the operating system, so that it survives the end of this program.
    pub(super) fn push(&mut self, line: &impl serde::Serialize) -> Result<Place, JournalError> {
        let mut bytes = serde_json::to_vec(line).map_err(|error| self.malformed(error))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)?;
        let place = Place { begin: self.end, length: bytes.len() };
        self.end += bytes.len() as u64;
        Ok(place)
    }

    /// Has everything written to disk, so that it survives a failure of the machine.
    pub(super) fn sync(&mut self) -> Result<(), JournalError> {
        Ok(self.file.sync_data()?)
    }

    pub(super) fn get(&mut self, place: Place) -> Result<RolloutLine, JournalError> {
        let mut bytes = vec![0; place.length];
        self.file.seek(SeekFrom::Start(place.begin))?;
        self.file.read_exact(&mut bytes)?;
        serde_json::from_slice(&bytes).map_err(|error| self.malformed(error))
    }

    fn malformed(&self, what: impl ToString) -> JournalError {
        JournalError::Malformed { path: self.path.clone(), line: None, what: what.to_string() }
    }
}

/// Reads a journal line by line, without a last one that was cut off. Returns the number of bytes of the complete lines.
pub(super) fn read(
    path: &Path,
    mut take: impl FnMut(Place, RolloutLine) -> Result<(), String>,
) -> Result<u64, JournalError> {
    let mut reader = BufReader::new(input::open(path)?);
    let mut bytes = Vec::new();
    let mut end = 0;
    for number in 1.. {
        let malformed =
            |what: String| JournalError::Malformed { path: path.to_owned(), line: Some(number), what };
        bytes.clear();
        reader.read_until(b'\n', &mut bytes)?;
        if bytes.last() != Some(&b'\n') {
            if number == 1 {
                return Err(malformed("the opening is missing".to_owned()));
            }
            break;
        }
        let wrong = |error: serde_json::Error| malformed(error.to_string());
        if number == 1 {
            let opening: Opening = serde_json::from_slice(&bytes).map_err(wrong)?;
            opening.check(Kind::Rollout).map_err(malformed)?;
        } else {
            let place = Place { begin: end, length: bytes.len() };
            take(place, serde_json::from_slice(&bytes).map_err(wrong)?).map_err(malformed)?;
        }
        end += bytes.len() as u64;
    }
    Ok(end)
}
