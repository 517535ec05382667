//! Attempts that are made elsewhere. A *driver*, a program or an object in this process, takes jobs, has them done, on other
//! machines for example, and brings the results and files back. The run's folder stays with this process.
//!
//! Both write lines of JSON:
//!
//! ```text
//! to the driver   {"begin": {"config": …, "systems": ["mini"], "keep": "all", "folder": "…"}}
//!                 {"job": 7, "header": "…", "attempt": {…}, "folder": "…/RUN/theorems/…", "shared": {…}}
//!                 {"cancel": 7}
//!                 {"end": true}
//! from it         {"ready": 4}                     it takes 4 jobs at a time
//!                 {"worker": {"name": "…", "found": {"mini": "…"}}}
//!                 {"done": 7, "result": {…}, "shared": […]}   its files are in the folder
//!                 {"done": 7, "lost": "…"}         it was given up after several tries
//!                 {"done": 7}                      it was cancelled
//!                 {"note": "…"}                    something to be told
//!                 {"failed": "…"}                  nothing more will be done
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use andor_artifact::progress::ProgressLine;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::Config;
use andor_core::policy::StopReason;
use andor_core::theorem::{System, UnknownSystem};
use andor_engine::attempt::{empty_result, note_stop};
use andor_engine::progress::Progress;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::job::Job;
use crate::orchestrate::{Keep, RunError};

/// What workers are told of a run before their first job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    /// The configuration. Jobs differ from it in seeds and policy only.
    pub config: Config,
    /// The systems of the theorems, by name.
    systems: Vec<String>,
    /// Which attempts keep their files.
    keep: String,
    /// The folder that relative paths of the configuration refer to.
    folder: PathBuf,
}

impl Beginning {
    /// What is told of a run.
    pub(crate) fn new(config: &Config, systems: impl Iterator<Item = System>, keep: Keep) -> Self {
        let mut systems: Vec<String> = systems.map(|system| system.name().to_owned()).collect();
        systems.sort_unstable();
        systems.dedup();
        let folder = std::env::current_dir().unwrap_or_default();
        Self { config: config.clone(), systems, keep: keep.name().to_owned(), folder }
    }

    /// The systems of the theorems.
    ///
    /// # Errors
    ///
    /// One is not known here.
    pub fn systems(&self) -> Result<Vec<System>, UnknownSystem> {
        self.systems.iter().map(|system| system.parse()).collect()
    }

    /// Which attempts keep their files.
    pub fn keep(&self) -> Keep {
        let keep = Keep::ALL.iter().find(|keep| keep.name() == self.keep);
        keep.copied().unwrap_or(Keep::All)
    }
}

/// A line from the driver.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Ready {
        ready: usize,
    },
    Worker {
        worker: Worker,
    },
    Done {
        done: u64,
        result: Option<Box<AttemptResult>>,
        #[serde(default)]
        shared: Vec<ProgressLine>,
        lost: Option<String>,
    },
    Note {
        note: String,
    },
    Failed {
        failed: String,
    },
}

/// A process that makes attempts.
#[derive(Deserialize)]
struct Worker {
    name: String,
    /// What it found of each proof assistant.
    found: BTreeMap<String, String>,
}

/// What came of a job.
enum Answer {
    Result(Box<AttemptResult>, Vec<ProgressLine>),
    Lost(String),
    Cancelled,
}

/// Writes a line to the driver.
type Say = Box<dyn Fn(&str) + Send + Sync>;

/// The side of the run. Its lines come by [`Remote::receive`].
pub struct Remote {
    say: Say,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    begun: Option<oneshot::Sender<Result<usize, String>>>,
    waiting: HashMap<u64, oneshot::Sender<Result<Answer, String>>>,
    /// Jobs so far; they are numbered from 1.
    jobs: u64,
    failed: Option<String>,
    /// What was found of the proof assistants here.
    found: BTreeMap<String, String>,
    /// Differences that were told.
    told: HashSet<(String, String)>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remote")
    }
}

impl Remote {
    /// One that writes to its driver by a function.
    pub fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { say: Box::new(say), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while holding the jobs")
    }

    /// Takes a line of the driver.
    pub fn receive(&self, line: &str) {
        match serde_json::from_str(line) {
            Ok(Said::Ready { ready }) => {
                let begun = self.state().begun.take();
                if let Some(begun) = begun {
                    let _ = begun.send(Ok(ready));
                }
            }
            Ok(Said::Worker { worker }) => self.compare(&worker),
            Ok(Said::Done { done, result, shared, lost }) => {
                let answer = match (result, lost) {
                    (Some(result), _) => Answer::Result(result, shared),
                    (None, Some(why)) => Answer::Lost(why),
                    (None, None) => Answer::Cancelled,
                };
                let waiting = self.state().waiting.remove(&done);
                if let Some(waiting) = waiting {
                    let _ = waiting.send(Ok(answer));
                }
            }
            Ok(Said::Note { note }) => tracing::warn!("{note}"),
            Ok(Said::Failed { failed }) => self.fail(failed),
            Err(error) => self.fail(format!("what the driver writes cannot be read: {error}: {line:.200}")),
        }
    }

    /// Takes note that nothing more will be done.
    pub fn fail(&self, why: String) {
        let mut state = self.state();
        let why = state.failed.get_or_insert(why).clone();
        if let Some(begun) = state.begun.take() {
            let _ = begun.send(Err(why.clone()));
        }
        for (_, waiting) in state.waiting.drain() {
            let _ = waiting.send(Err(why.clone()));
        }
    }

    /// Warns once of each way in which workers differ from this process.
    fn compare(&self, worker: &Worker) {
        let mut state = self.state();
        for (what, found) in &worker.found {
            let here = state.found.get(what).cloned().unwrap_or_else(|| "none".to_owned());
            if here != *found && state.told.insert((what.clone(), found.clone())) {
                tracing::warn!("{what}: {here} here, and {found} at {}; results may differ", worker.name);
            }
        }
    }

    /// Begins a run, and returns the number of jobs that are taken at a time. `found` is what was found here of the proof
    /// assistants.
    pub(crate) async fn begin(
        &self,
        beginning: &Beginning,
        found: BTreeMap<String, String>,
        cancel: &CancellationToken,
    ) -> Result<usize, RunError> {
        let (tell, begun) = oneshot::channel();
        {
            let mut state = self.state();
            if let Some(failed) = &state.failed {
                return Err(RunError::Remote(failed.clone()));
            }
            (state.begun, state.found) = (Some(tell), found);
        }
        self.say(&json!({ "begin": beginning }));
        tokio::select! {
            begun = begun => {
                let slots = begun.expect("it is answered before it is dropped").map_err(RunError::Remote)?;
                Ok(slots.max(1))
            }
            // Nothing will be begun.
            () = cancel.cancelled() => Ok(1),
        }
    }

    fn say(&self, line: &serde_json::Value) {
        (self.say)(&line.to_string());
    }

    /// Has an attempt made. Files are in the folder when this returns, if there is one.
    ///
    /// # Errors
    ///
    /// Nothing more will be done.
    pub(crate) async fn make(
        &self,
        job: &Job,
        directory: Option<&Path>,
        shared: Option<&Progress>,
        cancel: &CancellationToken,
    ) -> Result<AttemptResult, RunError> {
        let (tell, mut answer) = oneshot::channel();
        let id = {
            let mut state = self.state();
            if let Some(failed) = &state.failed {
                return Err(RunError::Remote(failed.clone()));
            }
            state.jobs += 1;
            let id = state.jobs;
            state.waiting.insert(id, tell);
            id
        };
        let header = blake3::hash(job.theorem.header.as_bytes()).to_hex();
        let header = format!("{} {}", job.theorem.system.name(), &header[..16]);
        let luggage = shared.map(|shared| shared.packed(&job.theorem.digest()));
        self.say(&json!({
            "job": id, "header": header, "attempt": job, "folder": directory, "shared": luggage,
        }));
        let answer = tokio::select! {
            answer = &mut answer => answer,
            () = cancel.cancelled() => {
                self.say(&json!({ "cancel": id }));
                answer.await
            }
        };
        match answer.expect("it is answered before it is dropped").map_err(RunError::Remote)? {
            Answer::Result(result, news) if job.is_of(&result) => {
                if let Some(shared) = shared {
                    shared.take(news)?;
                }
                Ok(*result)
            }
            Answer::Result(result, _) => {
                let AttemptResult { theorem, attempt, .. } = *result;
                let why = format!("a worker answered with another attempt (`{theorem}`, {attempt})");
                Err(RunError::Remote(format!("{why}; is the same version installed everywhere?")))
            }
            Answer::Lost(why) => {
                let mut result = ended(job, StopReason::Infrastructure, Outcome::InfrastructureError);
                result.infrastructure_error = Some(why);
                Ok(result)
            }
            Answer::Cancelled => Ok(ended(job, StopReason::Interrupted, Outcome::Interrupted)),
        }
    }
}

/// The result of an attempt that came to nothing.
fn ended(job: &Job, stop: StopReason, outcome: Outcome) -> AttemptResult {
    let mut result = empty_result(&job.request(None));
    note_stop(&mut result, stop);
    AttemptResult { outcome, modules_digest: job.modules_digest.clone(), ..result }
}

/// Tells the driver of the end of the run when dropped, however it ends.
pub(crate) struct Ending(pub(crate) Arc<Remote>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.say(&json!({ "end": true }));
    }
}
