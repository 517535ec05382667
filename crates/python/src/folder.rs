//! Folders for temporary files.

use std::sync::Mutex;

use andor::Scratch;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// A folder that is deleted with its contents when it is closed. That of a process that was killed is deleted by the next
/// one that makes such a folder.
#[pyclass(frozen)]
pub(crate) struct Folder {
    path: String,
    scratch: Mutex<Option<Scratch>>,
}

#[pymethods]
impl Folder {
    #[new]
    fn new() -> PyResult<Self> {
        let scratch = Scratch::new().map_err(|error| PyOSError::new_err(error.to_string()))?;
        let path = scratch.path().to_string_lossy().into_owned();
        Ok(Self { path, scratch: Mutex::new(Some(scratch)) })
    }

    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    fn close(&self) {
        self.scratch.lock().expect("nobody panics holding it").take();
    }
}
