//! Finding a child's family in `/proc`.

use rustix::process::Pid;

/// The living processes of the session that `leader` leads: the child, and everything it started that did
/// not open a session of its own. Zombies do not count.
pub fn family(leader: u32) -> Vec<u32> {
    living().into_iter().filter(|(_, stat)| stat.session == leader).map(|(pid, _)| pid).collect()
}

/// The living processes that descend from `ancestor`, in whatever session. Those whose parent ended are not found.
pub(super) fn descendants(ancestor: u32) -> Vec<u32> {
    let living = living();
    let mut found = vec![ancestor];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(living.iter().filter(|(_, stat)| stat.parent == parent).map(|(pid, _)| pid));
        next += 1;
    }
    found.split_off(1)
}

/// The processes of this machine that have not ended.
fn living() -> Vec<(u32, Stat)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, stat(pid)?)))
        .filter(|(_, stat)| !matches!(stat.state, 'Z' | 'X'))
        .collect()
}

/// The resident memory of the session that `leader` leads; `None` when it cannot be read.
pub fn resident_bytes(leader: u32) -> Option<u64> {
    let members = family(leader);
    if members.is_empty() {
        return None;
    }
    let page = rustix::param::page_size() as u64;
    Some(members.into_iter().filter_map(stat).map(|s| s.resident_pages * page).sum())
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
}

/// Reads `/proc/PID/stat` (proc(5)). The command name, in parentheses, may hold anything, so the fields are
/// counted from its last parenthesis.
fn stat(pid: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        resident_pages: fields.get(21)?.parse().ok()?,
    })
}
