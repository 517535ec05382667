//! The user's program that serves a model while a search uses it: a server of language models, for example.

use std::time::Duration;

use andor_process::{ChildProcess, Spawned};
use tokio::process::{ChildStdin, ChildStdout};

use crate::error::LoopError;
use crate::trainer::program;

/// A server at work. Dropping it kills it.
pub(crate) struct Server {
    command: String,
    child: ChildProcess,
    stdout: ChildStdout,
    /// Programs that read their standard input end with andor.
    _stdin: ChildStdin,
}

/// How long a server may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(10);

impl Server {
    /// Starts a server. Whoever asks it waits until it is ready.
    pub(crate) fn start(command: &str) -> Result<Self, LoopError> {
        let Spawned { child, stdin, stdout } = ChildProcess::spawn(&program(command, &[])?)?;
        Ok(Self { command: command.to_owned(), child, stdout, _stdin: stdin })
    }

    /// Why there is no server any more.
    pub(crate) async fn failed(self) -> LoopError {
        let exit = self.child.kill_now().await;
        LoopError::ServerEnded { command: self.command, status: exit.status, stderr: exit.stderr }
    }

    /// Ends the server.
    pub(crate) async fn stop(self) {
        self.child.stop(GRACE).await;
    }
}

/// Comes when the server closes its standard output, which is read so that it does not fill up; never without a server.
pub(crate) async fn ended(server: &mut Option<Server>) {
    match server {
        Some(server) => {
            let _ = tokio::io::copy(&mut server.stdout, &mut tokio::io::sink()).await;
        }
        None => std::future::pending().await,
    }
}
