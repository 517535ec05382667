//! Parts of a search that are written in Python: providers, critics, rankers and planners in the protocol of `docs/formats/exec.md`, in a
//! process of their own or in this one; and priorities, in this one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor::{
    Callee, Candidate, Config, Exec, ExecOptions, Goal, OwnParts, PlanRequest, PlanWriter, Priority,
    Provider, ProviderConfig, ProviderError, Ranker, Reply, Request, Selection, Suggestions, System, Theorem,
    Waiting,
};
use async_trait::async_trait;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tokio::task::block_in_place;

/// A part.
#[pyclass(frozen)]
#[derive(Clone)]
pub(crate) struct Part {
    name: String,
    /// A program's command line, or an object of Python that answers in this process.
    answering: Arc<Answering>,
    limit: Duration,
}

enum Answering {
    /// The command, and what must live as long as it: the folder of its file.
    Process(String, #[expect(dead_code, reason = "dropping it deletes the file")] Py<PyAny>),
    /// Lines are given to its `greet` and `submit`; a priority is called itself.
    Here(Py<PyAny>),
}

#[pymethods]
impl Part {
    /// A part that a command answers for, or an object in this process if there is none.
    #[new]
    fn new(name: String, timeout: f64, object: Py<PyAny>, command: Option<String>) -> PyResult<Self> {
        let limit = Duration::try_from_secs_f64(timeout);
        let limit = limit.map_err(|error| PyValueError::new_err(format!("timeout={timeout}: {error}")))?;
        let answering = match command {
            Some(command) => Answering::Process(command, object),
            None => Answering::Here(object),
        };
        Ok(Self { name, answering: Arc::new(answering), limit })
    }
}

/// Names parts in a configuration, and gives them to the library. Providers take the place of those of the configuration unless it
/// `has_providers`; critics are added to them.
pub(crate) fn own(
    config: &mut Config,
    has_providers: bool,
    parts: &[(String, Bound<'_, Part>)],
) -> PyResult<OwnParts> {
    let mut own = OwnParts::default();
    if !has_providers && parts.iter().any(|(role, _)| role == "provider") {
        config.providers.clear();
    }
    for (role, part) in parts {
        let part = part.get().clone();
        let name = format!("python:{}", part.name);
        match role.as_str() {
            "ranker" => {
                config.own_ranker = Some(name.clone());
                own.ranker = Some(Arc::new(Spoken::new(part, name, config)));
            }
            "planner" => {
                config.plan.planner = Some(name.clone());
                own.planner = Some(Arc::new(Spoken::new(part, name, config)));
            }
            "priority" => {
                let Answering::Here(function) = &*part.answering else {
                    return Err(PyValueError::new_err("a priority is a function in this process"));
                };
                config.search.policy = Selection::BestFirst;
                config.search.priority = Some(name.clone());
                let function = Python::attach(|py| function.clone_ref(py));
                own.priority = Some((name, Arc::new(Called(function))));
            }
            _ => {
                config.providers.push(ProviderConfig::Program { name: name.clone() });
                own.providers.push(Arc::new(Spoken::new(part, name, config)));
            }
        }
    }
    Ok(own)
}

/// A part that speaks the protocol, one speaker for each system.
struct Spoken {
    name: String,
    part: Part,
    options: ExecOptions,
    speakers: Mutex<BTreeMap<System, Arc<Exec>>>,
}

impl Spoken {
    fn new(part: Part, name: String, config: &Config) -> Self {
        let options = ExecOptions { limit: part.limit, n_lemmas: config.llm.lemmas as usize };
        Self { name, part, options, speakers: Mutex::default() }
    }

    fn of(&self, system: System) -> Result<Arc<Exec>, ProviderError> {
        let mut speakers = self.speakers.lock().expect("nothing panics while holding the speakers");
        if let Some(exec) = speakers.get(&system) {
            return Ok(Arc::clone(exec));
        }
        let exec = match &*self.part.answering {
            Answering::Process(command, _) => Exec::named(self.name.clone(), command, system, self.options)?,
            Answering::Here(object) => {
                let desk = Python::attach(|py| object.clone_ref(py));
                Exec::within(self.name.clone(), Arc::new(Desk(desk)), system, self.options)
            }
        };
        let exec = Arc::new(exec);
        speakers.insert(system, Arc::clone(&exec));
        Ok(exec)
    }
}

#[async_trait]
impl Provider for Spoken {
    fn id(&self) -> &str {
        &self.name
    }

    fn speaks(&self, _: System) -> bool {
        true
    }

    fn n_lemmas(&self) -> usize {
        self.options.n_lemmas
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        self.of(request.theorem.system)?.suggest(request).await
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        self.of(theorem.system)?.evaluate(theorem, obligations).await
    }
}

#[async_trait]
impl Ranker for Spoken {
    fn id(&self) -> &str {
        &self.name
    }

    async fn rank(
        &self,
        request: Request<'_>,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError> {
        self.of(request.theorem.system)?.rank(request, candidates).await
    }
}

#[async_trait]
impl PlanWriter for Spoken {
    fn id(&self) -> &str {
        &self.name
    }

    fn n_lemmas(&self) -> usize {
        self.options.n_lemmas
    }

    async fn write(&self, request: &PlanRequest<'_>) -> Result<String, ProviderError> {
        self.of(request.theorem.system)?.write(request).await
    }
}

/// An object of Python that answers lines in this process.
struct Desk(Py<PyAny>);

/// Works with the interpreter. Other tasks go on meanwhile.
fn attached<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, String> {
    block_in_place(|| Python::attach(|py| work(py).map_err(|error| error.to_string())))
}

impl Callee for Desk {
    fn greet(&self, hello: &str) -> Result<String, String> {
        attached(|py| self.0.call_method1(py, "greet", (hello,))?.extract(py))
    }

    fn submit(&self, request: String, reply: Reply) {
        let receiver = Receiver(Mutex::new(Some(reply)));
        // What cannot be submitted is not answered either, and is overdue in time.
        let _ = attached(|py| self.0.call_method1(py, "submit", (request, receiver)));
    }
}

/// Takes the answer to a request.
#[pyclass(frozen)]
pub(crate) struct Receiver(Mutex<Option<Reply>>);

#[pymethods]
impl Receiver {
    fn __call__(&self, line: String) {
        let reply = self.0.lock().expect("nothing panics while holding the reply").take();
        if let Some(reply) = reply {
            reply.send(line);
        }
    }
}

/// A function of Python that says which node comes next.
struct Called(Py<PyAny>);

impl fmt::Debug for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Called")
    }
}

impl Priority for Called {
    /// What is no number counts as the least priority, and so does a failure, which Python reports.
    fn priority(&self, node: &Waiting) -> f64 {
        let value = block_in_place(|| {
            Python::attach(|py| {
                let fields = (node.cumulative, node.depth, node.next, node.value);
                let value = self.0.call1(py, fields).and_then(|value| value.extract(py));
                value.map_err(|error: PyErr| error.write_unraisable(py, Some(self.0.bind(py))))
            })
        });
        value.unwrap_or(f64::NAN)
    }
}
