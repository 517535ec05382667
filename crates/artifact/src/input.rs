//! Reading files that a user names. What is no regular file is refused before it is opened: a pipe would keep the program
//! waiting for good, and a device such as `/dev/zero` never ends. And no file is read beyond a bound.

use std::fs::FileType;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The most bytes that are read of a source file, or of another file that is read at once.
pub const MAX_BYTES: u64 = 256 << 20;

/// Why a file is not read, beside what the operating system says. Stands within an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is no regular file.
    #[error("{}: this is {what}, not a file; save its content to a file first", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// It is not there.
    #[error("{}: no such file or folder", .0.display())]
    Missing(PathBuf),
    /// It is a folder.
    #[error("{}: this is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// It is too large.
    #[error("{}: the file is larger than {max_bytes} bytes, the maximum", path.display())]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// The most bytes that are read.
        max_bytes: u64,
    },
}

/// Opens a regular file for reading.
///
/// # Errors
/// It is no regular file, or cannot be opened. The message names it.
pub fn open(path: impl AsRef<Path>) -> io::Result<fs_err::File> {
    let path = path.as_ref();
    check(path, kind(path)?)?;
    fs_err::File::open(path)
}

/// What a path leads to.
///
/// # Errors
/// It leads to nothing, or to what may not be looked at. The message names it.
pub fn kind(path: impl AsRef<Path>) -> io::Result<FileType> {
    let path = path.as_ref();
    match fs_err::metadata(path) {
        Ok(data) => Ok(data.file_type()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(io::Error::new(ErrorKind::NotFound, InputError::Missing(path.to_owned())))
        }
        Err(error) => Err(error),
    }
}

/// What a regular file holds.
///
/// # Errors
/// As [`open`], and for files of more than [`MAX_BYTES`].
pub fn bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    at_most(MAX_BYTES, path.as_ref())
}

fn at_most(max_bytes: u64, path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(refused(InputError::TooLarge { path: path.to_owned(), max_bytes }));
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
        let message = format!(
            "{}: not UTF-8 text (invalid from byte {})",
            path.display(),
            error.utf8_error().valid_up_to()
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "∀").unwrap();
        assert_eq!(text(&path).unwrap(), "∀");
        assert_eq!(at_most(3, &path).unwrap(), "∀".as_bytes());
        let error = at_most(2, &path).unwrap_err().to_string();
        assert_eq!(error, format!("{}: the file is larger than 2 bytes, the maximum", path.display()));
        std::fs::write(&path, b"ab\xff").unwrap();
        assert!(text(&path).unwrap_err().to_string().ends_with("not UTF-8 text (invalid from byte 2)"));
        let missing = folder.path().join("b");
        let error = text(&missing).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::NotFound, format!("{}: no such file or folder", missing.display()))
        );
        assert!(bytes("/dev/zero").unwrap_err().to_string().starts_with("/dev/zero: this is a device"));
        assert!(bytes(folder.path()).unwrap_err().to_string().contains("this is a folder"));
    }
}
