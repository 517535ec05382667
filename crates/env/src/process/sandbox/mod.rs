//! A sandbox for children that run what nobody trusts: no network, no processes but their own, nothing to write but
//! one folder. It is built by bubblewrap and believed only after a probe from inside saw it hold (ADR 10).

mod probe;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::OnceCell;

use super::spawn::{Child, ChildSpec, Exit, Finished, Spawned, Standing, ask, to_end};
use crate::error::EnvError;

/// The program that builds the walls.
const PROGRAM: &str = "bwrap";

/// What to do when it is missing.
const INSTALL: &str = "install bubblewrap (on Debian and Ubuntu `apt-get install bubblewrap`)";

/// The oldest version that has every option used here.
const OLDEST: (u32, u32) = (0, 4);

/// The first version that can forbid new user namespaces within the walls.
const FORBIDS_NAMESPACES: (u32, u32) = (0, 8);

/// The user and group within the walls, called `nobody` on most machines.
const NOBODY: &str = "65534";

/// The walls, but for those around the folders of a particular child.
///
/// Even `/proc` is read-only: the settings of the kernel in it belong to root, who may change them without any
/// capability, and `nobody` within is still root to the kernel if root runs this.
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

/// The first process within the walls, which starts the child and says how it ended. When the first process of a PID
/// namespace ends, the kernel kills all others there, and only then does bubblewrap see it end: whatever the child left
/// behind is gone before anybody outside goes on. It cannot be the child itself, since a first process ignores most
/// signals, that of the limit on processor time among them.
///
/// Bubblewrap ends with 1 when it cannot build the walls. A child that ends so is told from that by another code,
/// [`ONE`], since whatever a child may print it cannot be believed.
const FIRST: &[&str] = &["/bin/sh", "-c", "\"$@\"; code=$?; [ $code -ne 1 ] || code=125; exit $code", "sh"];

/// What the first process ends with when the child ended with 1.
const ONE: i32 = 125;

/// Folders that are empty within the walls, beside the user's home and the folder for temporary files: what people
/// and services keep there is nobody's business, and sockets there lead out even of a read-only folder.
const HIDDEN: &[&str] = &["/root", "/home", "/tmp", "/var", "/run", "/mnt", "/media", "/srv", "/sys"];

/// A sandbox that was seen to hold.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// What builds it, with its version.
    version: String,
    /// The arguments that build the walls.
    walls: Vec<String>,
    /// Whether new user namespaces are forbidden within.
    forbids_namespaces: bool,
}

/// What a confined child may see and do.
#[derive(Clone, Copy, Debug)]
pub struct Confinement<'a> {
    /// Folders or files that must be there to read although they may lie in a hidden place: libraries, inputs, a prover
    /// installed in the user's home. Each is found at its path without links, see [`std::fs::canonicalize`].
    pub readable: &'a [PathBuf],
    /// The folder it works in and may write into; also the place of its temporary files. What lies there afterwards
    /// was made by somebody untrusted: names may be links to anywhere or pipes that block their reader.
    pub writable: &'a Path,
}

/// How one path looks from inside. The order is that in which views of the same path override each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum View {
    Hidden,
    Readable,
    Writable,
}

impl Sandbox {
    /// Finds bubblewrap and asserts by a probe that its walls hold; otherwise says, for people, why not. This program asks
    /// once, and remembers the answer.
    pub async fn probe() -> Result<Self, String> {
        static PROBED: OnceCell<Result<Sandbox, String>> = OnceCell::const_new();
        let probe = async || {
            let sandbox = Self::new(&ask_version().await?)?;
            probe::assert_holds(&sandbox).await?;
            Ok(sandbox)
        };
        PROBED.get_or_init(probe).await.clone()
    }

    /// What builds it, with its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The walls as a version of bubblewrap can build them; nobody has seen them hold yet.
    fn new(version: &str) -> Result<Self, String> {
        let number = read_version(version)
            .ok_or_else(|| format!("`{PROGRAM} --version` says `{version}`, which is no version"))?;
        if number < OLDEST {
            return Err(format!("{version} is too old; {INSTALL}, {}.{} or later", OLDEST.0, OLDEST.1));
        }
        let mut walls: Vec<String> = WALLS.iter().map(|&wall| wall.to_owned()).collect();
        let forbids_namespaces = number >= FORBIDS_NAMESPACES;
        if forbids_namespaces {
            walls.push("--disable-userns".to_owned());
        }
        Ok(Self { version: version.to_owned(), walls, forbids_namespaces })
    }

    /// Starts a child within the walls. Its resource limits hold there too; its working directory is the writable folder.
    ///
    /// When the walls cannot be built, bubblewrap says so on standard error and ends.
    pub fn spawn(&self, spec: &ChildSpec, confinement: &Confinement<'_>) -> Result<Spawned, EnvError> {
        Child::start(&self.confine(spec, confinement), Standing::Walled)
    }

    /// What to start to have the same child within the walls.
    fn confine(&self, spec: &ChildSpec, confinement: &Confinement<'_>) -> ChildSpec {
        let mut args = self.walls.clone();
        let views = views(confinement);
        let mut add = |words: &[&str]| args.extend(words.iter().map(|&word| word.to_owned()));
        for (path, view) in &views {
            let path = path.to_string_lossy();
            match view {
                View::Hidden => add(&["--tmpfs", &path]),
                View::Readable => add(&["--ro-bind", &path, &path]),
                View::Writable => add(&["--bind", &path, &path]),
            }
        }
        // Now that everything has its place, nothing more can be made in the hidden folders, nor in that for shared
        // memory: they would be memory without a limit.
        add(&["--remount-ro", "/dev"]);
        for (path, _) in views.iter().filter(|(_, view)| *view == View::Hidden) {
            add(&["--remount-ro", &path.to_string_lossy()]);
        }
        let writable = canonical(confinement.writable).unwrap_or_else(|| confinement.writable.to_owned());
        let folder = writable.to_string_lossy();
        add(&["--chdir", &folder, "--setenv", "TMPDIR", &folder]);
        for (name, value) in &spec.env {
            add(&["--setenv", name, value]);
        }
        add(&["--"]);
        add(FIRST);
        add(&[&spec.program]);
        args.extend(spec.args.iter().cloned());
        ChildSpec {
            program: PROGRAM.to_owned(),
            args,
            // Of no use to bubblewrap, but so the processes of a program that was killed can be told.
            env: vec![("TMPDIR".to_owned(), folder.into_owned())],
            directory: writable.clone(),
            limits: spec.limits,
        }
    }

    /// Runs a child within the walls to its end, like [`run_to_end`](super::run_to_end). When the walls cannot be built or the program is
    /// not there within them, it is an error, [`EnvError::Died`], and never a way for the child to end.
    pub async fn run_to_end(
        &self,
        spec: &ChildSpec,
        confinement: &Confinement<'_>,
        doing: &str,
        limit: Duration,
        max_output: usize,
    ) -> Result<Finished, EnvError> {
        let Finished { exit, stdout } =
            to_end(self.spawn(spec, confinement)?, doing, limit, max_output).await?;
        let exit = match exit.code {
            // What bubblewrap ends with, and a shell when a program cannot be run, and when there is none.
            Some(1 | 126 | 127) => {
                let Exit { status, stderr, .. } = exit;
                return Err(EnvError::Died { doing: doing.to_owned(), status, stderr });
            }
            Some(ONE) => Exit { status: "exit status: 1".to_owned(), code: Some(1), ..exit },
            _ => exit,
        };
        Ok(Finished { exit, stdout })
    }
}

/// How paths look from inside, outer ones first, each path once.
fn views(confinement: &Confinement<'_>) -> Vec<(PathBuf, View)> {
    // A folder to bind that is not there is for bubblewrap to complain about.
    let bound = |path: &Path| canonical(path).unwrap_or_else(|| path.to_owned());
    let mut views: Vec<(PathBuf, View)> = hidden().into_iter().map(|path| (path, View::Hidden)).collect();
    views.extend(confinement.readable.iter().map(|path| (bound(path), View::Readable)));
    views.push((bound(confinement.writable), View::Writable));
    // Paths are ordered by their parts, so that a folder comes before what is in it.
    views.sort();
    views.reverse();
    views.dedup_by(|(path, _), (stronger, _)| path == stronger);
    views.reverse();
    views
}

/// The folders of this machine that are hidden within the walls, at their paths without links.
pub fn hidden() -> Vec<PathBuf> {
    HIDDEN.iter().filter_map(|path| canonical(Path::new(path))).chain(homes()).collect()
}

/// The user's home and the folder for temporary files, wherever they are; but not `/`, which is given as a home to those
/// who have none.
fn homes() -> impl Iterator<Item = PathBuf> {
    let folders = std::env::var_os("HOME").map(PathBuf::from).into_iter().chain([std::env::temp_dir()]);
    folders.filter_map(|folder| canonical(&folder)).filter(|folder| folder.parent().is_some())
}

/// The path without links, if there is something: links would be followed from within the walls, to other places.
fn canonical(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

/// What `bwrap --version` prints.
async fn ask_version() -> Result<String, String> {
    match ask(Path::new(PROGRAM), &["--version"]).await {
        Ok(version) => Ok(version),
        Err(EnvError::Spawn { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Err(format!("`{PROGRAM}` is not on PATH; {INSTALL}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The first two parts of the number in, for example, `bubblewrap 0.8.0`.
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
        let views = views(&Confinement { readable: &readable, writable: inner.path() });
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
