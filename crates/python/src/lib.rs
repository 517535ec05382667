//! The extension module `andor._andor` of the Python package `andor`: the library for Python.
//!
//! What takes time returns a `Job`, which Python waits for or awaits. Records cross as JSON, so that Python sees what files
//! hold. The package itself (`python/andor`) is what users see.

mod dataset;
mod failure;
mod folder;
mod job;
mod loops;
mod options;
mod parts;
mod remote;
mod runs;
mod runtime;
mod session;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _andor {
    #[pymodule_export]
    use crate::dataset::{Dataset, read, statement};
    #[pymodule_export]
    use crate::folder::Folder;
    #[pymodule_export]
    use crate::job::Job;
    #[pymodule_export]
    use crate::loops::learn;
    #[pymodule_export]
    use crate::options::{Settings, options};
    #[pymodule_export]
    use crate::parts::{Part, Receiver};
    #[pymodule_export]
    use crate::remote::{Remote, Worker};
    #[pymodule_export]
    use crate::runs::{Run, check, read_run, read_tree, resume, run};
    #[pymodule_export]
    use crate::runtime::shut_down;
    #[pymodule_export]
    use crate::session::{Session, open};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
