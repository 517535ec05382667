//! What an agent is to program, and how that is tested.

use std::path::Path;
use std::time::Duration;

use andor_env::process::sandbox::hidden;
use serde::Deserialize;

use super::files::{self, Files};

/// A task: what an agent is told and given, and the tests that it does not see.
#[derive(Clone, Debug)]
pub struct Task {
    /// What the agent is told.
    pub prompt: String,
    /// The program that is tested, with its first arguments; it runs in the agent's folder.
    pub command: Vec<String>,
    /// The files that the agent is given.
    pub files: Files,
    /// Those of them that are as given in every test, whatever the agent made of them.
    pub fixed: Vec<String>,
    /// The tests.
    pub tests: Vec<Case>,
    /// The limits of all that runs.
    pub limits: Limits,
}

/// A test: the program is run once. It passes if it exits with 0 and its output is the expected one, apart from space at
/// the ends of lines and empty lines at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name, which the agent is told.
    pub name: String,
    /// The arguments after those of the command.
    pub args: Vec<String>,
    /// What the program can read from its standard input.
    pub input: String,
    /// What it must write to its standard output. It is compared by us, and never in the sandbox.
    pub output: String,
}

/// The limits of a program that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Seconds.
    pub seconds: u64,
    /// MiB of memory, for all its processes together; also the address space of each.
    pub memory_mib: u64,
    /// MiB of files that it may leave; also the size of each.
    pub disk_mib: u64,
    /// Files and folders that it may leave.
    pub files: usize,
    /// KiB of standard output.
    pub output_kib: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 10, memory_mib: 512, disk_mib: 16, files: 1000, output_kib: 256 }
    }
}

impl Limits {
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    pub(super) fn memory(&self) -> u64 {
        self.memory_mib << 20
    }

    pub(super) fn disk(&self) -> u64 {
        self.disk_mib << 20
    }
}

/// Why a task cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// `task.toml` is not as expected.
    #[error("`{0}` is not a task: {1}")]
    Toml(String, toml::de::Error),
    /// Something is missing or does not fit.
    #[error("the task in `{0}` cannot be used: {1}")]
    Unusable(String, String),
}

/// `task.toml`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    prompt: String,
    command: Vec<String>,
    #[serde(default)]
    fixed: Vec<String>,
    #[serde(default)]
    limits: Limits,
}

impl Task {
    /// Reads a folder: `task.toml`, `files/`, and `tests/`, where `NAME.out` is what a program must write, `NAME.in` what
    /// it can read, and `NAME.args` has its arguments, one a line; the last two may be missing.
    ///
    /// The folder must be where the sandbox hides it, or the tests could be read there.
    pub fn open(folder: &Path) -> Result<Self, TaskError> {
        let name = folder.display().to_string();
        let unusable = |why: &str| TaskError::Unusable(name.clone(), why.to_owned());
        let place = fs_err::canonicalize(folder)?;
        if !hidden().iter().any(|hidden| place.starts_with(hidden)) {
            return Err(unusable(
                "what is tested could read its tests; move it to your home folder or the folder for temporary files",
            ));
        }
        let header = folder.join("task.toml");
        let text = fs_err::read_to_string(&header)?;
        let Header { prompt, command, fixed, limits } =
            toml::from_str(&text).map_err(|error| TaskError::Toml(header.display().to_string(), error))?;
        let files = files::read(&folder.join("files"), &limits)?.map_err(|why| unusable(&why))?;
        let tests = files::read(&folder.join("tests"), &Limits { files: 100_000, disk_mib: 1024, ..limits })?
            .map_err(|why| unusable(&why))?;
        let text = |name: String| tests.get(&name).map(|text| String::from_utf8_lossy(text).into_owned());
        let named = |name: &str| Case {
            name: name.to_owned(),
            args: text(format!("{name}.args")).unwrap_or_default().lines().map(str::to_owned).collect(),
            input: text(format!("{name}.in")).unwrap_or_default(),
            output: text(format!("{name}.out")).unwrap_or_default(),
        };
        let tests: Vec<Case> = tests.keys().filter_map(|path| path.strip_suffix(".out")).map(named).collect();
        if tests.is_empty() {
            return Err(unusable("it has no tests; `tests/` must hold at least one `NAME.out`"));
        }
        if command.is_empty() {
            return Err(unusable("its `command` is empty"));
        }
        if let Some(missing) = fixed.iter().find(|path| !files.contains_key(*path)) {
            return Err(unusable(&format!("`{missing}` is in `fixed` and not in `files/`")));
        }
        Ok(Self { prompt, command, files, fixed, tests, limits })
    }
}
