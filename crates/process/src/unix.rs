//! The one unsafe corner: what a child does between `fork` and `exec`.
#![expect(unsafe_code, reason = "`pre_exec` is the only way to run code in the child before `exec`")]

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{
    Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit, setsid,
};

use super::spawn::ResourceLimits;

/// Moves the child to its own session, has it killed when the spawning thread ends, limits its resources, and closes
/// all files but the three standard ones and the one that is given.
///
/// The death signal is sent when the *thread* that started the child ends, so children must be started from a thread
/// that lives as long as the program (see `spawn.rs`).
pub(super) fn prepare(command: &mut Command, limits: ResourceLimits, given: Option<OwnedFd>) {
    let parent = std::process::id();
    let files = open_files();
    let in_child = move || -> io::Result<()> {
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the call above; then nobody would send the signal.
        if getppid().map(|p| p.as_raw_nonzero().get().unsigned_abs()) != Some(parent) {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        for &file in &files {
            // SAFETY: the number is used for this call only. If the file was closed in the meantime, the call fails
            // without harm.
            let _ = fcntl_setfd(unsafe { BorrowedFd::borrow_raw(file) }, FdFlags::CLOEXEC);
        }
        if let Some(given) = &given {
            fcntl_setfd(given, FdFlags::empty())?;
        }
        limit(Resource::Core, 0, 0)?;
        if let Some(bytes) = limits.address_space {
            limit(Resource::As, bytes, bytes)?;
        }
        if let Some(bytes) = limits.file_size {
            limit(Resource::Fsize, bytes, bytes)?;
        }
        if let Some(seconds) = limits.cpu_seconds() {
            // First SIGXCPU, which says why; a second later SIGKILL, if that was ignored.
            limit(Resource::Cpu, seconds, seconds + 1)?;
        }
        Ok(())
    };
    // SAFETY: the closure runs between fork and exec, where only async-signal-safe calls are allowed. It
    // makes plain system calls through rustix, which neither allocate nor take locks; the error values it
    // builds hold no heap data.
    unsafe {
        command.pre_exec(in_child);
    }
}

/// Lowers a limit of this process, unless it is already stricter.
fn limit(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let ours = getrlimit(resource);
    let stricter = |value: u64, ours: Option<u64>| Some(ours.map_or(value, |ours| value.min(ours)));
    let limit = Rlimit { current: stricter(soft, ours.current), maximum: stricter(hard, ours.maximum) };
    Ok(setrlimit(resource, limit)?)
}

/// The open files of this process beyond the three standard ones. Files that we opened are closed when a child
/// starts; files inherited from our own parent are not, and an open folder would be a way out of the sandbox.
fn open_files() -> Vec<RawFd> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|&number: &RawFd| number > 2).collect()
}
