//! The threads that do the work. They start with the first job.

use std::process;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::failure::Failure;

/// How long the end of Python waits for what is still running.
const LAST: Duration = Duration::from_secs(2);

static RUNTIME: Mutex<Option<Started>> = Mutex::new(None);

struct Started {
    runtime: Runtime,
    /// The process that it belongs to. A fork has none of its threads.
    process: u32,
}

fn lock() -> MutexGuard<'static, Option<Started>> {
    RUNTIME.lock().expect("nothing panics while holding the runtime")
}

/// The runtime of this process.
///
/// # Errors
///
/// The process is a fork of one that has a runtime, or has no threads left.
pub(crate) fn handle() -> Result<Handle, Failure> {
    let mut started = lock();
    if let Some(Started { runtime, process }) = &*started {
        return match *process == process::id() {
            true => Ok(runtime.handle().clone()),
            false => Err(Failure::new(
                "AndorError",
                "Forked",
                "andor was used before this process was forked, and its threads are not in the fork; start processes with \
                 multiprocessing.get_context(\"spawn\")",
            )),
        };
    }
    let runtime = Builder::new_multi_thread().enable_all().thread_name("andor").build();
    let runtime = runtime.map_err(|error| Failure::new("AndorError", "Threads", &error.to_string()))?;
    // A killed program cannot remove its own temporary folders, so the next one does.
    andor::sweep();
    let handle = runtime.handle().clone();
    *started = Some(Started { runtime, process: process::id() });
    Ok(handle)
}

/// Ends what is still running, with its processes. For the end of Python.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) {
    let Some(Started { runtime, process }) = lock().take() else { return };
    if process != process::id() {
        std::mem::forget(runtime);
        return;
    }
    py.detach(|| runtime.shutdown_timeout(LAST));
}
