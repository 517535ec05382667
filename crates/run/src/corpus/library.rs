//! The sources of Rocq's installed library.

use std::path::{Path, PathBuf};

use super::CorpusError;

/// A source file of the library.
pub(crate) struct File {
    /// Its path, relative to the library's folder.
    pub(crate) name: String,
    /// What stands in it.
    pub(crate) text: String,
}

impl File {
    /// The module that it is, relative to the library: `Bool.Bool`.
    pub(crate) fn module(&self) -> String {
        self.name.trim_end_matches(".v").replace('/', ".")
    }
}

/// The sources in folders of the library, in order. The empty name stands for all of it.
pub(crate) fn files(library: &Path, folders: &[&str]) -> Result<Vec<File>, CorpusError> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let folder = library.join(folder);
        if !folder.is_dir() {
            return Err(CorpusError::NoFolder(folder));
        }
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in fs_err::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "v") {
                    paths.push(path);
                }
            }
        }
    }
    paths.sort();
    paths.dedup();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(library).unwrap_or(&path).display().to_string();
        Ok(File { name, text: fs_err::read_to_string(&path)? })
    };
    paths.into_iter().map(read).collect()
}
