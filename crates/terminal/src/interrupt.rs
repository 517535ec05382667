//! Interrupts: the first stops a run cleanly, the second exits immediately.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::progress::Progress;

/// Signals that come closer than this to the first are the same interrupt: `timeout` and terminals send several.
const SAME: Duration = Duration::from_secs(1);

/// Listens for interrupts as long as it lives.
#[must_use]
pub struct Listening(Option<JoinHandle<()>>);

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// Stops the run on the first Ctrl-C or SIGTERM, and exits on the second. Provers die with the program.
pub fn cancel_on_interrupt(cancel: &CancellationToken, progress: Arc<Mutex<Progress>>) -> Listening {
    // Registered here rather than in the task, which may start too late to see the first signal.
    let Ok(mut signals) = Signals::new() else { return Listening(None) };
    let cancel = cancel.clone();
    Listening(Some(tokio::spawn(async move {
        signals.next().await;
        cancel.cancel();
        progress
            .lock()
            .expect("progress does not panic")
            .say("interrupted: finishing up (interrupt again to exit at once)");
        let first = Instant::now();
        loop {
            signals.next().await;
            if first.elapsed() > SAME {
                break;
            }
        }
        // The exit must not wait for whoever holds the display.
        if let Ok(mut progress) = progress.try_lock() {
            progress.close();
            progress.say("interrupted again: exited at once");
        }
        std::process::exit(130);
    })))
}

/// Ctrl-C and SIGTERM.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Signals from now on.
    pub fn new() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Completes at the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
