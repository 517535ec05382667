//! Temporary folders for children, all below one folder per run of the program.
//!
//! A killed program cannot clean up. The folder of each run, `andor-PID-START-…` in the temporary folder, is
//! therefore locked (flock(2)) for the life of the program, and later runs remove the folders that they can lock. The
//! kernel releases a lock when its holder ends, for whatever reason and in whatever PID namespace.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, Weak};

use rustix::fs::OFlags;
use rustix::process::geteuid;

use super::spawn::kill_all;
use super::tree::{look_again, working_below};
use crate::error::ProcessError;

/// The prefix of all runs' folders.
const PREFIX: &str = "andor-";

/// How often the folder is created again because another run removed it before it was locked.
const TRIES: usize = 16;

/// An empty folder that only this user can access. Dropping it deletes it with its contents, so it must outlive the
/// processes that work in it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// The parent folder, which is removed with the last folder in it.
    own: Arc<Own>,
}

impl Scratch {
    /// Creates a folder.
    pub fn new() -> Result<Self, ProcessError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let make = || {
            let own = Own::get()?;
            let path = own.path.join(NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
            DirBuilder::new().mode(0o700).create(&path)?;
            Ok(Self { path, own })
        };
        make().map_err(|source| ProcessError::NoScratch {
            path: std::env::temp_dir().display().to_string(),
            source,
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the folder with its contents to another user, who can then reach it. Only root may do so, and no process
    /// may be working in it.
    pub fn give_to(&self, user: u32) -> io::Result<()> {
        // Its name cannot be guessed, and the folders of others in it stay closed.
        std::fs::set_permissions(&self.own.path, std::fs::Permissions::from_mode(0o711))?;
        let mut waiting = vec![self.path.clone()];
        while let Some(next) = waiting.pop() {
            if std::fs::symlink_metadata(&next)?.is_dir() {
                for entry in std::fs::read_dir(&next)? {
                    waiting.push(entry?.path());
                }
            }
            lchown(&next, Some(user), Some(user))?;
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes the folders of runs that ended without cleaning up; once in the life of the program.
pub fn sweep() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        if let Ok(place) = place() {
            sweep_folder(&place);
        }
    });
}

/// The temporary folder as an absolute path without links, for children with other working directories.
fn place() -> io::Result<PathBuf> {
    std::fs::canonicalize(std::env::temp_dir())
}

/// The folder of this run.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    /// Held for as long as the folder exists. On a file system without locks it has no effect, but there no run can
    /// obtain a lock either, so nothing is removed.
    _lock: File,
}

impl Own {
    /// The folder, created if necessary.
    fn get() -> io::Result<Arc<Self>> {
        static OWN: Mutex<Weak<Own>> = Mutex::new(Weak::new());
        sweep();
        let mut known = OWN.lock().expect("nobody panics holding it");
        if let Some(own) = known.upgrade() {
            return Ok(own);
        }
        let own = Arc::new(Self::make(&place()?)?);
        *known = Arc::downgrade(&own);
        Ok(own)
    }

    fn make(place: &Path) -> io::Result<Self> {
        let pid = std::process::id();
        let started = look_again(pid).map_or(0, |this| this.started);
        // The name ends randomly, so that nobody can create it in advance.
        let prefix = format!("{PREFIX}{pid}-{started}-");
        let private = std::fs::Permissions::from_mode(0o700);
        for _ in 0..TRIES {
            let path = tempfile::Builder::new()
                .prefix(&prefix)
                .permissions(private.clone())
                .tempdir_in(place)?
                .keep();
            // Before it is locked, another run may take it for an abandoned one and remove it.
            let Ok(lock) = open(&path) else { continue };
            if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(&lock, &path) {
                continue;
            }
            return Ok(Self { path, _lock: lock });
        }
        Err(io::Error::other("other programs keep removing it"))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

fn sweep_folder(place: &Path) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.flatten().filter(|entry| is_named_like_ours(&entry.file_name())) {
        let path = entry.path();
        // Held until the folder is deleted.
        if let Some(_lock) = left_behind(&path) {
            // Few processes outlive their program: those that a tactic started without a sandbox, and bubblewrap's
            // first process if both were killed before it was tied to bubblewrap, for which it waits without having
            // run anything.
            kill_all(|| working_below(&path));
            remove(&path);
        }
    }
}

/// Whether a name has the form of a run's folder: `andor-PID-START-…`.
fn is_named_like_ours(name: &OsStr) -> bool {
    let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { return false };
    let parts: Vec<&str> = rest.splitn(3, '-').collect();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    matches!(parts[..], [pid, started, end] if is_number(pid) && is_number(started) && !end.is_empty())
}

/// The lock of a folder whose run has ended. Anyone may create anything in the temporary folder, so everything is
/// ignored that is not a folder, belongs to another user, or is reached by a link.
fn left_behind(path: &Path) -> Option<File> {
    let folder = open(path).ok()?;
    let is_ours = folder.metadata().ok()?.uid() == geteuid().as_raw();
    (is_ours && folder.try_lock().is_ok() && is_at(&folder, path)).then_some(folder)
}

/// Opens a folder, and nothing else; the last component of the path must not be a link.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

/// Whether a folder is still the one at a path.
fn is_at(folder: &File, path: &Path) -> bool {
    let same = |(a, b): (std::fs::Metadata, std::fs::Metadata)| (a.dev(), a.ino()) == (b.dev(), b.ino());
    folder.metadata().ok().zip(std::fs::symlink_metadata(path).ok()).is_some_and(same)
}

fn remove(folder: &Path) {
    let removed = std::fs::remove_dir_all(folder).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => flatten(folder).and_then(|()| std::fs::remove_dir_all(folder)),
    });
    if let Err(error) = removed {
        tracing::warn!("`{}` cannot be removed: {error}", folder.display());
    }
}

/// Deletes all files below a folder and moves all subfolders up into it. Untrusted code may have nested them deeper
/// than the limit of open files allows, and removed access permissions. No process is left that could replace a
/// folder by a link.
fn flatten(folder: &Path) -> io::Result<()> {
    let mut waiting = vec![folder.to_owned()];
    let mut number = 0;
    while let Some(next) = waiting.pop() {
        std::fs::set_permissions(&next, std::fs::Permissions::from_mode(0o700))?;
        for entry in std::fs::read_dir(&next)? {
            let entry = entry?;
            let path = entry.path();
            if !entry.file_type()?.is_dir() {
                std::fs::remove_file(&path)?;
            } else if next == folder {
                waiting.push(path);
            } else {
                // Moving a folder requires write permission.
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700))?;
                let up = loop {
                    number += 1;
                    let up = folder.join(format!("up-{number}"));
                    if std::fs::symlink_metadata(&up).is_err() {
                        break up;
                    }
                };
                std::fs::rename(&path, &up)?;
                waiting.push(up);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::super::{ChildProcess, ChildSpec, ResourceLimits, family};
    use super::*;

    #[test]
    fn folders_are_private_and_go_with_their_owners() {
        let [one, other] = [Scratch::new().unwrap(), Scratch::new().unwrap()];
        let (path, own) = (one.path().to_owned(), one.path().parent().unwrap().to_owned());
        assert_ne!(path, other.path());
        assert_eq!(other.path().parent().unwrap(), own);
        for folder in [&path, &own] {
            assert_eq!(std::fs::metadata(folder).unwrap().mode() & 0o777, 0o700, "{}", folder.display());
        }
        assert!(is_named_like_ours(own.file_name().unwrap()), "{}", own.display());
        std::fs::write(path.join("file"), "text").unwrap();
        drop(one);
        assert!(!path.exists());
        assert!(other.path().exists());
    }

    #[test]
    fn what_a_dead_program_left_is_swept_away_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let elsewhere = at("elsewhere");
        for folder in ["andor-1-2-left/0/deep", "andor-1-x-left", "andor-1-2-", "other-1-2-left", "elsewhere"]
        {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        std::fs::write(elsewhere.join("kept"), "").unwrap();
        std::fs::write(at("andor-3-4-file"), "").unwrap();
        symlink(&elsewhere, at("andor-5-6-link")).unwrap();
        symlink(&elsewhere, at("andor-1-2-left/0/link")).unwrap();
        let living = Own::make(place.path()).unwrap();
        sweep_folder(place.path());
        assert!(!at("andor-1-2-left").exists());
        assert!(living.path.exists(), "its program lives");
        for name in ["andor-1-x-left", "andor-1-2-", "other-1-2-left", "andor-3-4-file", "andor-5-6-link"] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(elsewhere.join("kept").exists(), "no link is followed");
        let path = living.path.clone();
        drop(living);
        assert!(!path.exists());
    }

    #[test]
    fn what_works_in_the_folder_of_a_dead_program_is_killed() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let place = tempfile::tempdir().unwrap();
            let sleeping_in = |folder: &str| {
                let folder = place.path().join(folder);
                std::fs::create_dir_all(&folder).unwrap();
                let spec = ChildSpec {
                    program: "sleep".to_owned(),
                    args: vec!["3600".to_owned()],
                    env: vec![("TMPDIR".to_owned(), folder.to_string_lossy().into_owned())],
                    directory: "/".into(),
                    limits: ResourceLimits::default(),
                };
                ChildProcess::spawn(&spec).unwrap()
            };
            let (left, other) = (sleeping_in("andor-1-2-left/0"), sleeping_in("andor-1-2-left-not/0"));
            let folder = place.path().join("andor-1-2-left");
            assert_eq!(working_below(&folder), [left.child.id()]);
            let _kept = open(&place.path().join("andor-1-2-left-not")).map(|lock| lock.lock().map(|()| lock));
            sweep_folder(place.path());
            assert!(!folder.exists());
            assert_eq!(left.child.kill_now().await.signal, Some(9));
            assert_eq!(family(other.child.id()), [other.child.id()]);
        });
    }

    #[test]
    fn a_folder_is_removed_however_deep_and_closed_it_is() {
        const DEPTH: usize = 600;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        let down = |path: PathBuf| (0..DEPTH).fold(path, |path, _| path.join("d"));
        // The second part is brought in from elsewhere, so that the whole is deeper than a path may be long.
        for part in ["up-1", "up-2", "up-3", "up-4"] {
            std::fs::create_dir_all(down(folder.join(part))).unwrap();
        }
        for (part, into) in [("up-4", "up-3"), ("up-3", "up-2"), ("up-2", "up-1")] {
            std::fs::rename(folder.join(part), down(folder.join(into)).join(part)).unwrap();
        }
        let closed = down(folder.join("up-1"));
        std::fs::write(closed.join("file"), "").unwrap();
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o0)).unwrap();
        flatten(&folder).unwrap();
        for entry in std::fs::read_dir(&folder).unwrap() {
            assert_eq!(
                std::fs::read_dir(entry.unwrap().path()).unwrap().count(),
                0,
                "nothing is nested any more"
            );
        }
        remove(&folder);
        assert!(!folder.exists());
    }
}
