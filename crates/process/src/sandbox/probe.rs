//! The probe: a script inside the sandbox reports what it can see and do, and the report is compared with the
//! requirements.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::scratch::Scratch;
use super::super::spawn::{ChildSpec, INHERITED, ResourceLimits};
use super::{Confinement, ExitedProcess, NOBODY, NoSandbox, Sandbox};
use crate::error::ProcessError;

/// The script. It needs a POSIX shell, `env` and `readlink`.
const SCRIPT: &str = include_str!("probe.sh");

/// The resource limits that the script is given and must find in force.
const LIMITS: ResourceLimits = ResourceLimits {
    memory: None,
    address_space: Some(1 << 30),
    cpu: Some(Duration::from_secs(10)),
    file_size: Some(1 << 20),
};

/// The namespaces that must differ from ours.
const NAMESPACES: &[&str] = &["user", "pid", "net", "ipc", "uts", "mnt"];

/// Variables that the sandbox or the shell sets, besides inherited ones.
const SET: &[&str] = &["PWD", "OLDPWD", "SHLVL", "_"];

/// Folders, besides the probe's own, in which nothing can be created.
const CLOSED: &[&str] = &["/", "/usr", "/etc", "/dev", "/dev/shm"];

/// Files that cannot be opened for writing. Opening them has no effect.
const SEALED: &[&str] = &["/etc/passwd", "/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj"];

/// The expected report, as far as it depends on the machine and the run.
#[derive(Clone, Debug)]
struct Expected {
    /// The name of this probe.
    name: String,
    /// A file that must be visible.
    given: PathBuf,
    /// The writable folder, in the notation of `/proc`.
    folder: String,
    /// Files and folders that must be invisible.
    secrets: Vec<PathBuf>,
    /// Files that must not be created.
    forbidden: Vec<PathBuf>,
    /// Files that must not be opened for writing.
    sealed: Vec<PathBuf>,
    /// Our own namespaces, in the notation of `/proc`.
    namespaces: BTreeMap<String, String>,
    /// Whether new user namespaces must be disabled.
    forbids_namespaces: bool,
}

/// Runs the probe. The error lists every requirement that is violated. Without temporary files, as on a full disk, or
/// in time, there is no probe, which says nothing about the sandbox.
pub(super) async fn assert_holds(sandbox: &Sandbox) -> Result<(), NoSandbox> {
    let unprobed = |error: String| NoSandbox::Failed(format!("the sandbox cannot be probed: {error}"));
    let failed = |error: std::io::Error| unprobed(error.to_string());
    let scratch = || Scratch::new().map_err(|error| unprobed(error.to_string()));
    let (readable, writable, hidden) = (scratch()?, scratch()?, scratch()?);
    let [given, own] = [&readable, &writable].map(|folder| std::fs::canonicalize(folder.path()));
    let (given, own) = (given.map_err(failed)?, own.map_err(failed)?);
    let name = name_of(&own);
    std::fs::write(given.join("given"), &name).map_err(failed)?;
    for folder in [&readable, &writable] {
        sandbox.give(folder).map_err(failed)?;
    }
    let secret = hidden.path().join("secret");
    std::fs::write(&secret, &name).map_err(failed)?;
    let closed = CLOSED.iter().map(PathBuf::from).chain(super::homes()).filter(|path| path.is_dir());
    let expected = Expected {
        given: given.join("given"),
        folder: spelled(&own),
        secrets: super::homes().filter_map(|home| entry_of(&home, &own)).chain([secret]).collect(),
        forbidden: closed.chain([given.clone()]).map(|folder| folder.join(&name)).collect(),
        sealed: SEALED.iter().map(PathBuf::from).collect(),
        namespaces: our_namespaces().map_err(failed)?,
        forbids_namespaces: sandbox.forbids_namespaces,
        name,
    };
    let spec = ChildSpec {
        program: "/bin/sh".to_owned(),
        args: expected.arguments(),
        env: Vec::new(),
        directory: own.clone(),
        limits: LIMITS,
    };
    let confinement = Confinement { readable: &[given], writable: &own };
    let ran =
        sandbox.run_to_end(&spec, &confinement, "probing the sandbox", Duration::from_secs(10), 1 << 20);
    let ran = ran.await.map_err(|error| match error {
        ProcessError::Died { .. } => {
            let why = "the sandbox cannot be built (the kernel must let users open user namespaces)";
            NoSandbox::Missing(format!("{why}: {error}"))
        }
        // It says nothing about the sandbox that the machine is busy.
        error => unprobed(error.to_string()),
    });
    // Whatever the script reports, if anything, its files must be only where they are allowed.
    let mut failures = expected.leaks();
    let ExitedProcess { exit, stdout } = ran?;
    if exit.code != Some(0) {
        failures.push(format!("the probe ended with {}: {}", exit.status, exit.stderr.trim()));
    }
    let made = std::fs::read_to_string(own.join(&expected.name)).unwrap_or_default();
    if made.trim() != expected.name {
        failures.push("writes to the writable folder are lost".to_owned());
    }
    failures.extend(expected.failures(&stdout));
    if failures.is_empty() {
        return Ok(());
    }
    Err(NoSandbox::Missing(format!("the sandbox is not secure: {}", failures.join("; "))))
}

impl Expected {
    /// The arguments of the shell.
    fn arguments(&self) -> Vec<String> {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let mut arguments = ["-c", SCRIPT, "sh", &self.name].map(str::to_owned).to_vec();
        arguments.extend([text(&self.given), self.secrets.len().to_string()]);
        arguments.extend(self.secrets.iter().chain(self.unwritable()).map(text));
        arguments
    }

    /// All files that must not be written.
    fn unwritable(&self) -> impl Iterator<Item = &PathBuf> {
        self.forbidden.iter().chain(&self.sealed)
    }

    /// Removes files created in forbidden places, and reports where they were.
    fn leaks(&self) -> Vec<String> {
        let made = self.forbidden.iter().filter(|path| std::fs::remove_file(path).is_ok());
        made.map(|path| format!("`{}` was written", path.display())).collect()
    }

    /// All differences between the script's report and the requirements.
    fn failures(&self, output: &str) -> Vec<String> {
        let lines: Vec<(&str, &str)> =
            output.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
        let mut facts = Facts { known: BTreeMap::new(), failures: Vec::new() };
        for &(name, value) in &lines {
            facts.known.entry(name).or_default().push(value.trim());
        }
        let ends = (lines.first(), lines.last());
        if ends != (Some(&("begin", &*self.name)), Some(&("end", &*self.name))) {
            facts.failures.push("the probe did not run from its beginning to its end".to_owned());
        }
        facts.expect("begin", |value| value == self.name, "another probe begins");
        facts.expect("end", |value| value == self.name, "another probe ends");

        facts.expect("given", |value| value == "yes", "it cannot see the files that it was given");
        for (number, path) in self.secrets.iter().enumerate() {
            facts.expect(&format!("sees-{number}"), no, &format!("it sees `{}`", path.display()));
        }
        for (number, path) in self.unwritable().enumerate() {
            facts.expect(&format!("writes-{number}"), no, &format!("it writes `{}`", path.display()));
        }
        facts.expect("folder", |value| value == "yes", "it cannot write into its working folder");

        // Regardless of file permissions, no other file system may be writable. Of several mounts in one place, the
        // last is on top.
        let mounts = facts.known.remove("mount").unwrap_or_default();
        let mounts: BTreeMap<&str, &str> = mounts
            .into_iter()
            .map(|mount| mount.split_once(' ').map_or((mount, ""), |(mode, point)| (point, mode)))
            .collect();
        if mounts.get(&*self.folder) != Some(&"rw") {
            facts.failures.push("its working folder is not separate".to_owned());
        }
        if !mounts.contains_key("/") {
            facts.failures.push("the probe does not report whether `/` is writable".to_owned());
        }
        for (point, mode) in mounts {
            if mode != "ro" && point != self.folder && !point.starts_with("/dev/") {
                facts.failures.push(format!("the file system at `{point}` is writable"));
            }
        }

        for &kind in NAMESPACES {
            let ours = self.namespaces.get(kind);
            let own = |value: &str| {
                value.starts_with(&format!("{kind}:[")) && ours.is_some_and(|ours| ours != value)
            };
            facts.expect(
                &format!("namespace-{kind}"),
                own,
                &format!("it shares the {kind} namespace of andor"),
            );
        }
        let nests = |value: &str| no(value) || (value == "yes" && !self.forbids_namespaces);
        facts.expect("nests", nests, "it can create a user namespace");
        facts.expect("interfaces", |value| value == "lo", "it has network interfaces besides the loopback");
        facts.expect("routes", |value| value == "0", "it has network routes");

        let own_id = facts.known.get("self").and_then(|values| values.first()).map_or("", |id| *id);
        facts.expect("self", |value| value.parse::<u32>().is_ok_and(|id| id > 1), "it has no process id");
        // A session from outside has no number inside.
        let led = |value: &str| value.parse::<u32>().is_ok_and(|id| id > 0);
        facts.expect("session", led, "it does not have its own session");
        let alone = format!("/proc/1 /proc/{own_id}");
        facts.expect("processes", |value| value == alone, "it sees other processes");
        facts.expect("files", |value| value == "0 1 2", "it has open files that it was not given");

        facts.expect("fills-memory", no, "the limit on address space does not hold");
        facts.expect("fills-file", no, "the limit on the size of files does not hold");
        let cpu = LIMITS.cpu_seconds().map(|seconds| (seconds, seconds + 1));
        let twice = |bytes: Option<u64>| bytes.map(|bytes| (bytes, bytes));
        for (name, what, limit) in [
            ("limit-cpu", "processor time", cpu),
            ("limit-memory", "address space", twice(LIMITS.address_space)),
            ("limit-file", "the size of files", twice(LIMITS.file_size)),
            ("limit-core", "core dumps", Some((0, 0))),
        ] {
            let within = |value: &str| limit.is_some_and(|limit| is_within(value, limit));
            facts.expect(name, within, &format!("the limit on {what} is not in force"));
        }

        for name in ["status-Uid", "status-Gid"] {
            let nobody = |value: &str| value.split_whitespace().eq([NOBODY; 4]);
            facts.expect(name, nobody, "it is somebody");
        }
        for name in ["status-CapInh", "status-CapPrm", "status-CapEff", "status-CapBnd", "status-CapAmb"] {
            let none = |value: &str| !value.is_empty() && value.bytes().all(|digit| digit == b'0');
            facts.expect(name, none, "it has capabilities");
        }
        facts.expect("status-NoNewPrivs", |value| value == "1", "it can gain privileges");

        let is_known = |name: &str| INHERITED.contains(&name) || SET.contains(&name);
        for name in facts.known.remove("variable").unwrap_or_default() {
            if !is_known(name) {
                facts.failures.push(format!("it sees the variable `{name}`"));
            }
        }
        let Facts { known, mut failures } = facts;
        failures
            .extend(known.keys().map(|name| format!("the probe reports `{name}`, which was not requested")));
        failures
    }
}

/// The script's report, and the violations found so far.
struct Facts<'a> {
    known: BTreeMap<&'a str, Vec<&'a str>>,
    failures: Vec<String>,
}

impl Facts<'_> {
    /// Removes a fact, which must occur exactly once with an acceptable value; otherwise records `complaint`.
    fn expect(&mut self, name: &str, is_right: impl Fn(&str) -> bool, complaint: &str) {
        match self.known.remove(name).as_deref() {
            Some([value]) if is_right(value) => {}
            Some([value]) => {
                let shown: String = value.chars().take(80).collect();
                self.failures.push(format!("{complaint} ({name}: {shown})"));
            }
            Some(_) => self.failures.push(format!("the probe reports `{name}` more than once")),
            None => self.failures.push(format!("the probe does not report `{name}`")),
        }
    }
}

fn no(value: &str) -> bool {
    value == "no"
}

/// Whether a soft and a hard limit, as in `10 11`, are present and low enough.
fn is_within(value: &str, (soft, hard): (u64, u64)) -> bool {
    let mut limits = value.split_whitespace().map(str::parse::<u64>);
    matches!((limits.next(), limits.next(), limits.next()), (Some(Ok(s)), Some(Ok(h)), None) if s <= soft && h <= hard)
}

/// An entry of a folder that is not on the path to `other`.
fn entry_of(folder: &Path, other: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.filter(|path| path.exists() && !other.starts_with(path)).min()
}

/// A path in the notation of `/proc/self/mountinfo`, where white space and backslashes are octal escapes (proc(5)).
fn spelled(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\134");
    text.replace(' ', "\\040").replace('\t', "\\011").replace('\n', "\\012")
}

/// A name for the probe, derived from its folder.
fn name_of(own: &Path) -> String {
    let program = own.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let number = own.file_name().unwrap_or_default().to_string_lossy();
    format!("{program}-probe-{number}")
}

fn our_namespaces() -> std::io::Result<BTreeMap<String, String>> {
    let read = |&kind: &&str| {
        let link = std::fs::read_link(format!("/proc/self/ns/{kind}"))?;
        Ok((kind.to_owned(), link.to_string_lossy().into_owned()))
    };
    NAMESPACES.iter().map(read).collect()
}

#[cfg(test)]
mod tests;
