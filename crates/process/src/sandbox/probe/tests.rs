//! That no output but the right one passes, and that the probe notices each wall that is missing.

use super::super::ask_version;
use super::*;

fn expected() -> Expected {
    let ours = NAMESPACES.iter().map(|kind| ((*kind).to_owned(), format!("{kind}:[1]")));
    Expected {
        name: "p".to_owned(),
        given: "/tmp/given".into(),
        folder: "/tmp/a\\040folder".to_owned(),
        secrets: vec!["/tmp/secret".into(), "/root/secret".into()],
        forbidden: vec!["/p".into(), "/etc/p".into()],
        sealed: vec!["/etc/passwd".into()],
        namespaces: ours.collect(),
        forbids_namespaces: true,
    }
}

/// What a sandbox that holds says.
const GOOD: &str = "\
begin p
given yes
sees-0 no
sees-1 no
writes-0 no
writes-1 no
writes-2 no
folder yes
mount rw /
mount ro /
mount rw /dev/null
mount rw /tmp/a\\040folder
namespace-user user:[2]
namespace-pid pid:[2]
namespace-net net:[2]
namespace-ipc ipc:[2]
namespace-uts uts:[2]
namespace-mnt mnt:[2]
nests no
interfaces     lo
routes 0
self 2
session 1
processes /proc/1 /proc/2
files  0 1 2
fills-memory no
fills-file no
limit-cpu 10 11
limit-file 1048576 1048576
limit-memory 1073741824 1073741824
limit-core 0 0
status-Uid 65534\t65534\t65534\t65534
status-Gid 65534\t65534\t65534\t65534
status-CapInh 0000000000000000
status-CapPrm 0000000000000000
status-CapEff 0000000000000000
status-CapBnd 0000000000000000
status-CapAmb 0000000000000000
status-NoNewPrivs 1
variable PATH
variable PWD
end p
";

#[test]
fn the_right_output_passes() {
    assert_eq!(expected().failures(GOOD), Vec::<String>::new());
    let lenient = Expected { forbids_namespaces: false, ..expected() };
    assert_eq!(lenient.failures(&GOOD.replace("nests no", "nests yes")), Vec::<String>::new());
}

#[test]
fn every_wrong_fact_fails_and_is_named() {
    for (right, wrong, complaint) in [
        ("fills-memory no", "fills-memory yes", "the limit on address space does not hold"),
        ("fills-file no", "fills-file yes", "the limit on the size of files does not hold"),
        ("given yes", "given no", "it cannot see the files that it was given"),
        ("sees-0 no", "sees-0 yes", "it sees `/tmp/secret`"),
        ("sees-1 no", "sees-1 yes", "it sees `/root/secret`"),
        ("writes-0 no", "writes-0 yes", "it writes `/p`"),
        ("writes-1 no", "writes-1 yes", "it writes `/etc/p`"),
        ("writes-2 no", "writes-2 yes", "it writes `/etc/passwd`"),
        ("writes-1 no", "writes-1 ", "it writes `/etc/p`"),
        ("folder yes", "folder no", "cannot write into its working folder"),
        ("mount rw /dev/null", "mount rw /", "the file system at `/` is writable"),
        ("mount rw /dev/null", "mount rw /home", "the file system at `/home` is writable"),
        ("mount ro /\n", "mount  /\n", "the file system at `/` is writable"),
        ("mount rw /tmp/a\\040folder", "mount ro /tmp/a\\040folder", "its working folder is not separate"),
        ("user:[2]", "user:[1]", "the user namespace of andor"),
        ("pid:[2]", "pid:[1]", "the pid namespace of andor"),
        ("net:[2]", "net:[1]", "the net namespace of andor"),
        ("ipc:[2]", "ipc:[1]", "the ipc namespace of andor"),
        ("uts:[2]", "uts:[1]", "the uts namespace of andor"),
        ("mnt:[2]", "mnt:[1]", "the mnt namespace of andor"),
        ("net:[2]", "", "the net namespace of andor"),
        ("nests no", "nests yes", "it can create a user namespace"),
        ("lo\n", "lo eth0\n", "network interfaces"),
        ("routes 0", "routes 2", "network routes"),
        ("self 2", "self ", "no process id"),
        ("session 1", "session 0", "it does not have its own session"),
        ("/proc/1 /proc/2", "/proc/1 /proc/2 /proc/77", "it sees other processes"),
        ("/proc/1 /proc/2", "/proc/[0-9]*", "it sees other processes"),
        ("files  0 1 2", "files  0 1 2 7", "it has open files"),
        ("limit-cpu 10 11", "limit-cpu unlimited unlimited", "processor time"),
        ("limit-cpu 10 11", "limit-cpu 10 unlimited", "processor time"),
        ("limit-file 1048576", "limit-file 1048577", "the size of files"),
        ("limit-memory 1073741824", "limit-memory unlimited", "address space"),
        ("limit-core 0 0", "limit-core 0 unlimited", "core dumps"),
        ("Uid 65534", "Uid 0", "it is somebody"),
        ("Gid 65534", "Gid 0", "it is somebody"),
        ("CapInh 0", "CapInh 1", "it has capabilities"),
        ("CapPrm 0", "CapPrm 1", "it has capabilities"),
        ("CapEff 0", "CapEff 1", "it has capabilities"),
        ("CapBnd 0000000000000000", "CapBnd 000001ffffffffff", "it has capabilities"),
        ("CapAmb 0000000000000000", "CapAmb ", "it has capabilities"),
        ("NoNewPrivs 1", "NoNewPrivs 0", "it can gain privileges"),
        ("variable PATH", "variable API_KEY", "it sees the variable `API_KEY`"),
        ("begin p", "begin q", "another probe begins"),
        ("end p", "end q", "another probe ends"),
    ] {
        let output = GOOD.replacen(right, wrong, 1);
        assert_ne!(output, GOOD, "{right}");
        let failures = expected().failures(&output);
        assert!(failures.iter().any(|failure| failure.contains(complaint)), "{wrong}: {failures:?}");
    }
}

#[test]
fn an_output_that_is_empty_partial_or_forged_fails() {
    let expected = expected();
    assert!(!expected.failures("").is_empty());
    assert!(!expected.failures("begin p\nend p\n").is_empty());
    let lines: Vec<&str> = GOOD.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        assert!(!expected.failures(&lines[..number].join("\n")).is_empty(), "it breaks off before: {line}");
        let mut without = lines.clone();
        without.remove(number);
        let may_lack = ["variable PATH", "variable PWD", "mount rw /", "mount rw /dev/null"].contains(line);
        assert_eq!(expected.failures(&without.join("\n")).is_empty(), may_lack, "{line}");
        let mut doubled = lines.clone();
        doubled.insert(number, line);
        let may_repeat = line.starts_with("variable ") || line.starts_with("mount ");
        assert_eq!(expected.failures(&doubled.join("\n")).is_empty(), may_repeat, "{line}");
    }
    assert!(!expected.failures(&GOOD.replace("end p", "surprise\nend p")).is_empty());
    assert!(!expected.failures(&format!("{GOOD}{GOOD}")).is_empty());
    assert!(!expected.failures(&format!("{GOOD}trailing\n")).is_empty());
}

/// The reason for which a sandbox with some of its arguments replaced does not hold.
fn breached(from: &[&str], to: &[&str]) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be built").block_on(async {
        let mut sandbox = Sandbox::new(&ask_version().await.expect("bubblewrap is installed"))
            .expect("its version is known");
        let at =
            sandbox.walls.windows(from.len()).position(|words| words == from).expect("there is such a wall");
        sandbox.walls.splice(at..at + from.len(), to.iter().map(|&word| word.to_owned()));
        assert_holds(&sandbox).await.expect_err("the probe notices").to_string()
    })
}

#[test]
fn the_probe_notices_every_wall_that_is_missing() {
    for (from, to, complaint) in [
        (&["--unshare-net"][..], &[][..], "the net namespace of andor"),
        (&["--unshare-pid", "--as-pid-1"], &[], "it sees other processes"),
        (&["--unshare-ipc"], &[], "the ipc namespace of andor"),
        (&["--unshare-uts"], &[], "the uts namespace of andor"),
        // Our own processes are shown, although they cannot be reached.
        (&["--proc", "/proc", "--remount-ro", "/proc"], &[], "it sees other processes"),
        (&["--remount-ro", "/proc"], &[], "the file system at `/proc` is writable"),
        (&["--cap-drop", "ALL"], &["--cap-add", "ALL"], "it has capabilities"),
        (&["--ro-bind", "/", "/"], &["--bind", "/", "/"], "the file system at `/` is writable"),
        (&["--new-session"], &[], "it does not have its own session"),
        (&["--uid", "65534"], &["--uid", "1000"], "it is somebody"),
        (&["--disable-userns"], &[], "it can create a user namespace"),
        (
            &["--dev", "/dev"],
            &["--dev", "/dev", "--setenv", "API_KEY", "1"],
            "it sees the variable `API_KEY`",
        ),
    ] {
        let reason = breached(from, to);
        println!("{from:?} -> {to:?}: {reason}");
        assert!(reason.contains(complaint), "{from:?} -> {to:?}: {reason}");
    }
}

#[test]
fn a_sandbox_that_cannot_be_built_does_not_hold() {
    let reason = breached(&["--unshare-net"], &["--no-such-wall"]);
    assert!(reason.contains("cannot be built") && reason.contains("no-such-wall"), "{reason}");
}

#[test]
fn paths_are_spelled_as_the_kernel_does() {
    assert_eq!(spelled(Path::new("/tmp/a b\\c\td")), "/tmp/a\\040b\\134c\\011d");
}
