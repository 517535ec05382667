//! Runs, and the judgement of files.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor::judge::{self, Judgement};
use andor::{
    AttemptResult, CancellationToken, Event, Keep, RunFolder, RunRequest, Sink, read_run as read_folder,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tokio::sync::Mutex as AsyncMutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::dataset::{Dataset, named};
use crate::failure::Failure;
use crate::job::Job;
use crate::options::Settings;
use crate::parts::{self, Part};
use crate::remote::Remote;

/// A run in progress.
#[pyclass(frozen)]
pub(crate) struct Run {
    /// Ends with all results, in order, those of earlier runs in the same folder included.
    #[pyo3(get)]
    job: Py<Job>,
    arriving: Arc<AsyncMutex<UnboundedReceiver<String>>>,
}

#[pymethods]
impl Run {
    /// A job that ends with the next result that arrives, or `None` if no further will.
    fn next(&self) -> PyResult<Job> {
        let arriving = Arc::clone(&self.arriving);
        Ok(Job::new(async move { Ok(arriving.lock().await.recv().await) })?)
    }
}

/// Passes results on as they are stored.
struct Passing(UnboundedSender<String>);

impl Sink for Passing {
    fn event(&mut self, _attempt: &str, event: &Event) {
        if let Event::AttemptFinished(result) = event {
            // Nobody may listen any more.
            let _ = self.0.send(record(result));
        }
    }
}

/// A result as its line in `results.jsonl`.
fn record(result: &AttemptResult) -> String {
    serde_json::to_string(result).expect("a result is JSON")
}

fn start(py: Python<'_>, request: RunRequest) -> PyResult<Run> {
    let (arrived, arriving) = unbounded_channel();
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    let job = Job::graceful(cancel, async move {
        let sink: Arc<Mutex<dyn Sink>> = Arc::new(Mutex::new(Passing(arrived)));
        let results = andor::run(&request, &token, sink).await?;
        Ok(results.iter().map(record).collect::<Vec<_>>())
    })?;
    Ok(Run { job: Py::new(py, job)?, arriving: Arc::new(AsyncMutex::new(arriving)) })
}

fn keep(name: &str) -> PyResult<Keep> {
    let found = Keep::ALL.iter().find(|keep| keep.name() == name).copied();
    let names: Vec<&str> = Keep::ALL.iter().map(|keep| keep.name()).collect();
    found.ok_or_else(|| PyValueError::new_err(format!("keep={name:?}: choose one of {}", names.join(", "))))
}

/// Begins a run.
#[pyfunction]
#[pyo3(signature = (dataset, settings, out=None, pass_k=1, jobs=1, keep="all", resume=false, force=false, remote=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
pub(crate) fn run(
    py: Python<'_>,
    dataset: &Dataset,
    settings: &Settings,
    out: Option<PathBuf>,
    pass_k: u32,
    jobs: usize,
    keep: &str,
    resume: bool,
    force: bool,
    remote: Option<&Remote>,
) -> PyResult<Run> {
    let mut config = settings.config.clone();
    let mut problems = dataset.problems.clone();
    if let Some(source) = &dataset.source
        && let Some(system) = andor::project::system_of(source, &problems)
    {
        let applied = andor::project::apply(&mut config, source, system).map_err(Failure::from)?;
        problems.iter_mut().for_each(|problem| problem.theorem.header.insert_str(0, &applied.prelude));
    }
    let request = RunRequest {
        out,
        pass_k,
        jobs,
        keep: self::keep(keep)?,
        resume,
        force,
        own: settings.own.clone(),
        remote: remote.map(|remote| Arc::clone(&remote.0)),
        ..RunRequest::new(problems, config)
    };
    start(py, request)
}

/// Continues the run in a folder: what it is of, and how it is made, is as it was. Parts written in Python are given again.
#[pyfunction]
#[pyo3(signature = (folder, jobs=1, keep="all", parts=Vec::new(), remote=None))]
pub(crate) fn resume(
    py: Python<'_>,
    folder: PathBuf,
    jobs: usize,
    keep: &str,
    parts: Vec<(String, Bound<'_, Part>)>,
    remote: Option<&Remote>,
) -> PyResult<Run> {
    let RunFolder { path, record, config, problems, .. } =
        py.detach(|| read_folder(&folder)).map_err(Failure::from)?;
    // The configuration names them already.
    let own = parts::own(&mut config.clone(), true, &parts)?;
    let request = RunRequest {
        out: Some(path),
        pass_k: record.pass_k,
        jobs,
        keep: self::keep(keep)?,
        resume: true,
        own,
        remote: remote.map(|remote| Arc::clone(&remote.0)),
        ..RunRequest::new(problems, config)
    };
    start(py, request)
}

/// The results of the run in a folder, finished or not, in order.
#[pyfunction]
pub(crate) fn read_run(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<String>> {
    let read = py.detach(|| read_folder(&folder).map(|run| run.results.iter().map(record).collect()));
    Ok(read.map_err(Failure::from)?)
}

/// The tree of a search, as `graph.json` has it. Without a theorem, the run must be of a single one.
#[pyfunction]
#[pyo3(signature = (folder, theorem=None, attempt=1))]
pub(crate) fn read_tree(
    py: Python<'_>,
    folder: PathBuf,
    theorem: Option<&str>,
    attempt: u32,
) -> PyResult<String> {
    let read = py.detach(|| {
        let run = read_folder(&folder)?;
        let theorem = match (theorem, &run.problems[..]) {
            (Some(theorem), _) => theorem,
            (None, [problem]) => &problem.theorem.id,
            (None, problems) => {
                let what = format!("the run is of {} theorems: say which", problems.len());
                return Err(Failure::new("RunError", "Theorem", &what));
            }
        };
        let file = run.attempt(theorem, attempt).join("graph.json");
        std::fs::read_to_string(&file).map_err(|error| Failure::file(&format!("{}: {error}", file.display())))
    });
    Ok(read?)
}

/// Verifies a finished file.
#[pyfunction]
#[pyo3(signature = (file, settings, theorems=Vec::new(), statement_from=None, system=None))]
pub(crate) fn check(
    file: PathBuf,
    settings: &Settings,
    theorems: Vec<String>,
    statement_from: Option<PathBuf>,
    system: Option<&str>,
) -> PyResult<Job> {
    let (mut config, system) = (settings.config.clone(), named(system)?);
    Ok(Job::new(async move {
        let stating = statement_from.as_deref().unwrap_or(&file);
        let (system, applied) = andor::project::apply_to_judge(&mut config, stating, system)?;
        let request = judge::Request {
            file: &file,
            system,
            theorems: &theorems,
            statement_from: statement_from.as_deref().map(|path| judge::Stated { path, row: None }),
            prelude: &applied.prelude,
        };
        let judged: Judgement = judge::file(request, &config).await?;
        Ok(serde_json::json!(judged.record(&config, statement_from.as_deref())).to_string())
    })?)
}
