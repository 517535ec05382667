//! Options by name, as keyword arguments give them: `max_iterations` is `--max-iterations`.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use andor::{Config, ConfigFile, ConfigOption, Notation, OPTIONS, OwnParts, Setting};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::failure::Failure;
use crate::parts::{self, Part};

/// A valid configuration, and the parts written in Python.
#[pyclass(frozen)]
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) config: Config,
    pub(crate) own: OwnParts,
}

#[pymethods]
impl Settings {
    /// The configuration of a file, or of the text of one, overridden by options; and parts with their roles.
    #[new]
    #[pyo3(signature = (options, file=None, text=None, parts=Vec::new()))]
    fn new(
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        file: Option<PathBuf>,
        text: Option<&str>,
        parts: Vec<(String, Bound<'_, Part>)>,
    ) -> PyResult<Self> {
        let file = match (file, text) {
            (Some(path), _) => Some(ConfigFile::read(&path).map_err(Failure::from)?),
            (None, Some(text)) => Some(parsed(text)?),
            (None, None) => None,
        };
        let mut given = Vec::new();
        for (name, value) in options.iter() {
            let name: String = name.extract()?;
            let Some(option) = OPTIONS.iter().find(|option| self::name(option.flag) == name) else {
                return Err(PyTypeError::new_err(format!("there is no option `{name}`")));
            };
            let settings = settings(option, &value)
                .map_err(|what| PyValueError::new_err(format!("{name}={}: {what}", shown(&value))))?;
            given.extend(settings.into_iter().map(|setting| (option, setting)));
        }
        let mut config = Config::assemble(file.as_ref(), &given);
        let own = parts::own(&mut config, options.contains("provider")?, &parts)?;
        config.validate().map_err(Failure::from)?;
        config.resolve().map_err(Failure::from)?;
        for sentence in config.without_effect() {
            let sentence = CString::new(sentence).expect("a sentence of ours has no NUL");
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &sentence, 1)?;
        }
        Ok(Self { config, own })
    }
}

/// A configuration given as JSON, by the keys of configuration files.
fn parsed(text: &str) -> PyResult<ConfigFile> {
    let bad = |error: &dyn std::fmt::Display| PyValueError::new_err(format!("config: {error}"));
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| bad(&error))?;
    let text = toml::to_string(&value).map_err(|error| bad(&error))?;
    Ok(ConfigFile::parse(&text, Path::new("config")).map_err(Failure::from)?)
}

/// The options: name, whether it takes a list, its values if they are fixed, and what it is for.
#[pyfunction]
pub(crate) fn options() -> Vec<(String, &'static str, Vec<&'static str>, String)> {
    let of = |option: &ConfigOption| {
        let (kind, values) = match option.notation {
            Notation::Switch(_) => ("bool", Vec::new()),
            Notation::Whole(_) | Notation::Integer(_) => ("int", Vec::new()),
            Notation::Number(_) => ("float", Vec::new()),
            Notation::NumberOrNone(_) => ("float or None", Vec::new()),
            Notation::Duration => ("duration", Vec::new()),
            Notation::DurationOrNone => ("duration or None", Vec::new()),
            Notation::OneOf(names) => ("name", names()),
            Notation::Words | Notation::Provider | Notation::Model => ("words", Vec::new()),
            Notation::LoadPath(_) => ("load path", Vec::new()),
            Notation::Level => ("level", Vec::new()),
            Notation::Text | Notation::Latency => ("text", Vec::new()),
            Notation::File => ("path", Vec::new()),
        };
        (name(option.flag), kind, values, option.help())
    };
    OPTIONS.iter().map(of).collect()
}

fn name(flag: &str) -> String {
    flag.trim_start_matches('-').replace('-', "_")
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string())
}

/// The settings that a value stands for; none if it stands for the default.
fn settings(option: &ConfigOption, value: &Bound<'_, PyAny>) -> Result<Vec<Setting>, String> {
    let notation = &option.notation;
    if value.is_none() {
        let is_limit = matches!(notation, Notation::NumberOrNone(_) | Notation::DurationOrNone);
        return Ok(is_limit.then_some(Setting::Absent).into_iter().collect());
    }
    match notation {
        Notation::Switch(to) => match value.cast::<PyBool>() {
            Ok(on) => Ok(vec![Setting::Switch(on.is_true() == *to)]),
            Err(_) => Err("True or False is needed".to_owned()),
        },
        Notation::LoadPath(binding) => {
            let pairs: Vec<(PathBuf, String)> =
                value.extract().map_err(|_| "a list of pairs (folder, logical path) is needed".to_owned())?;
            let bound = |(folder, name)| andor::LoadPath { binding: *binding, folder, name };
            Ok(vec![Setting::LoadPath(pairs.into_iter().map(bound).collect())])
        }
        _ if notation.is_list() && !value.is_instance_of::<PyString>() => {
            let words: Vec<String> = value.extract().map_err(|_| "a list of texts is needed".to_owned())?;
            words.iter().map(|word| notation.read(word)).collect()
        }
        Notation::OneOf(names) => {
            let names = names();
            let text = text(value)?;
            match names.contains(&text.as_str()) {
                true => Ok(vec![notation.read(&text)?]),
                false => Err(format!("choose one of {}", names.join(", "))),
            }
        }
        _ => Ok(vec![notation.read(&text(value)?)?]),
    }
}

/// A number, a text or a path, as it is written on the command line.
fn text(value: &Bound<'_, PyAny>) -> Result<String, String> {
    let is_number = value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>();
    if is_number && !value.is_instance_of::<PyBool>() {
        return Ok(value.to_string());
    }
    match value.extract::<PathBuf>().map(|path| path.into_os_string().into_string()) {
        Ok(Ok(text)) => Ok(text),
        _ => Err("a number or a text is needed".to_owned()),
    }
}
