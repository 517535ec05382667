//! Interrupts: the first ends a run in order, the second at once.

use std::sync::{Arc, Mutex};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::progress::Progress;

/// Ends the run on Ctrl-C or SIGTERM, at once on the second. Provers die with the program.
pub(crate) fn cancel_on_interrupt(cancel: &CancellationToken, progress: Arc<Mutex<Progress>>) {
    // At once, and not by the task, which may begin so late that the first signal is missed.
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    let cancel = cancel.clone();
    tokio::spawn(async move {
        either(&mut interrupt, &mut terminate).await;
        cancel.cancel();
        progress
            .lock()
            .expect("progress does not panic")
            .say("interrupted: finishing up (interrupt again to leave at once)");
        either(&mut interrupt, &mut terminate).await;
        // Whoever holds the display now must not hold up the end.
        if let Ok(mut progress) = progress.try_lock() {
            progress.close();
            progress.say("interrupted again: left at once; what was finished is kept");
        }
        std::process::exit(130);
    });
}

async fn either(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
