//! Reading files that a user names. What is no regular file is refused before it is opened: a pipe would keep the program
//! waiting for good, and a device such as `/dev/zero` never ends. And no file is read beyond a bound.

use std::fs::FileType;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The most bytes that are read of one file at once; larger data must come in several files.
pub const MAX_BYTES: u64 = 1 << 30;

/// Why a file is not read, beside what the operating system says. Stands within an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is no regular file.
    #[error("{}: this is {what}, and no file; save what is to be read in a file first", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// It is a folder.
    #[error("{}: this is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// It is too large.
    #[error("{}: it holds more than {} MiB; split it into several files", .0.display(), MAX_BYTES >> 20)]
    TooLarge(PathBuf),
}

/// Opens a regular file for reading.
///
/// # Errors
/// It is no regular file, or cannot be opened. The message names it.
pub fn open(path: impl AsRef<Path>) -> io::Result<fs_err::File> {
    let path = path.as_ref();
    check(path, fs_err::metadata(path)?.file_type())?;
    fs_err::File::open(path)
}

/// What a regular file holds.
///
/// # Errors
/// As [`open`], and for files of more than [`MAX_BYTES`].
pub fn bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(InputError::TooLarge(path.to_owned())));
    }
    Ok(bytes)
}

/// What a regular file of UTF-8 text holds.
///
/// # Errors
/// As [`bytes`], and for what is not UTF-8.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref();
    String::from_utf8(bytes(path)?).map_err(|error| {
        let message =
            format!("{}: no UTF-8 text (from byte {} on)", path.display(), error.utf8_error().valid_up_to());
        io::Error::new(ErrorKind::InvalidData, message)
    })
}

fn check(path: &Path, kind: FileType) -> io::Result<()> {
    let no_file = |what| InputError::NoFile { path: path.to_owned(), what };
    Err(refused(match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => InputError::Folder(path.to_owned()),
        kind if kind.is_fifo() => no_file("a pipe"),
        kind if kind.is_socket() => no_file("a socket"),
        _ => no_file("a device"),
    }))
}

fn refused(error: InputError) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, error)
}
