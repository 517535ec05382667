//! One file under several names: named twice, by a link, by a hard link.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Problem;

/// What tells a file from all others, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    /// The identity of the file that a path leads to.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be looked at.
    pub fn of(path: &Path) -> io::Result<Self> {
        let data = fs_err::metadata(path)?;
        Ok(Self { device: data.dev(), inode: data.ino() })
    }
}

/// Leaves each theorem of a source file once, and names each file as the first of its theorems does.
pub(super) fn once(problems: &mut Vec<Problem>) {
    let mut identities: HashMap<PathBuf, Option<FileIdentity>> = HashMap::new();
    let mut names: HashMap<FileIdentity, PathBuf> = HashMap::new();
    let mut seen = HashSet::new();
    problems.retain_mut(|problem| {
        let Some(place) = &mut problem.place else { return true };
        if !identities.contains_key(&place.file) {
            identities.insert(place.file.clone(), FileIdentity::of(&place.file).ok());
        }
        if let Some(identity) = identities[&place.file] {
            place.file.clone_from(names.entry(identity).or_insert_with(|| place.file.clone()));
        }
        seen.insert((place.file.clone(), place.at.statement.clone()))
    });
}
