//! What a program does around its command.

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::anyhow;

use crate::exit::{self, Exit};
use crate::logging::{self, LogFormat};
use crate::options::Verbosity;
use crate::progress::{self, Progress};

/// Runs a command with its progress display and its log.
pub fn run<F>(asked: Verbosity, command: impl FnOnce(Arc<Mutex<Progress>>) -> F) -> ExitCode
where
    F: Future<Output = anyhow::Result<Exit>>,
{
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::fail(&anyhow!("cannot start the runtime: {error}")),
    };
    let (progress, log) = progress::terminal(asked);
    if let Err(error) = logging::start(asked, log) {
        return exit::fail(&error);
    }
    // A killed run cannot remove its own temporary folders, so the next one does.
    andor_process::scratch::sweep();
    let result = runtime.block_on(async {
        progress::keep_up_to_date(&progress);
        command(progress).await
    });
    // Workers that are still shutting down are not waited for.
    runtime.shutdown_background();
    match result {
        Ok(exit) => exit.into(),
        Err(error)
            if asked.log_format == LogFormat::Json && error.downcast_ref::<clap::Error>().is_none() =>
        {
            tracing::error!("{}", exit::with_causes(&error));
            Exit::Unusable.into()
        }
        Err(error) => exit::fail(&error),
    }
}
