//! The driver of runs on Ray: a child that runs the Python package. It takes jobs and brings results; the run is here.

use std::sync::Arc;
use std::time::Duration;

use andor_process::{ChildProcess, ChildSpec, ResourceLimits, Spawned};
use andor_run::remote::Remote;
use anyhow::Context;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long the driver may take to end what it started.
const LAST: Duration = Duration::from_secs(20);

/// A running driver. Dropping it kills it.
pub(crate) struct Driver {
    /// What a run hands its jobs to.
    pub(crate) remote: Arc<Remote>,
    ended: JoinHandle<()>,
}

impl Driver {
    /// Starts a driver with its settings.
    pub(crate) fn start(settings: &Value) -> anyhow::Result<Self> {
        let spec = ChildSpec {
            program: "python3".to_owned(),
            args: ["-m", "andor.ray", &settings.to_string()].map(str::to_owned).to_vec(),
            // Ray and virtual environments are set up by variables.
            env: std::env::vars().collect(),
            directory: std::env::current_dir().context("the working directory")?,
            limits: ResourceLimits::default(),
        };
        let Spawned { child, mut stdin, stdout } =
            ChildProcess::spawn(&spec).context("--on ray needs Python")?;
        let (send, mut lines) = mpsc::unbounded_channel::<String>();
        let remote = Arc::new(Remote::new(move |line| {
            // Whether the driver lives is seen where it is read.
            let _ = send.send(format!("{line}\n"));
        }));
        let told = Arc::clone(&remote);
        let ended = tokio::spawn(async move {
            let writing = tokio::spawn(async move {
                while let Some(line) = lines.recv().await {
                    if stdin.write_all(line.as_bytes()).await.is_err() {
                        break;
                    }
                }
            });
            let mut said = BufReader::new(stdout).lines();
            let mut has_spoken = false;
            while let Ok(Some(line)) = said.next_line().await {
                has_spoken = true;
                told.receive(&line);
            }
            writing.abort();
            let exit = child.stop(LAST).await;
            let how = format!("Ray's driver ended ({}): {}", exit.status, exit.stderr.trim());
            told.fail(match has_spoken {
                true => how,
                false => format!(
                    "{how}\n`python3 -m andor.ray` must work: install the Python packages andor and ray, and have their \
                     environment's python3 first on PATH (docs/guide/ray.md)"
                ),
            });
        });
        Ok(Self { remote, ended })
    }

    /// Waits until the driver has ended what it started.
    pub(crate) async fn finish(mut self) {
        let _ = timeout(LAST, &mut self.ended).await;
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.ended.abort();
    }
}
