//! From the library's errors to Python's: a class for each enum, with the name of the variant.

use std::fmt::{Debug, Display};

use andor::judge::JudgeError;
use andor::project::ProjectError;
use andor::{
    ConfigError, ConfigFileError, DatasetError, EnvError, FolderError, OpenError, ProveError, ProviderError,
    RegistryError, RunError,
};
use andor_iterate::LoopError;
use pyo3::prelude::*;

/// An error of the module `andor.errors`, not yet raised.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    variant: String,
    message: String,
}

impl Failure {
    /// An error of a class.
    pub(crate) fn new(class: &'static str, variant: &str, message: &str) -> Self {
        Self { class, variant: variant.to_owned(), message: message.to_owned() }
    }

    /// A value of an enum. Its variant is the first word of what `derive(Debug)` writes.
    fn of(class: &'static str, error: &(impl Debug + Display)) -> Self {
        let shown = format!("{error:?}");
        let end = shown.find(|c: char| !c.is_alphanumeric()).unwrap_or(shown.len());
        Self::new(class, &shown[..end], &error.to_string())
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(error: &impl Display) -> Self {
        Self::new("FileError", "File", &error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let raised = Python::attach(|py| {
            let class = py.import("andor.errors")?.getattr(failure.class)?;
            Ok(Self::from_value(class.call1((failure.message, failure.variant))?))
        });
        raised.unwrap_or_else(|error: Self| error)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::new("ConfigError", "Rule", &error.to_string())
    }
}

impl From<ConfigFileError> for Failure {
    fn from(error: ConfigFileError) -> Self {
        Self::of("ConfigError", &error)
    }
}

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        Self::of("DatasetError", &error)
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        Self::of("DatasetError", &error)
    }
}

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        Self::of("EnvError", &error)
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Self::of("ProviderError", &error)
    }
}

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        match error {
            RegistryError::Provider(error) => (*error).into(),
            error => Self::of("RegistryError", &error),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Self::of("RunError", &error)
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Registry(error) => error.into(),
            error => Self::of("CheckError", &error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Registry(error) => error.into(),
            OpenError::Env(error) => error.into(),
            error => Self::of("AndorError", &error),
        }
    }
}

impl From<LoopError> for Failure {
    fn from(error: LoopError) -> Self {
        match error {
            LoopError::Config(error) => error.into(),
            LoopError::ConfigFile(error) => error.into(),
            LoopError::Dataset(error) => error.into(),
            LoopError::Run(error) => error.into(),
            LoopError::Folder(error) => error.into(),
            LoopError::File(error) => Self::file(&error),
            LoopError::Interrupted => Self::new("Interrupted", "Interrupted", &error.to_string()),
            error => Self::of("LoopError", &error),
        }
    }
}

impl From<ProveError> for Failure {
    fn from(error: ProveError) -> Self {
        match error {
            ProveError::Config(error) => error.into(),
            ProveError::Registry(error) => error.into(),
            ProveError::File(error) => Self::file(&error),
            ProveError::Env(error) => error.into(),
            error => Self::of("AndorError", &error),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Registry(error) => error.into(),
            RunError::Env(error) => error.into(),
            RunError::File(error) => Self::file(&error),
            error => Self::of("RunError", &error),
        }
    }
}
