//! Theorems.

use std::path::PathBuf;

use andor::{Problem, System};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use serde_json::json;

use crate::failure::Failure;

/// Theorems, in order.
#[pyclass(frozen)]
pub(crate) struct Dataset {
    pub(crate) problems: Vec<Problem>,
    /// The file or folder that they were read from.
    pub(crate) source: Option<PathBuf>,
    notes: Vec<String>,
    refused: Vec<String>,
}

/// A theorem given by its statement.
#[pyfunction]
#[pyo3(signature = (text, system=None, imports=Vec::new()))]
pub(crate) fn statement(text: &str, system: Option<&str>, imports: Vec<String>) -> PyResult<Dataset> {
    let system = match named(system)? {
        Some(system) => system,
        None => andor::system_of(text).map_err(Failure::from)?,
    };
    let problem = andor::problem(system, text, &imports).map_err(Failure::from)?;
    Ok(Dataset { problems: vec![problem], source: None, notes: Vec::new(), refused: Vec::new() })
}

/// The theorems of a file or folder.
#[pyfunction]
#[pyo3(signature = (path, system=None, project=None))]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    system: Option<&str>,
    project: Option<PathBuf>,
) -> PyResult<Dataset> {
    let system = named(system)?;
    let read = || andor::read_dataset(&path, system, project.as_deref());
    let read = py.detach(read).map_err(Failure::from)?;
    let refused = read.refused.iter().map(ToString::to_string).collect();
    Ok(Dataset { problems: read.problems, source: Some(path), notes: read.notes, refused })
}

/// A system by its name.
pub(crate) fn named(name: Option<&str>) -> PyResult<Option<System>> {
    let system =
        name.map(|name| name.parse::<System>().map_err(|error| PyValueError::new_err(error.to_string())));
    system.transpose()
}

#[pymethods]
impl Dataset {
    fn __len__(&self) -> usize {
        self.problems.len()
    }

    /// A theorem as JSON.
    fn at(&self, index: usize) -> PyResult<String> {
        let Some(problem) = self.problems.get(index) else {
            return Err(PyIndexError::new_err("there is no theorem at this place"));
        };
        let theorem = &problem.theorem;
        let record = json!({
            "id": theorem.id,
            "name": theorem.name,
            "system": theorem.system.name(),
            "header": theorem.header,
            "statement": theorem.statement,
            "fields": problem.fields,
        });
        Ok(record.to_string())
    }

    /// The theorems at these places.
    fn only(&self, places: Vec<usize>) -> PyResult<Self> {
        let at = |place: usize| self.problems.get(place).cloned();
        let problems: Option<Vec<Problem>> = places.into_iter().map(at).collect();
        let problems = problems.ok_or_else(|| PyIndexError::new_err("there is no theorem at this place"))?;
        Ok(Self { problems, source: self.source.clone(), notes: Vec::new(), refused: Vec::new() })
    }

    /// What is to be known of how they were read.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Rows that state no usable theorem.
    #[getter]
    fn refused(&self) -> Vec<String> {
        self.refused.clone()
    }
}
