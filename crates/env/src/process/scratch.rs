//! Folders for what children read and write, all of one program below one that goes with it.
//!
//! A program that is killed removes nothing. So the folder of each, `andor-PID-START-…` among the temporary files, is
//! locked (flock(2)) for as long as the program lives, and the next one removes those whose lock it can have. The kernel
//! gives a lock up with its holder, however that ends, in whatever PID namespace it was.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, Weak};

use rustix::fs::OFlags;
use rustix::process::geteuid;

use super::spawn::kill_all;
use super::tree::{look_again, working_below};
use crate::error::EnvError;

/// What the names of all programs' folders begin with.
const PREFIX: &str = "andor-";

/// How often a folder is made anew because another program removed it before it was locked.
const TRIES: usize = 16;

/// An empty folder that nobody but this user can enter. Dropping it removes it with all that is in it; so it must outlive
/// the processes that work there.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// The folder above; goes with the last one in it.
    _own: Arc<Own>,
}

impl Scratch {
    /// Makes a folder.
    pub fn new() -> Result<Self, EnvError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let make = || {
            let own = Own::get()?;
            let path = own.path.join(NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
            DirBuilder::new().mode(0o700).create(&path)?;
            Ok(Self { path, _own: own })
        };
        make().map_err(|source| EnvError::File {
            action: "cannot create a folder for temporary files (TMPDIR says where) in",
            path: std::env::temp_dir().display().to_string(),
            source,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes what programs have left that ended without doing so themselves; once in the life of this one.
pub fn sweep() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        if let Ok(place) = place() {
            sweep_folder(&place);
        }
    });
}

/// The folder for temporary files, as children call it who have other working directories, and links other targets.
fn place() -> io::Result<PathBuf> {
    std::fs::canonicalize(std::env::temp_dir())
}

/// The folder of this program.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    /// Held for as long as the folder is there. On a file system without locks it has no effect, but there nobody gets one
    /// either, and so removes nothing.
    _lock: File,
}

impl Own {
    /// The folder, made when there is none.
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
        // The end of the name is random, so that nobody else can be there first.
        let prefix = format!("{PREFIX}{pid}-{started}-");
        let private = std::fs::Permissions::from_mode(0o700);
        for _ in 0..TRIES {
            let path = tempfile::Builder::new()
                .prefix(&prefix)
                .permissions(private.clone())
                .tempdir_in(place)?
                .keep();
            // Before it is locked another program may take it for one that was left, and remove it.
            let Ok(lock) = open(&path) else { continue };
            if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(&lock, &path) {
                continue;
            }
            return Ok(Self { path, _lock: lock });
        }
        Err(io::Error::other("other programs remove it again and again"))
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
        // Held until the folder is gone.
        if let Some(_lock) = left_behind(&path) {
            // Few outlive their program: what a tactic started without walls, and bubblewrap's first process within if both
            // were killed before that was tied to it; it waits for bubblewrap and has run nothing.
            kill_all(|| working_below(&path));
            remove(&path);
        }
    }
}

/// Whether a name is that of a program's folder: `andor-PID-START-…`.
fn is_named_like_ours(name: &OsStr) -> bool {
    let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { return false };
    let parts: Vec<&str> = rest.splitn(3, '-').collect();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    matches!(parts[..], [pid, started, end] if is_number(pid) && is_number(started) && !end.is_empty())
}

/// The lock of a folder of ours whose program has ended. Anybody may put anything among the temporary files, so what is no
/// folder, or somebody else's, or reached by a link, is left alone.
fn left_behind(path: &Path) -> Option<File> {
    let folder = open(path).ok()?;
    let is_ours = folder.metadata().ok()?.uid() == geteuid().as_raw();
    (is_ours && folder.try_lock().is_ok() && is_at(&folder, path)).then_some(folder)
}

/// Opens a folder, and nothing else; the last part of the path is no link.
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

/// Removes all files in a folder and brings all folders up into it. Somebody untrusted may have nested them deeper than
/// files can be open at once, and taken the right to enter them away. No process is left there that could put a link in
/// the place of a folder.
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
                // To be moved it must be writable.
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

    use super::super::{Child, ChildSpec, ResourceLimits, family};
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
                Child::spawn(&spec).unwrap()
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
