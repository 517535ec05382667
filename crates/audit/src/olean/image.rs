//! The bytes of a compiled file: all at once, or piece by piece as they are needed.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::OleanError;

/// The most bytes that a file may have.
const MAXIMUM: u64 = 1 << 30;

/// The size of a piece, in bytes.
const PIECE: usize = 1 << 15;

/// The bytes of a file.
pub(super) enum Image {
    /// All of them.
    Whole(Vec<u8>),
    /// Those that were needed so far. The file must not change meanwhile ([`Image::verify`]).
    Pieces { file: File, path: PathBuf, identity: Identity, pieces: Box<[OnceCell<Box<[u8]>>]> },
}

/// Which file it is, in which state. It changes whenever somebody writes to the file: the time of the last change of a
/// file (not that of its content) cannot be set by a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    written: (i64, i64),
    /// In seconds and nanoseconds.
    changed: (i64, i64),
}

impl Identity {
    /// The identity of the file at a path.
    pub fn of(path: &Path) -> Result<Self, OleanError> {
        let data = std::fs::metadata(path);
        let data = data.and_then(|data| match data.is_file() {
            true => Ok(data),
            false => Err(io::Error::other("it is not a regular file")),
        });
        data.map(|data| Self::new(&data)).map_err(|source| OleanError::File { path: path.to_owned(), source })
    }

    fn new(data: &Metadata) -> Self {
        Self {
            device: data.dev(),
            inode: data.ino(),
            size: data.size(),
            written: (data.mtime(), data.mtime_nsec()),
            changed: (data.ctime(), data.ctime_nsec()),
        }
    }

    /// When the file changed last, in seconds since 1970.
    pub fn changed(&self) -> i64 {
        self.changed.0
    }
}

impl Image {
    /// Reads a file.
    pub(super) fn whole(path: &Path) -> Result<Self, OleanError> {
        let (file, identity) = open(path)?;
        let mut bytes = Vec::with_capacity(identity.size as usize);
        let failed = |source| OleanError::File { path: path.to_owned(), source };
        file.take(MAXIMUM).read_to_end(&mut bytes).map_err(failed)?;
        Ok(Self::Whole(bytes))
    }

    /// Opens a file.
    pub(super) fn in_pieces(path: &Path) -> Result<Self, OleanError> {
        let (file, identity) = open(path)?;
        let pieces = (0..(identity.size as usize).div_ceil(PIECE)).map(|_| OnceCell::new()).collect();
        Ok(Self::Pieces { file, path: path.to_owned(), identity, pieces })
    }

    /// The size of the file.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Pieces { identity, .. } => identity.size as usize,
        }
    }

    /// Bytes from an offset on; `None` if the file is shorter.
    pub(super) fn get(&self, offset: usize, length: usize) -> Result<Option<Cow<'_, [u8]>>, OleanError> {
        let Some(end) = offset.checked_add(length).filter(|&end| end <= self.len()) else { return Ok(None) };
        match self {
            Self::Whole(bytes) => Ok(bytes.get(offset..end).map(Cow::Borrowed)),
            Self::Pieces { .. } if length == 0 => Ok(Some(Cow::Borrowed(&[]))),
            Self::Pieces { .. } if offset / PIECE == (end - 1) / PIECE => {
                let start = offset % PIECE;
                Ok(self.piece(offset / PIECE)?.get(start..start + length).map(Cow::Borrowed))
            }
            Self::Pieces { .. } => {
                let mut bytes = Vec::with_capacity(length);
                for number in offset / PIECE..=(end - 1) / PIECE {
                    let first = number * PIECE;
                    let piece = self.piece(number)?;
                    let from = offset.saturating_sub(first);
                    bytes.extend_from_slice(&piece[from..piece.len().min(end - first)]);
                }
                Ok(Some(Cow::Owned(bytes)))
            }
        }
    }

    /// The identity of a file that is read in pieces, when it was opened.
    pub(super) fn identity(&self) -> Option<Identity> {
        match self {
            Self::Whole(_) => None,
            Self::Pieces { identity, .. } => Some(*identity),
        }
    }

    /// Verifies that nobody has changed the file since it was opened.
    pub(super) fn verify(&self) -> Result<(), OleanError> {
        let Self::Pieces { file, path, identity, .. } = self else { return Ok(()) };
        let data = file.metadata().map_err(|source| OleanError::File { path: path.clone(), source })?;
        match Identity::new(&data) == *identity {
            true => Ok(()),
            false => Err(OleanError::Changed { path: path.clone() }),
        }
    }

    fn piece(&self, number: usize) -> Result<&[u8], OleanError> {
        let Self::Pieces { file, path, identity, pieces } = self else {
            unreachable!("only files in pieces have pieces")
        };
        let cell = &pieces[number];
        if let Some(piece) = cell.get() {
            return Ok(piece);
        }
        let first = number * PIECE;
        let mut piece = vec![0; PIECE.min(identity.size as usize - first)];
        file.read_exact_at(&mut piece, first as u64).map_err(|source| match source.kind() {
            // It has become shorter.
            io::ErrorKind::UnexpectedEof => OleanError::Changed { path: path.clone() },
            _ => OleanError::File { path: path.clone(), source },
        })?;
        Ok(cell.get_or_init(|| piece.into()))
    }
}

fn open(path: &Path) -> Result<(File, Identity), OleanError> {
    let failed = |source| OleanError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let identity = Identity::new(&file.metadata().map_err(failed)?);
    match identity.size {
        size if size > MAXIMUM => Err(OleanError::Large { path: path.to_owned(), size, maximum: MAXIMUM }),
        _ => Ok((file, identity)),
    }
}
