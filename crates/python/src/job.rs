//! Work in the background. Python waits for it with Ctrl-C at work, or is called back when it ends.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use andor::CancellationToken;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use tokio::task::AbortHandle;

use crate::failure::Failure;
use crate::runtime;

/// How often a waiting thread looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// What a job came to, to be made a Python object by whoever asks.
type Answer = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// Work in the background.
#[pyclass(frozen)]
pub(crate) struct Job {
    shared: Arc<Shared>,
    cancel: CancellationToken,
    abort: AbortHandle,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    is_over: bool,
    /// Absent if the work broke off, or was taken.
    answer: Option<Answer>,
    callbacks: Vec<Py<PyAny>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while holding the state")
    }

    /// Waits for the end, up to a limit. Says whether it has come.
    fn wait(&self, limit: Duration) -> bool {
        let state = self.lock();
        let waited = self.ended.wait_timeout_while(state, limit, |state| !state.is_over);
        waited.expect("nothing panics while holding the state").0.is_over
    }
}

/// Tells of the end when dropped: after the work, or when it is broken off.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        let callbacks = {
            let mut state = self.0.lock();
            state.is_over = true;
            std::mem::take(&mut state.callbacks)
        };
        self.0.ended.notify_all();
        if !callbacks.is_empty() {
            // Without an interpreter nobody waits.
            Python::try_attach(|py| callbacks.iter().for_each(|callback| call(py, callback)));
        }
    }
}

/// Calls back. An event loop that has been closed in the meantime does not want to be told.
fn call(py: Python<'_>, callback: &Py<PyAny>) {
    if let Err(error) = callback.call0(py)
        && !error.is_instance_of::<PyRuntimeError>(py)
    {
        error.write_unraisable(py, None);
    }
}

impl Job {
    /// Begins work that ends early, with an answer, when the token is cancelled.
    pub(crate) fn graceful<T>(
        cancel: CancellationToken,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<Self, Failure>
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        let shared = Arc::new(Shared::default());
        let end = End(Arc::clone(&shared));
        let task = async move {
            let ended = work.await;
            end.0.lock().answer = Some(Box::new(|py| match ended {
                Ok(value) => value.into_py_any(py),
                Err(failure) => Err(failure.into()),
            }));
            drop(end);
        };
        let abort = runtime::handle()?.spawn(task).abort_handle();
        Ok(Self { shared, cancel, abort })
    }

    /// Begins work that is dropped when it is cancelled.
    pub(crate) fn new<T>(
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<Self, Failure>
    where
        T: for<'py> IntoPyObject<'py> + Send + 'static,
    {
        let cancel = CancellationToken::new();
        let token = cancel.clone();
        Self::graceful(cancel, async move {
            tokio::select! {
                ended = work => ended,
                () = token.cancelled() => Err(Failure::new("Interrupted", "Interrupted", "it was cancelled")),
            }
        })
    }
}

#[pymethods]
impl Job {
    /// Waits for the end, and returns the answer. The first Ctrl-C ends the work in good order, the second at once; both raise.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut interrupted = None;
        while !py.detach(|| self.shared.wait(LOOK)) {
            if let Err(error) = py.check_signals() {
                self.cancel.cancel();
                if interrupted.replace(error).is_some() {
                    self.abort.abort();
                }
            }
        }
        if let Some(error) = interrupted {
            return Err(error);
        }
        let answer = self.shared.lock().answer.take();
        match answer {
            Some(answer) => answer(py),
            None => Err(Failure::new("Interrupted", "Interrupted", "it was broken off").into()),
        }
    }

    /// Calls back when the work has ended, from another thread or at once.
    fn on_end(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        if !callback.bind(py).is_callable() {
            return Err(PyTypeError::new_err("a function is needed"));
        }
        {
            let mut state = self.shared.lock();
            if !state.is_over {
                state.callbacks.push(callback);
                return Ok(());
            }
        }
        call(py, &callback);
        Ok(())
    }

    /// Ends the work early.
    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether the work has ended.
    fn is_over(&self) -> bool {
        self.shared.lock().is_over
    }
}
