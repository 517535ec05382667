//! The files of an agent, held in memory: what code left in a folder is read once, after its processes have ended.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::task::Limits;

/// Files by their paths below the folder, with `/` between the parts. Clones share the contents.
pub type Files = BTreeMap<String, Arc<[u8]>>;

/// The most folders within each other.
const DEPTH: usize = 16;

/// Whether a path names a file below the folder, and nothing outside it.
pub(super) fn is_below(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | "..")) && !path.contains('\0')
}

/// Writes the files to an empty folder.
pub(super) fn write(files: &Files, folder: &Path) -> io::Result<()> {
    for (path, contents) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(path, contents)?;
    }
    Ok(())
}

/// Reads a folder in which no process runs any more. Links, pipes and names that are not UTF-8 are left out. The inner
/// error says which limit is exceeded.
pub(super) fn read(folder: &Path, limits: &Limits) -> io::Result<Result<Files, String>> {
    let found = match find(folder, limits)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let read = |(name, path): (String, PathBuf)| Ok((name, fs_err::read(path)?.into()));
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
    let mut waiting = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = waiting.pop() {
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
            if kind.is_dir() {
                if depth == DEPTH {
                    return Ok(Err(format!("folders are nested more than {DEPTH} deep")));
                }
                waiting.push((entry.path(), format!("{name}/"), depth + 1));
            } else if kind.is_file() {
                files.push((name, entry.path()));
            }
        }
    }
    Ok(Ok(files))
}
