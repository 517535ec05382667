//! The sandbox for children that run untrusted code: no network, no other processes, and write access to one folder
//! only. It is built by bubblewrap, and used only after a probe inside has tested it (ADR 10).

mod counted;
mod filter;
mod probe;
pub mod tested;

use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::OnceCell;

pub use counted::CountedSandbox;

use super::spawn::{ChildProcess, ChildSpec, Exit, ExitedProcess, Spawned, Standing, ask, to_end};
use crate::error::ProcessError;

/// The program that builds the sandbox.
const PROGRAM: &str = "bwrap";

/// How to install it.
const INSTALL: &str = "install bubblewrap (on Debian and Ubuntu `apt-get install bubblewrap`)";

/// The oldest version with all required options.
const OLDEST: (u32, u32) = (0, 4);

/// The first version that can disable new user namespaces inside.
const FORBIDS_NAMESPACES: (u32, u32) = (0, 8);

/// The user and group inside, called `nobody` on most machines.
const NOBODY: &str = "65534";

/// The sandbox options that do not depend on the child's folders.
///
/// Even `/proc` is read-only: its kernel settings belong to root, who may change them without any capability, and
/// `nobody` inside is root to the kernel if andor is run by root.
#[rustfmt::skip]
const WALLS: &[&str] = &[
    "--unshare-user", "--uid", NOBODY, "--gid", NOBODY,
    "--unshare-pid", "--as-pid-1",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop", "ALL",
    "--new-session",
    "--die-with-parent",
    "--ro-bind", "/", "/",
    "--proc", "/proc", "--remount-ro", "/proc",
    "--dev", "/dev",
];

/// The first process inside, which starts the child and reports how it ended. When the first process of a PID
/// namespace ends, the kernel kills all others in it, and only then does bubblewrap see it end: whatever the child
/// left behind is gone before anyone outside continues. The child itself cannot be the first process, since a first
/// process ignores most signals, including that of the processor-time limit.
///
/// Bubblewrap exits with 1 if it cannot build the sandbox. A child that exits with 1 is reported by another code,
/// [`ONE`], since the child's output cannot be trusted to tell the two apart.
const FIRST: &[&str] = &["/bin/sh", "-c", "\"$@\"; code=$?; [ $code -ne 1 ] || code=125; exit $code", "sh"];

/// The exit code of the first process if the child exited with 1.
const ONE: i32 = 125;

/// Folders that are empty inside, besides the user's home and the temporary folder: they hold private data of people
/// and services, and sockets that lead out even of a read-only folder.
const HIDDEN: &[&str] = &["/root", "/home", "/tmp", "/var", "/run", "/mnt", "/media", "/srv", "/sys"];

/// A sandbox that was tested.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The program that builds it, with its version.
    version: String,
    /// The arguments that build it.
    walls: Vec<String>,
    /// Whether new user namespaces are disabled inside.
    forbids_namespaces: bool,
    /// Who starts it, if not the user of this process.
    user: Option<u32>,
    /// Whether calls are denied that take memory which belongs to no process.
    filters: bool,
    /// What it hides besides [`HIDDEN`] and homes: folders and files.
    more_hidden: Vec<PathBuf>,
}

/// Why there is no sandbox.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSandbox {
    /// It is disabled.
    #[error("the sandbox is switched off")]
    SwitchedOff,
    /// It is unavailable on this machine, and the assistant runs without it.
    #[error("{0}")]
    Missing(String),
    /// What should run in it fails, or cannot even be tried, which is no reason to run it without a sandbox.
    #[error("{0}")]
    Failed(String),
}

/// What a confined child may see and do.
#[derive(Clone, Copy, Debug)]
pub struct Confinement<'a> {
    /// Folders or files that must be readable although they may be in a hidden folder: libraries, inputs, a prover in
    /// the user's home. Each is mounted at its path without links, see [`std::fs::canonicalize`].
    pub readable: &'a [PathBuf],
    /// The working folder, which is writable and also holds temporary files. Its contents come from untrusted code:
    /// names may be links to anywhere, or pipes that block their reader.
    pub writable: &'a Path,
}

/// How a path appears inside. Of several views of the same path, the greatest applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum View {
    Hidden,
    Readable,
    Writable,
}

impl Sandbox {
    /// Finds bubblewrap and tests the sandbox by a probe. The result is cached for the life of the program, unless the
    /// probe could not be made.
    ///
    /// # Errors
    ///
    /// Why there is none: [`NoSandbox::Missing`], or [`NoSandbox::Failed`] if temporary files cannot be written.
    pub async fn probe() -> Result<Self, NoSandbox> {
        static PROBED: OnceCell<Result<Sandbox, NoSandbox>> = OnceCell::const_new();
        let holds = async || {
            let sandbox = Self::new(&ask_version().await?)?;
            probe::assert_holds(&sandbox).await?;
            Ok(sandbox)
        };
        let probe = async || match holds().await {
            Err(failed @ NoSandbox::Failed(_)) => Err(failed),
            found => Ok(found),
        };
        PROBED.get_or_try_init(probe).await?.clone()
    }

    /// The program that builds it, with its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The sandbox as this version of bubblewrap builds it, not yet tested.
    fn new(version: &str) -> Result<Self, NoSandbox> {
        let number = read_version(version).ok_or_else(|| {
            NoSandbox::Missing(format!("`{PROGRAM} --version` printed `{version}`, which is not a version"))
        })?;
        if number < OLDEST {
            let message = format!("{version} is too old; {INSTALL}, {}.{} or later", OLDEST.0, OLDEST.1);
            return Err(NoSandbox::Missing(message));
        }
        let mut walls: Vec<String> = WALLS.iter().map(|&wall| wall.to_owned()).collect();
        let forbids_namespaces = number >= FORBIDS_NAMESPACES;
        if forbids_namespaces {
            walls.push("--disable-userns".to_owned());
        }
        Ok(Self {
            version: version.to_owned(),
            walls,
            forbids_namespaces,
            user: None,
            filters: false,
            more_hidden: Vec::new(),
        })
    }

    /// Starts a child in the sandbox. Its resource limits apply there too; its working directory is the writable
    /// folder.
    ///
    /// If the sandbox cannot be built, bubblewrap reports this on standard error and exits.
    pub fn spawn(&self, spec: &ChildSpec, confinement: &Confinement<'_>) -> Result<Spawned, ProcessError> {
        self.start(spec, confinement, FIRST)
    }

    fn start(
        &self,
        spec: &ChildSpec,
        confinement: &Confinement<'_>,
        first: &[&str],
    ) -> Result<Spawned, ProcessError> {
        let mut spec = self.confine(spec, confinement, first);
        let mut given = None;
        if self.filters {
            let unusable = |source| ProcessError::Spawn { program: PROGRAM.to_owned(), source };
            let filter = filter::filter().map_err(unusable)?;
            if let Some(filter) = &filter {
                spec.args.splice(0..0, ["--seccomp".to_owned(), filter.as_raw_fd().to_string()]);
            }
            given = filter;
        }
        ChildProcess::start(&spec, Standing::Walled, self.user, given)
    }

    /// The command that starts the child in the sandbox, by this first process.
    fn confine(&self, spec: &ChildSpec, confinement: &Confinement<'_>, first: &[&str]) -> ChildSpec {
        let mut args = self.walls.clone();
        let views = views(confinement, &self.more_hidden);
        let mut add = |words: &[&str]| args.extend(words.iter().map(|&word| word.to_owned()));
        for (path, view) in &views {
            let name = path.to_string_lossy();
            match view {
                View::Hidden if is_file(path) => add(&["--ro-bind", "/dev/null", &name]),
                View::Hidden => add(&["--tmpfs", &name]),
                View::Readable => add(&["--ro-bind", &name, &name]),
                View::Writable => add(&["--bind", &name, &name]),
            }
        }
        // All mounts are in place, so nothing more may be created in the hidden folders or the one for shared memory,
        // which would be memory without a limit.
        add(&["--remount-ro", "/dev"]);
        for (path, _) in views.iter().filter(|(path, view)| *view == View::Hidden && !is_file(path)) {
            add(&["--remount-ro", &path.to_string_lossy()]);
        }
        let writable = canonical(confinement.writable).unwrap_or_else(|| confinement.writable.to_owned());
        let folder = writable.to_string_lossy();
        add(&["--chdir", &folder, "--setenv", "TMPDIR", &folder]);
        for (name, value) in &spec.env {
            add(&["--setenv", name, value]);
        }
        add(&["--"]);
        add(first);
        add(&[&spec.program]);
        args.extend(spec.args.iter().cloned());
        ChildSpec {
            program: PROGRAM.to_owned(),
            args,
            // Bubblewrap ignores it, but it identifies the processes of a program that was killed.
            env: vec![("TMPDIR".to_owned(), folder.into_owned())],
            directory: writable.clone(),
            limits: spec.limits,
        }
    }

    /// Runs a child in the sandbox to its end, like [`run_to_end`](super::run_to_end). If the sandbox cannot be
    /// built, or the program does not exist inside, this is the error [`ProcessError::Died`], and never reported as the
    /// end of the child.
    pub async fn run_to_end(
        &self,
        spec: &ChildSpec,
        confinement: &Confinement<'_>,
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<ExitedProcess, ProcessError> {
        let ExitedProcess { exit, stdout } =
            to_end(self.spawn(spec, confinement)?, doing, limit, max_output).await?;
        let exit = match exit.code {
            // The exit codes of bubblewrap, and of a shell if a program cannot be run or does not exist.
            Some(1 | 126 | 127) => {
                let Exit { status, stderr, .. } = exit;
                return Err(ProcessError::Died { doing: doing.to_owned(), status, stderr });
            }
            Some(ONE) => Exit { status: "exit status: 1".to_owned(), code: Some(1), ..exit },
            _ => exit,
        };
        Ok(ExitedProcess { exit, stdout })
    }
}

/// How paths appear inside, outer ones first, without repetitions.
fn views(confinement: &Confinement<'_>, more_hidden: &[PathBuf]) -> Vec<(PathBuf, View)> {
    // Bubblewrap reports a missing folder.
    let bound = |path: &Path| canonical(path).unwrap_or_else(|| path.to_owned());
    let all_hidden = hidden().into_iter().chain(more_hidden.iter().filter_map(|path| canonical(path)));
    let mut views: Vec<(PathBuf, View)> = all_hidden.map(|path| (path, View::Hidden)).collect();
    views.extend(confinement.readable.iter().map(|path| (bound(path), View::Readable)));
    views.push((bound(confinement.writable), View::Writable));
    // Paths are compared by components, so a folder precedes its contents.
    views.sort();
    views.reverse();
    views.dedup_by(|(path, _), (stronger, _)| path == stronger);
    views.reverse();
    views
}

/// The folders of this machine that are hidden inside, at their paths without links.
pub fn hidden() -> Vec<PathBuf> {
    HIDDEN.iter().filter_map(|path| canonical(Path::new(path))).chain(homes()).collect()
}

/// The user's home and the temporary folder, wherever they are; but not `/`, which is the home of users without one.
fn homes() -> impl Iterator<Item = PathBuf> {
    let folders = std::env::var_os("HOME").map(PathBuf::from).into_iter().chain([std::env::temp_dir()]);
    folders.filter_map(|folder| canonical(&folder)).filter(|folder| folder.parent().is_some())
}

/// Whether it is hidden as a file. Whatever it is, nothing of it can be read.
fn is_file(path: &Path) -> bool {
    !path.is_dir()
}

/// The path without links, if it exists: links would be followed inside, to other places.
fn canonical(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// The output of `bwrap --version`.
async fn ask_version() -> Result<String, NoSandbox> {
    match ask(Path::new(PROGRAM), &["--version"], Vec::new()).await {
        Ok(version) => Ok(version),
        Err(ProcessError::Spawn { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Err(NoSandbox::Missing(format!("`{PROGRAM}` is not on PATH; {INSTALL}")))
        }
        Err(error @ ProcessError::Overdue { .. }) => Err(NoSandbox::Failed(error.to_string())),
        Err(error) => Err(NoSandbox::Missing(error.to_string())),
    }
}

/// The first two components of the version in, for example, `bubblewrap 0.8.0`.
fn read_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_old_ones_refused() {
        assert_eq!(read_version("bubblewrap 0.8.0"), Some((0, 8)));
        assert_eq!(read_version("bubblewrap 1.12"), Some((1, 12)));
        assert_eq!(read_version("bubblewrap"), None);
        assert!(Sandbox::new("bubblewrap 0.3.3").is_err());
        assert!(Sandbox::new("").is_err());
        assert!(!Sandbox::new("bubblewrap 0.4.1").unwrap().forbids_namespaces);
        assert!(Sandbox::new("bubblewrap 0.11.0").unwrap().forbids_namespaces);
    }

    #[test]
    fn outer_folders_come_first_and_the_strongest_view_of_a_path_counts() {
        let inner = tempfile::tempdir().unwrap();
        let outer = std::env::temp_dir();
        let readable = [inner.path().to_owned(), inner.path().to_owned(), "/usr".into(), outer.clone()];
        let views = views(&Confinement { readable: &readable, writable: inner.path() }, &[]);
        let at = |path: &Path| {
            let path = canonical(path).unwrap();
            let found: Vec<usize> = (0..views.len()).filter(|&i| views[i].0 == path).collect();
            assert_eq!(found.len(), 1, "{} in {views:?}", path.display());
            (found[0], views[found[0]].1)
        };
        assert_eq!(at(inner.path()).1, View::Writable);
        assert_eq!(at(&outer).1, View::Readable);
        assert_eq!(at(Path::new("/usr")).1, View::Readable);
        assert!(at(&outer).0 < at(inner.path()).0);
    }
}
