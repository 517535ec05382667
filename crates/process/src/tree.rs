//! Finding a child's family in `/proc`.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::{Pid, geteuid};

/// The living processes in the session of `leader`: the child, and all descendants that did not open a session of
/// their own. Zombies are excluded.
pub fn family(leader: u32) -> Vec<u32> {
    living().into_iter().filter(|(_, stat)| stat.session == leader).map(|(pid, _)| pid).collect()
}

/// The living descendants of `ancestor`, in any session. Those whose parent has ended are not found.
pub(super) fn descendants(ancestor: u32) -> Vec<u32> {
    below(vec![ancestor], &living()).split_off(1)
}

/// The given processes and all their descendants.
fn below(mut found: Vec<u32>, all: &[(u32, Stat)]) -> Vec<u32> {
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children: Vec<u32> = all
            .iter()
            .filter(|(pid, stat)| stat.parent == parent && !found.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        found.extend(children);
        next += 1;
    }
    found
}

/// The program that bubblewrap runs, given bubblewrap's id: the first child of the first process inside, which is
/// bubblewrap's only child. Other children of the first process are orphans that it inherited, and therefore younger.
pub fn program_within(bubblewrap: u32) -> Option<u32> {
    let living = living();
    let child_of = |parent: u32| {
        let children = living.iter().filter(|(_, stat)| stat.parent == parent);
        children.min_by_key(|(pid, stat)| (stat.started, *pid)).map(|(pid, _)| *pid)
    };
    child_of(child_of(bubblewrap)?)
}

/// The living processes of this user, or of anyone if that is root, whose temporary folder was below `folder` when they
/// started.
pub(super) fn working_below(folder: &Path) -> Vec<u32> {
    let start = [b"TMPDIR=", folder.as_os_str().as_bytes(), b"/"].concat();
    let works_there = |pid: &u32| {
        let owner = std::fs::metadata(format!("/proc/{pid}")).map(|data| data.uid());
        owner.is_ok_and(|owner| owner == geteuid().as_raw() || geteuid().is_root())
            && std::fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|text| text.split(|&byte| byte == 0).any(|variable| variable.starts_with(&start)))
    };
    living().into_iter().map(|(pid, _)| pid).filter(works_there).collect()
}

/// The processor usage of a process in a family, in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    pub(super) pid: u32,
    pub(super) parent: u32,
    /// Its start time, in ticks since boot.
    pub(super) started: u64,
    pub(super) own: u64,
    /// The usage of the children it has waited for.
    pub(super) waited: u64,
}

/// The processes in the session of `leader`, including those not yet reaped; all descendants, in any session; and
/// those among `known`. Parents are read before their children, so that a child that ends in between is not counted
/// in both.
pub(super) fn relatives(leader: u32, known: &HashSet<u32>) -> Vec<Relative> {
    let all = all();
    let mut family: Vec<u32> = vec![leader];
    let mut in_family: HashSet<u32> = HashSet::from([leader]);
    loop {
        let joins = |(pid, stat): &&(u32, Stat)| !in_family.contains(pid) && in_family.contains(&stat.parent);
        let mut next: Vec<u32> = all.iter().filter(joins).map(|(pid, _)| *pid).collect();
        if next.is_empty() {
            // Orphans, with their descendants.
            let stray = |(pid, stat): &&(u32, Stat)| {
                !in_family.contains(pid) && (stat.session == leader || known.contains(pid))
            };
            let roots = all.iter().filter(stray);
            next = roots.min_by_key(|(_, stat)| stat.started).map(|(pid, _)| *pid).into_iter().collect();
        }
        if next.is_empty() {
            return family.into_iter().filter_map(look_again).collect();
        }
        in_family.extend(&next);
        family.extend(next);
    }
}

/// The current usage of a process; `None` if it has been reaped.
pub(super) fn look_again(pid: u32) -> Option<Relative> {
    let Stat { parent, started, own, waited, .. } = stat(pid)?;
    Some(Relative { pid, parent, started, own, waited })
}

/// All processes of this machine that have not ended.
fn living() -> Vec<(u32, Stat)> {
    all().into_iter().filter(|(_, stat)| !matches!(stat.state, 'Z' | 'X')).collect()
}

/// All processes of this machine, including those not yet reaped.
fn all() -> Vec<(u32, Stat)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, stat(pid)?))).collect()
}

/// The resident memory of the session of `leader` and of all descendants; `None` if it cannot be read.
pub fn resident_bytes(leader: u32) -> Option<u64> {
    let living = living();
    let members = members(leader, &living);
    if members.is_empty() {
        return None;
    }
    let pages = living.iter().filter(|(pid, _)| members.contains(pid)).map(|(_, stat)| stat.resident_pages);
    Some(pages.sum::<u64>() * rustix::param::page_size() as u64)
}

/// A process and its living descendants, parents first, and their resident memory together. Cheaper than [`resident_bytes`]:
/// where the kernel lists the children of a process, only the family is read. Orphans that left it are not found.
pub(super) fn resident_below(leader: u32) -> (Vec<u32>, u64) {
    let mut found = vec![leader];
    let mut pages = 0;
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        next += 1;
        pages += stat(process).map_or(0, |stat| stat.resident_pages);
        match children(process) {
            Some(children) => found.extend(children.into_iter().filter(|child| *child != leader)),
            None => {
                let family = below(vec![leader], &living());
                let pages: u64 =
                    family.iter().filter_map(|pid| stat(*pid)).map(|stat| stat.resident_pages).sum();
                return (family, pages * rustix::param::page_size() as u64);
            }
        }
    }
    (found, pages * rustix::param::page_size() as u64)
}

/// The children of all threads of a process, none if it has ended; `None` if this kernel does not list them.
fn children(process: u32) -> Option<Vec<u32>> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Some(Vec::new()) };
    let mut children = Vec::new();
    for thread in threads.flatten() {
        match std::fs::read_to_string(thread.path().join("children")) {
            Ok(list) => children.extend(list.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && thread.path().exists() => {
                return None;
            }
            Err(_) => {}
        }
    }
    Some(children)
}

/// The bytes of files without a name that the session of `leader` and all descendants have open, each counted once. They
/// fill a disk and are in no folder.
pub fn nameless_bytes(leader: u32) -> u64 {
    let open = |pid| std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let files = members(leader, &living()).into_iter().flat_map(open);
    let files = files.filter_map(|entry| std::fs::metadata(entry.path()).ok());
    let nameless = files.filter(|file| file.is_file() && file.nlink() == 0);
    let sizes: HashMap<(u64, u64), u64> =
        nameless.map(|file| ((file.dev(), file.ino()), file.blocks() * 512)).collect();
    sizes.into_values().sum()
}

/// The session of `leader` and all descendants.
fn members(leader: u32, living: &[(u32, Stat)]) -> HashSet<u32> {
    let session = living.iter().filter(|(_, stat)| stat.session == leader).map(|(pid, _)| *pid).collect();
    below(session, living).into_iter().collect()
}

/// The typed id of a process.
pub(super) fn pid(raw: u32) -> Option<Pid> {
    i32::try_from(raw).ok().and_then(Pid::from_raw)
}

struct Stat {
    state: char,
    parent: u32,
    session: u32,
    resident_pages: u64,
    /// Ticks since boot.
    started: u64,
    /// Ticks of processor time, in user and system mode.
    own: u64,
    /// The same for the children that were waited for.
    waited: u64,
}

/// Parses `/proc/PID/stat` (proc(5)). The command name in parentheses may contain anything, so the fields are counted
/// from the last parenthesis.
fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        resident_pages: number(21)?,
        started: number(19)?,
        own: number(11)? + number(12)?,
        waited: number(13)? + number(14)?,
    })
}
