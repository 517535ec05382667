//! Attacks on the sandbox, from within: none reaches the outside, none outlives its time.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_process::error::ProcessError;
use andor_process::sandbox::{Confinement, Sandbox};
use andor_process::{
    ChildProcess, ChildSpec, Exit, ExitedProcess, FrameReader, ResourceLimits, Spawned, run_to_end,
};
use andor_testkit::block_on;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Long enough that only a child that really hangs exceeds it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder to work in, whose name marks the processes that were started for one test.
struct Place {
    sandbox: Sandbox,
    folder: TempDir,
}

impl Place {
    async fn new() -> Self {
        let sandbox = Sandbox::probe().await.expect("the sandbox holds on a machine that runs the tests");
        let folder = tempfile::Builder::new().prefix("andor-sandbox-").tempdir().unwrap();
        Self { sandbox, folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn confinement(&self) -> Confinement<'_> {
        Confinement { readable: &[], writable: self.path() }
    }

    /// A shell that runs a script within the walls; `$0` is the name of the folder.
    async fn run(&self, script: &str) -> ExitedProcess {
        self.run_within(script, ResourceLimits::default()).await
    }

    async fn run_within(&self, script: &str, limits: ResourceLimits) -> ExitedProcess {
        let spec = ChildSpec { limits, ..shell("bash", script, self.path()) };
        let ran = self.sandbox.run_to_end(&spec, &self.confinement(), "attacking", PATIENCE, 1 << 16).await;
        ran.expect("the walls can be built")
    }

    /// Starts a script and waits for the line `ready`.
    async fn start(&self, script: &str) -> ChildProcess {
        let spec = shell("bash", script, self.path());
        let Spawned { child, stdin: _, stdout } = self.sandbox.spawn(&spec, &self.confinement()).unwrap();
        let mut lines = FrameReader::new(stdout, b"\n", 1 << 10);
        let line = tokio::time::timeout(PATIENCE, lines.next()).await.expect("it is ready in time");
        assert_eq!(line.unwrap(), b"ready\n", "{}", child.stderr());
        assert!(!self.processes().is_empty(), "the mark is found while it runs");
        child
    }

    /// The processes of the machine that bear the mark.
    fn processes(&self) -> Vec<u32> {
        let mark = self.path().file_name().unwrap().to_str().unwrap();
        let pids = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let marked = |pid: &u32| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
        };
        pids.filter(marked).collect()
    }
}

/// A shell with a script; `$0` is the name of the folder.
fn shell(shell: &str, script: &str, folder: &Path) -> ChildSpec {
    ChildSpec {
        program: shell.to_owned(),
        args: ["-c", script, &folder.to_string_lossy()].map(str::to_owned).to_vec(),
        env: Vec::new(),
        directory: folder.to_owned(),
        limits: ResourceLimits::default(),
    }
}

fn ended(exit: &Exit) -> (Option<i32>, Option<i32>) {
    (exit.code, exit.signal)
}

#[test]
fn a_child_works_in_its_folder_and_reads_what_it_is_given() {
    block_on(async {
        let place = Place::new().await;
        let given = tempfile::tempdir().unwrap();
        std::fs::write(given.path().join("input"), "given").unwrap();
        let script =
            r#"echo "$PWD $TMPDIR $COLOUR"; cat "$1/input"; echo made > made; rm "$1/input"; exit 3"#;
        let mut spec = shell("sh", script, place.path());
        spec.args.push(std::fs::canonicalize(given.path()).unwrap().to_string_lossy().into_owned());
        spec.env.push(("COLOUR".into(), "blue as the sky".into()));
        let readable = [given.path().to_owned()];
        let confinement = Confinement { readable: &readable, writable: place.path() };
        let ran = place.sandbox.run_to_end(&spec, &confinement, "working", PATIENCE, 1 << 16).await.unwrap();
        let folder = std::fs::canonicalize(place.path()).unwrap();
        let folder = folder.display();
        assert_eq!(ran.stdout, format!("{folder} {folder} blue as the sky\ngiven"), "{ran:?}");
        assert_eq!(ended(&ran.exit), (Some(3), None));
        assert_eq!(std::fs::read_to_string(place.path().join("made")).unwrap(), "made\n");
        assert_eq!(std::fs::read_to_string(given.path().join("input")).unwrap(), "given");
    });
}

#[test]
fn a_prover_works_within() {
    block_on(async {
        let place = Place::new().await;
        let text = "Require Import Lia.\nLemma t : forall n : nat, n < S n. Proof. lia. Qed.\nPrint Assumptions t.\n";
        std::fs::write(place.path().join("t.v"), text).unwrap();
        let ran = place.run("exec coqc -q t.v").await;
        assert_eq!(ended(&ran.exit), (Some(0), None), "{ran:?}");
        assert!(ran.stdout.contains("Closed under the global context"), "{ran:?}");
        assert!(place.path().join("t.vo").is_file());
    });
}

#[test]
fn the_network_is_out_of_reach() {
    block_on(async {
        let place = Place::new().await;
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let script = format!("exec 3<> /dev/tcp/127.0.0.1/{port} && echo connected");
        let outside = shell("bash", &script, place.path());
        let outside = run_to_end(&outside, "connecting", PATIENCE, 1 << 16).await.unwrap();
        assert_eq!(outside.stdout, "connected\n", "from outside it works: {outside:?}");
        let within = place.run(&script).await;
        assert_eq!((within.stdout.as_str(), within.exit.code), ("", Some(1)), "{within:?}");
    });
}

#[test]
fn nothing_is_written_outside_the_folder() {
    block_on(async {
        let place = Place::new().await;
        let given = tempfile::tempdir().unwrap();
        std::fs::write(given.path().join("input"), "given").unwrap();
        // What is not made for this test is only opened, never changed, in case a wall is missing.
        let script = r#"
            for file in /etc/passwd "$(command -v coqc)" /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness \
                        /proc/pressure/cpu /proc/self/comm /proc/1/mem; do
                (: >> "$file") 2> /dev/null && echo "opened $file"
            done
            given=$1
            {
                (echo changed >> "$given/input") && echo appended
                (echo changed > "$given/new") && echo made
                rm "$given/input" && echo removed
                mv "$given/input" "$given/other" && echo renamed
                chmod 777 "$given" && echo changed its mode
                ln -s "$given" link && (echo changed > link/input) && echo wrote through a link
                ln "$given/input" hard && echo made another name
                mount -o remount,rw "$given" && echo mounted
                umount "$given" && echo unmounted
                mknod disk b 8 0 && echo made a device
                unshare --user --map-root-user mount -o remount,rw "$given" && echo mounted in another namespace
            } 2> /dev/null
            echo ended"#;
        let mut spec = shell("bash", script, place.path());
        spec.args.push(std::fs::canonicalize(given.path()).unwrap().to_string_lossy().into_owned());
        let readable = [given.path().to_owned()];
        let confinement = Confinement { readable: &readable, writable: place.path() };
        let ran =
            place.sandbox.run_to_end(&spec, &confinement, "attacking", PATIENCE, 1 << 16).await.unwrap();
        assert_eq!(ran.stdout, "ended\n", "{ran:?}");
        assert_eq!(std::fs::read_to_string(given.path().join("input")).unwrap(), "given");
        assert_eq!(std::fs::read_dir(given.path()).unwrap().count(), 1);
    });
}

#[test]
fn what_lies_elsewhere_is_not_seen() {
    block_on(async {
        let place = Place::new().await;
        let secret = tempfile::NamedTempFile::new().unwrap();
        let script = format!("cat '{}'; ls -A \"$HOME\" /sys /var; ls -A /tmp", secret.path().display());
        let ran = place.run(&script).await;
        assert!(ran.exit.stderr.contains("No such file"), "{ran:?}");
        let secret = secret.path().file_name().unwrap().to_str().unwrap();
        assert!(!ran.stdout.contains(secret), "{ran:?}");
    });
}

#[test]
fn processes_outside_cannot_be_signalled() {
    block_on(async {
        let place = Place::new().await;
        let outside = shell("sh", "echo up; read line && echo \"still here\"", Path::new("/"));
        let Spawned { child, mut stdin, stdout } = ChildProcess::spawn(&outside).unwrap();
        let mut lines = FrameReader::new(stdout, b"\n", 1 << 10);
        assert_eq!(lines.next().await.unwrap(), b"up\n");
        let ran = place.run(&format!("kill -KILL {}", child.id())).await;
        assert!(ran.exit.stderr.contains("No such process"), "{ran:?}");
        tokio::io::AsyncWriteExt::write_all(&mut stdin, b"\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), b"still here\n");
    });
}

#[test]
fn limits_hold_within_and_say_which_was_reached() {
    block_on(async {
        let place = Place::new().await;
        let limits = ResourceLimits {
            memory: None,
            address_space: Some(256 << 20),
            cpu: Some(Duration::from_millis(500)),
            file_size: Some(1 << 20),
        };
        let spin = place.run_within("while :; do :; done", limits).await;
        assert_eq!(ended(&spin.exit), (None, Some(24)), "{spin:?}");
        // Who ignores the signal is killed.
        let stubborn = place.run_within("trap '' XCPU; while :; do :; done", limits).await;
        assert_eq!(ended(&stubborn.exit), (None, Some(9)), "{stubborn:?}");
        let fill = place.run_within("exec head -c 2000000 /dev/zero > big", limits).await;
        assert_eq!(ended(&fill.exit), (None, Some(25)), "{fill:?}");
        assert_eq!(std::fs::metadata(place.path().join("big")).unwrap().len(), 1 << 20);
        let grow = place.run_within("exec dd if=/dev/zero of=/dev/null bs=512M count=1", limits).await;
        assert_eq!(ended(&grow.exit), (Some(1), None), "{grow:?}");
        assert!(grow.exit.stderr.contains("memory"), "{grow:?}");
        let raise =
            place.run_within("ulimit -t unlimited || ulimit -v unlimited || ulimit -f 10000", limits).await;
        assert_ne!(raise.exit.code, Some(0), "{raise:?}");
    });
}

#[test]
fn limits_hold_without_walls() {
    block_on(async {
        let limits = ResourceLimits { cpu: Some(Duration::from_secs(1)), ..ResourceLimits::default() };
        let spec = ChildSpec { limits, ..shell("sh", "while :; do :; done", Path::new("/")) };
        let ran = run_to_end(&spec, "spinning", PATIENCE, 1 << 16).await.unwrap();
        assert_eq!(ended(&ran.exit), (None, Some(24)), "{ran:?}");
    });
}

/// Takes this many MiB of memory, writes to it, and waits.
const HOARD: &str =
    "hoard() { python3 -c 'import sys, time; x = b\"x\" * (int(sys.argv[1]) << 20); time.sleep(600)' $1; };";

#[test]
fn a_limit_on_memory_counts_all_processes_and_no_reserved_addresses() {
    block_on(async {
        let place = Place::new().await;
        let limits = ResourceLimits { memory: Some(300 << 20), ..ResourceLimits::default() };
        for hoarders in
            ["hoard 400", "hoard 200 & hoard 200 & wait", "(setsid sh -c 'exit'; hoard 200) & hoard 200"]
        {
            let script = format!("{HOARD} {hoarders}");
            let walled = place.run_within(&script, limits).await;
            assert!(walled.exit.over_memory && walled.exit.code.is_none(), "{hoarders}: {walled:?}");
            assert!(walled.exit.status.contains("300 MiB of memory"), "{walled:?}");
            let spec = ChildSpec { limits, ..shell("bash", &script, place.path()) };
            let free = run_to_end(&spec, "hoarding", PATIENCE, 1 << 16).await.unwrap();
            assert!(free.exit.over_memory, "{hoarders}: {free:?}");
        }
        // Memory that is only reserved is not memory.
        let reserve = "exec python3 -c 'import mmap; x = mmap.mmap(-1, 4 << 30); print(len(x))'";
        let reserved = place.run_within(reserve, limits).await;
        assert_eq!((reserved.stdout.as_str(), reserved.exit.code), ("4294967296\n", Some(0)), "{reserved:?}");
        assert!(!reserved.exit.over_memory);
    });
}

#[test]
fn files_that_others_left_open_reach_no_child() {
    block_on(async {
        let root = std::fs::File::open("/").unwrap();
        // Unlike all files that Rust opens, a duplicate made so stays open in children.
        let duplicate = rustix::io::dup(&root).unwrap();
        let script = "set -- /proc/self/fd/*; for file; do if [ -e $file ]; then echo $file; fi; done";
        let ran =
            run_to_end(&shell("sh", script, Path::new("/")), "listing", PATIENCE, 1 << 16).await.unwrap();
        drop(duplicate);
        assert_eq!(ran.stdout, "/proc/self/fd/0\n/proc/self/fd/1\n/proc/self/fd/2\n");
    });
}

/// Starts processes in the background that are in sessions of their own, hold no pipe and bear the mark.
const DAEMONS: &str = r#"
    daemon='while :; do echo alive > "$0.$$" ; sleep 0.01; done'
    for n in 1 2 3 4 5 6 7 8 9 10; do
        (setsid sh -c "trap '' TERM INT HUP; $daemon" "$0/daemon" < /dev/null > /dev/null 2>&1 &)
    done
    until compgen -G "$0/daemon.*" > /dev/null; do sleep 0.01; done"#;

#[test]
fn nothing_outlives_a_child_that_ends() {
    block_on(async {
        let place = Place::new().await;
        let ran = place.run(DAEMONS).await;
        assert_eq!(place.processes(), Vec::<u32>::new());
        assert_eq!(ended(&ran.exit), (Some(0), None), "{ran:?}");
        assert!(std::fs::read_dir(place.path()).unwrap().count() > 0, "the daemons were there");
    });
}

#[test]
fn nothing_outlives_a_child_that_is_dropped_or_killed() {
    block_on(async {
        let place = Place::new().await;
        let script = format!("{DAEMONS}; echo ready; while :; do sleep 1; done");
        drop(place.start(&script).await);
        assert_eq!(place.processes(), Vec::<u32>::new());
        let child = place.start(&script).await;
        child.kill_now().await;
        assert_eq!(place.processes(), Vec::<u32>::new());
    });
}

#[test]
fn nothing_outlives_a_bubblewrap_that_is_killed() {
    block_on(async {
        let place = Place::new().await;
        let child = place.start(&format!("{DAEMONS}; echo ready; while :; do sleep 1; done")).await;
        let bubblewrap = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(bubblewrap, Signal::KILL).unwrap();
        // Nobody waits for these but the kernel: their end is near, though not yet here.
        let gone = async {
            while !place.processes().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, gone).await.expect("all within end too");
        drop(child);
    });
}

#[test]
fn a_crowd_within_ends_as_one() {
    block_on(async {
        let place = Place::new().await;
        let script = r#"
            for n in {1..150}; do (setsid sh -c 'sleep 3600; :' "$0" > /dev/null 2>&1 &); done
            echo ready
            while :; do :; done"#;
        drop(place.start(script).await);
        assert_eq!(place.processes(), Vec::<u32>::new());
    });
}

#[test]
fn walls_that_cannot_be_built_are_no_verdict_on_the_child() {
    block_on(async {
        let place = Place::new().await;
        let missing = [PathBuf::from("/nonexistent/library")];
        let confinement = Confinement { readable: &missing, writable: place.path() };
        let spec = shell("sh", "exit 0", place.path());
        let ran = place.sandbox.run_to_end(&spec, &confinement, "working", PATIENCE, 1 << 16).await;
        assert!(
            matches!(&ran, Err(ProcessError::Died { stderr, .. }) if stderr.contains("/nonexistent/library")),
            "{ran:?}"
        );
        // What a child says of walls is no such failure.
        let forged = place.run("echo 'bwrap: Creating new namespace failed' >&2; exit 1").await;
        assert_eq!(ended(&forged.exit), (Some(1), None), "{forged:?}");
        let spec = shell("no-such-prover", "", place.path());
        let ran = place.sandbox.run_to_end(&spec, &place.confinement(), "working", PATIENCE, 1 << 16).await;
        assert!(
            matches!(&ran, Err(ProcessError::Died { stderr, .. }) if stderr.contains("no-such-prover")),
            "{ran:?}"
        );
    });
}
