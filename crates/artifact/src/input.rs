//! Reads files named by a user. Anything but a regular file is refused before it is opened: a pipe could block the
//! program forever, and a device such as `/dev/zero` never ends. File sizes are limited.

use std::fs::FileType;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Size limit of a source file, or of another file that is read as a whole, in bytes.
pub const MAX_BYTES: u64 = 256 << 20;

/// Why a file is refused, in addition to operating-system errors. Wrapped in an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is not a regular file.
    #[error("{}: this is {what}, not a file; save its content to a file first", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
        /// Its kind.
        what: &'static str,
    },
    /// It does not exist.
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
        /// The limit in bytes.
        max_bytes: u64,
    },
}

/// Whether a path stands for standard input: `-`.
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard input, which is read once: whoever asks again gets the same.
fn standard_input() -> io::Result<&'static [u8]> {
    static READ: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(read) = READ.get() {
        return Ok(read);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(READ.get_or_init(|| bytes))
}

/// Opens a regular file, or standard input, for reading.
///
/// # Errors
/// Like [`open`].
pub fn reader(path: impl AsRef<Path>) -> io::Result<Box<dyn Read>> {
    match is_standard_input(path.as_ref()) {
        true => Ok(Box::new(standard_input()?)),
        false => Ok(Box::new(open(path)?)),
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// It is not a regular file, or cannot be opened. The message names it.
pub fn open(path: impl AsRef<Path>) -> io::Result<fs_err::File> {
    let path = path.as_ref();
    check(path, kind(path)?)?;
    fs_err::File::open(path)
}

/// The metadata of a path.
///
/// # Errors
/// The path does not exist or is not accessible. The message names it.
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

/// The content of a regular file, or of standard input.
///
/// # Errors
/// Like [`open`], and for files larger than [`MAX_BYTES`].
pub fn bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    at_most(MAX_BYTES, path.as_ref())
}

fn at_most(max_bytes: u64, path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A file may grow while it is read.
    reader(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(refused(InputError::TooLarge { path: path.to_owned(), max_bytes }));
    }
    Ok(bytes)
}

/// The content of a regular UTF-8 file, or of standard input.
///
/// # Errors
/// Like [`bytes`], and for text that is not UTF-8.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    text_at_most(MAX_BYTES, path)
}

/// The content of a regular UTF-8 file of at most so many bytes.
///
/// # Errors
/// Like [`text`], with this maximum.
pub fn text_at_most(max_bytes: u64, path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref();
    String::from_utf8(at_most(max_bytes, path)?).map_err(|error| {
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
