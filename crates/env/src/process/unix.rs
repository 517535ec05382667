//! The one unsafe corner: what a child does between `fork` and `exec`.
#![expect(unsafe_code, reason = "`pre_exec` is the only way to run code in the child before `exec`")]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{
    Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit, setsid,
};

/// Puts the child into its own session, has it killed when the spawning thread ends, and bounds its address
/// space.
///
/// The death signal is sent when the *thread* that spawned the child ends, so children must be spawned from
/// a thread that lives as long as the program (see `spawn.rs`).
pub(super) fn prepare(command: &mut Command, address_space: Option<u64>) {
    let parent = std::process::id();
    let in_child = move || -> io::Result<()> {
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the call above; then nobody would send the signal.
        if getppid().map(|p| p.as_raw_nonzero().get().unsigned_abs()) != Some(parent) {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        if let Some(bytes) = address_space {
            setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
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
