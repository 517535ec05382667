//! The sources of installed libraries: Rocq's standard library, and others.

use std::path::{Path, PathBuf};

use andor_artifact::input;

use super::CorpusError;

/// The folder of the standard library, and the first component of its names. Since 9.0 it is one library among others.
pub fn own(installed: &Path) -> (PathBuf, &'static str) {
    let stdlib = installed.join(OTHERS).join("Stdlib");
    if stdlib.is_dir() { (stdlib, "Stdlib") } else { (installed.join("theories"), "Coq") }
}

/// The folder of all other libraries.
pub const OTHERS: &str = "user-contrib";

/// A source file of a library.
pub struct File {
    /// Its path, relative to the searched folder.
    pub name: String,
    /// Its contents.
    pub text: String,
}

impl File {
    /// Its module name, relative to that folder: `Bool.Bool`.
    pub fn module(&self) -> String {
        self.name.trim_end_matches(".v").replace('/', ".")
    }
}

/// The other installed libraries, as sorted folder names.
pub fn others(installed: &Path) -> Result<Vec<String>, CorpusError> {
    let folder = installed.join(OTHERS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        if entry.path().is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}

/// The sources in the given folders of `library`, in order. The empty name stands for the whole library.
pub fn files(library: &Path, folders: &[&str]) -> Result<Vec<File>, CorpusError> {
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
        Ok(File { name, text: input::text(&path)? })
    };
    paths.into_iter().map(read).collect()
}
