//! The files of an agent, held in memory: what code left in a folder is read once, after its processes have ended.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::task::Limits;

/// Files by their paths below the folder, with `/` between the parts. Clones share the contents.
pub type Files = BTreeMap<String, File>;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct File {
    /// What it contains.
    pub contents: Arc<[u8]>,
    /// Whether it can be executed.
    pub is_executable: bool,
}

impl File {
    /// A file that cannot be executed.
    pub fn new(contents: impl Into<Arc<[u8]>>) -> Self {
        Self { contents: contents.into(), is_executable: false }
    }
}

impl From<String> for File {
    fn from(text: String) -> Self {
        Self::new(text.into_bytes())
    }
}

/// The most folders within each other.
const DEPTH: usize = 16;

/// The longest path, and the longest part of one, in bytes. Linux allows 4096 and 255.
const LONGEST: (usize, usize) = (1024, 255);

/// Whether a path can be that of a file below the folder, and of nothing outside it.
pub(super) fn is_usable(path: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && part.len() <= LONGEST.1;
    path.split('/').all(is_part)
        && path.split('/').count() <= DEPTH
        && path.len() <= LONGEST.0
        && !path.contains('\0')
}

/// Whether two paths cannot both be files, since one is a folder on the way to the other.
pub(super) fn excludes(one: &str, other: &str) -> bool {
    let leads = |to: &str, from: &str| to.strip_prefix(from).is_some_and(|rest| rest.starts_with('/'));
    leads(one, other) || leads(other, one)
}

/// Puts a file in the place of whatever is there.
pub(super) fn replace(files: &mut Files, path: &str, file: File) {
    files.retain(|other, _| !excludes(other, path));
    files.insert(path.to_owned(), file);
}

/// Writes the files to an empty folder.
pub(super) fn write(files: &Files, folder: &Path) -> io::Result<()> {
    for (path, file) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(&path, &file.contents)?;
        if file.is_executable {
            fs_err::set_permissions(&path, Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Reads a folder in which no process runs any more. Links, pipes, empty folders and names that are not UTF-8 are left out.
/// The inner error says which limit is exceeded.
pub(super) fn read(folder: &Path, limits: &Limits) -> io::Result<Result<Files, String>> {
    let found = match find(folder, limits)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let read = |(name, path): (String, PathBuf)| {
        let is_executable = fs_err::symlink_metadata(&path)?.permissions().mode() & 0o100 != 0;
        Ok((name, File { contents: fs_err::read(path)?.into(), is_executable }))
    };
    found.into_iter().map(read).collect::<io::Result<Files>>().map(Ok)
}

/// Whether a folder exceeds the limits now. Processes may be changing it, so what cannot be read does not count.
pub(super) fn exceeds(folder: &Path, limits: &Limits) -> bool {
    find(folder, limits).is_ok_and(|found| found.is_err())
}

/// The files below a folder, with their names. The inner error says which limit is exceeded.
fn find(folder: &Path, limits: &Limits) -> io::Result<Result<Vec<(String, PathBuf)>, String>> {
    let mut files = Vec::new();
    let (mut entries, mut bytes) = (0, 0);
    let mut waiting = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs_err::read_dir(&folder)? {
            let entry = entry?;
            entries += 1;
            if entries > limits.files {
                return Ok(Err(format!("there are more than {} files and folders", limits.files)));
            }
            let kind = entry.file_type()?;
            if kind.is_file() {
                bytes += entry.metadata()?.len();
                if bytes > limits.disk() {
                    return Ok(Err(format!("the files hold more than {} MiB", limits.disk_mib)));
                }
            }
            let Some(name) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else {
                continue;
            };
            if (kind.is_file() || kind.is_dir()) && !is_usable(&name) {
                return Ok(Err(format!("folders are nested {DEPTH} deep, or a path is too long")));
            }
            if kind.is_dir() {
                waiting.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                files.push((name, entry.path()));
            }
        }
    }
    Ok(Ok(files))
}
