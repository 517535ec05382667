//! A sandbox with a limit on all its processes together, and without memory that belongs to none of them.
//!
//! The limit is RLIMIT_NPROC, set inside. Since Linux 5.14 the kernel counts a user's processes in each user namespace by
//! themselves, and every sandbox has a namespace of its own. Only the machine's root is not bound by it; if andor is run by
//! root, another user therefore starts the sandbox.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::geteuid;
use tokio::sync::OnceCell;

use super::super::frames::FrameReader;
use super::super::scratch::Scratch;
use super::super::spawn::{ChildSpec, ResourceLimits, Spawned};
use super::{Confinement, NoSandbox, Sandbox, ask_version, probe};
use crate::error::ProcessError;

/// Who starts the sandbox instead of root: next to `nobody`, as whom services may run.
const GUEST: u32 = 65533;

/// The first process inside, as [`FIRST`](super::FIRST), which takes the limit as its first argument. Shells name it
/// differently. A limit that cannot be set is reported like a sandbox that cannot be built. Open files are limited, too,
/// since each can hold what nobody else sees: data under way, or a file without a name.
const FIRST_COUNTED: &str = "ulimit -n 256 || exit 1; ulimit -u \"$0\" 2> /dev/null || ulimit -p \"$0\" || exit 1; \"$@\"; code=$?; [ $code -ne 1 ] || code=125; exit $code";

/// Asks for shared memory, where there is a program for it. Then tries to raise the limit, and starts more processes than
/// there may be. They end with the sandbox.
const CROWD: &str = "grep -q '^Seccomp:.*2' /proc/self/status && ! ipcmk -M 1 > /dev/null 2>&1 || { echo its system calls are not filtered >&2; exit; }; (ulimit -u 1000; ulimit -p 1000) 2> /dev/null; n=0; while [ $n -lt $0 ]; do sleep 600 & n=$((n + 1)); echo $n; done";

/// The limit that is tested.
const TESTED: u32 = 20;

/// How many processes more than allowed the test tries to start, and no more, in case that nothing stops it.
const EXCESS: u32 = 20;

/// Some shells try again for a while to start a process. One that is silent for so long has been stopped.
const SILENCE: Duration = Duration::from_secs(2);

/// A [`Sandbox`] in which the kernel limits the number of processes, tested.
#[derive(Clone, Debug)]
pub struct CountedSandbox(Sandbox);

impl CountedSandbox {
    /// Tests the sandbox and its limit on processes; otherwise returns the reason as text. The result is cached for the
    /// life of the program.
    pub async fn probe() -> Result<Self, String> {
        static PROBED: OnceCell<Result<CountedSandbox, String>> = OnceCell::const_new();
        let probe = async || {
            let user = geteuid().is_root().then_some(GUEST);
            let walls = async || {
                let sandbox = Sandbox { user, filters: true, ..Sandbox::new(&ask_version().await?)? };
                probe::assert_holds(&sandbox).await?;
                Ok(sandbox)
            };
            let counted = Self(walls().await.map_err(|why: NoSandbox| why.to_string())?);
            counted.assert_counts().await?;
            Ok(counted)
        };
        PROBED.get_or_init(probe).await.clone()
    }

    /// The program that builds it, with its version.
    pub fn version(&self) -> &str {
        self.0.version()
    }

    /// The sandbox in which these folders and files cannot be seen, either.
    pub fn hiding(mut self, paths: &[PathBuf]) -> Self {
        self.0.more_hidden.extend_from_slice(paths);
        self
    }

    /// Gives a folder to whom the sandbox belongs. Needed before a child is started that works there.
    pub fn give(&self, folder: &Scratch) -> io::Result<()> {
        self.0.give(folder)
    }

    /// Starts a child like [`Sandbox::spawn`]. It and its descendants are at most `processes`, threads counted; to start
    /// more fails inside.
    pub fn spawn(
        &self,
        spec: &ChildSpec,
        confinement: &Confinement<'_>,
        processes: u32,
    ) -> Result<Spawned, ProcessError> {
        // The first process counts, too.
        let limit = processes.saturating_add(1).to_string();
        self.0.start(spec, confinement, &["/bin/sh", "-c", FIRST_COUNTED, &limit])
    }

    /// Asks for memory that belongs to no process, starts more processes than allowed, and counts those that come to be.
    async fn assert_counts(&self) -> Result<(), String> {
        let failed = |why: &dyn std::fmt::Display| {
            format!("the limit on processes in the sandbox cannot be tested: {why}")
        };
        let folder = Scratch::new().map_err(|error| failed(&error))?;
        self.give(&folder).map_err(|error| failed(&error))?;
        let attempts = (TESTED + EXCESS).to_string();
        let spec = ChildSpec {
            program: "/bin/sh".to_owned(),
            args: ["-c", CROWD, &attempts].map(str::to_owned).to_vec(),
            env: Vec::new(),
            directory: folder.path().to_owned(),
            limits: ResourceLimits::default(),
        };
        let confinement = Confinement { readable: &[], writable: folder.path() };
        let Spawned { child, stdin: _stdin, stdout } =
            self.spawn(&spec, &confinement, TESTED).map_err(|error| failed(&error))?;
        let mut lines = FrameReader::new(stdout, b"\n", 16);
        let mut started = 0;
        while let Ok(Ok(line)) = tokio::time::timeout(SILENCE, lines.next()).await {
            started = String::from_utf8_lossy(line).trim().parse().map_err(|error| failed(&error))?;
        }
        let stderr = child.kill_now().await.stderr;
        verdict(started, &stderr)
    }
}

/// What it means that a shell could start so many processes. It is one itself.
fn verdict(started: u32, stderr: &str) -> Result<(), String> {
    match started {
        0 => Err(format!(
            "there is no sandbox that limits processes and the memory that they leave (it needs Linux 5.14 or later, on \
             x86_64 or aarch64): {}",
            stderr.trim()
        )),
        started if started == TESTED - 1 => Ok(()),
        started => Err(format!(
            "the kernel does not limit the processes in the sandbox (Linux 5.14 or later does): {} of {TESTED} could be \
             started",
            started + 1
        )),
    }
}

impl Sandbox {
    /// Gives a folder to whom the sandbox belongs.
    pub(super) fn give(&self, folder: &Scratch) -> io::Result<()> {
        self.user.map_or(Ok(()), |user| folder.give_to(user))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(test: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
    }

    #[test]
    fn only_the_exact_number_passes() {
        for (started, holds) in [(0, false), (1, false), (18, false), (19, true), (20, false), (40, false)] {
            assert_eq!(verdict(started, "").is_ok(), holds, "{started}");
        }
    }

    #[test]
    fn the_limit_holds_and_its_absence_is_noticed() {
        block_on(async {
            CountedSandbox::probe().await.unwrap();
            let open = Sandbox { filters: false, ..CountedSandbox::probe().await.unwrap().0 };
            let error = CountedSandbox(open).assert_counts().await.unwrap_err();
            assert!(error.contains("not filtered"), "{error}");
            // Root is not counted.
            if geteuid().is_root() {
                let rootly = Sandbox { user: None, ..CountedSandbox::probe().await.unwrap().0 };
                let error = CountedSandbox(rootly).assert_counts().await.unwrap_err();
                assert!(error.contains("41 of 20"), "{error}");
            }
        });
    }
}
