//! Learning loops.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor::{CancellationToken, Event};
use andor_iterate::search::Searching;
use andor_iterate::{Learned, Loop, learn as carry_out};
use pyo3::prelude::*;
use serde_json::json;

use crate::failure::Failure;
use crate::job::Job;

/// Carries out the loop that a file declares, in a folder. `say` is called with each line about its progress.
#[pyfunction]
#[pyo3(signature = (file, out, jobs, resume=false, say=None))]
pub(crate) fn learn(
    file: PathBuf,
    out: PathBuf,
    jobs: NonZeroUsize,
    resume: bool,
    say: Option<Py<PyAny>>,
) -> PyResult<Job> {
    let declared = Loop::read(&file).map_err(Failure::from)?;
    let cancel = CancellationToken::new();
    let sink = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let with = Searching { jobs: jobs.get(), cancel: cancel.clone(), sink };
    let mut tell = move |line: &str| {
        if let Some(say) = &say {
            // Without an interpreter nobody listens.
            Python::try_attach(|py| say.call1(py, (line,)).map_err(|error| error.write_unraisable(py, None)));
        }
    };
    Ok(Job::graceful(cancel, async move {
        let Learned { models, best } = carry_out(&declared, &out, resume, &with, &mut tell).await?;
        Ok(json!({"models": models, "best": best}).to_string())
    })?)
}
