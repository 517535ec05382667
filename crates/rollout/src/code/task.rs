//! What an agent is to program, and how that is tested.

use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_artifact::input;
use serde::Deserialize;
use xxhash_rust::xxh3::Xxh3;

use super::files::{self, Files};

/// A task: what an agent is told and given, and the tests that it does not see.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name, by which its results are found.
    pub id: String,
    /// What the agent is told.
    pub prompt: String,
    /// The program that is tested, with its first arguments; it runs in the agent's folder.
    pub command: Vec<String>,
    /// The files that the agent is given.
    #[serde(default)]
    pub files: Files,
    /// Those of them that are as given in every test, whatever the agent made of them.
    #[serde(default)]
    pub fixed: Vec<String>,
    /// The tests.
    pub tests: Vec<Case>,
    /// The limits of all that runs.
    #[serde(default)]
    pub limits: Limits,
    /// The folder or file that it was read from. It is hidden in the sandbox, since it contains the tests.
    #[serde(skip)]
    pub secret: Option<PathBuf>,
}

/// A test: the program is run once. It passes if it exits with 0 and its output is the expected one, apart from space at
/// the ends of lines and empty lines at the end.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, which the agent is told.
    pub name: String,
    /// The arguments after those of the command.
    #[serde(default)]
    pub args: Vec<String>,
    /// What the program can read from its standard input.
    #[serde(default)]
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
    /// Processes and threads at the same time.
    pub processes: u32,
    /// MiB of files that it may leave; also the size of each.
    pub disk_mib: u64,
    /// Files and folders that it may leave.
    pub files: usize,
    /// KiB of standard output.
    pub output_kib: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 10, memory_mib: 512, processes: 64, disk_mib: 16, files: 1000, output_kib: 256 }
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
    /// A line of a file of tasks is not as expected.
    #[error("{path}, line {line}: not a task: {why}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The error of the parser.
        why: serde_json::Error,
    },
    /// Something is missing or does not fit.
    #[error("the task `{0}` cannot be used: {1}")]
    Unusable(String, String),
    /// Two tasks have the same id.
    #[error("two tasks have the id `{0}`; give each its own")]
    Twice(String),
    /// There are no tasks.
    #[error("`{0}` contains no tasks")]
    Empty(String),
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

/// The longest text among the arguments of a program, in bytes. Linux allows 128 KiB for each.
pub(super) const LONGEST_ARGUMENT: usize = 64 << 10;

/// Tests that a task may have, and MiB that they may hold.
const TESTS: (usize, u64) = (100_000, 1024);

impl Task {
    /// The tasks of a path: a folder is one task, a file has one in each line.
    ///
    /// # Errors
    ///
    /// If one of them cannot be used, or two have the same id.
    pub fn all(path: &Path) -> Result<Vec<Self>, TaskError> {
        let tasks = if path.is_dir() { vec![Self::open(path)?] } else { Self::lines(path)? };
        let mut ids = std::collections::BTreeSet::new();
        match tasks.iter().find(|task| !ids.insert(&task.id)) {
            Some(task) => Err(TaskError::Twice(task.id.clone())),
            None if tasks.is_empty() => Err(TaskError::Empty(path.display().to_string())),
            None => Ok(tasks),
        }
    }

    /// Reads a folder: `task.toml`, `files/`, and `tests/`, where `NAME.out` is what a program must write, `NAME.in` what
    /// it can read, and `NAME.args` has its arguments, one a line; the last two may be missing. The name of the folder is
    /// the id.
    pub fn open(folder: &Path) -> Result<Self, TaskError> {
        let place = fs_err::canonicalize(folder)?;
        let id = place.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let unusable = |why: String| TaskError::Unusable(id.clone(), why);
        let header = folder.join("task.toml");
        let text = input::text(&header)?;
        let Header { prompt, command, fixed, limits } =
            toml::from_str(&text).map_err(|error| TaskError::Toml(header.display().to_string(), error))?;
        let files = match folder.join("files") {
            folder if folder.is_dir() => files::read(&folder, &limits)?.map_err(unusable)?,
            _ => Files::new(),
        };
        let tests = Limits { files: TESTS.0, disk_mib: TESTS.1, ..limits };
        let tests = match folder.join("tests") {
            folder if folder.is_dir() => files::read(&folder, &tests)?.map_err(unusable)?,
            _ => Files::new(),
        };
        let text = |name: &str| match tests.get(name) {
            None => Ok(String::new()),
            Some(file) => String::from_utf8(file.contents.to_vec())
                .map_err(|_| unusable(format!("`tests/{name}` is not UTF-8"))),
        };
        let case = |name: &str| {
            Ok::<_, TaskError>(Case {
                name: name.to_owned(),
                args: text(&format!("{name}.args"))?.lines().map(str::to_owned).collect(),
                input: text(&format!("{name}.in"))?,
                output: text(&format!("{name}.out"))?,
            })
        };
        let names = tests.keys().filter_map(|path| path.strip_suffix(".out"));
        let tests = names.map(case).collect::<Result<_, _>>()?;
        Self { id, prompt, command, files, fixed, tests, limits, secret: Some(place) }.checked()
    }

    /// Reads a JSON Lines file: an object each with `id`, `prompt`, `command`, `tests`, and optionally `files` (texts by
    /// their paths), `fixed` and `limits`.
    fn lines(path: &Path) -> Result<Vec<Self>, TaskError> {
        let place = fs_err::canonicalize(path)?;
        let text = input::text(path)?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(at, line): (usize, &str)| {
            let task: Self = serde_json::from_str(line).map_err(|why| TaskError::Line {
                path: path.display().to_string(),
                line: at + 1,
                why,
            })?;
            Self { secret: Some(place.clone()), ..task }.checked()
        };
        lines.map(read).collect()
    }

    /// The task, if nothing is missing and all fits.
    fn checked(self) -> Result<Self, TaskError> {
        let unusable = |why: String| Err(TaskError::Unusable(self.id.clone(), why));
        let Limits { seconds, memory_mib, processes, disk_mib, files, output_kib } = self.limits;
        let counts = [
            ("seconds", seconds),
            ("memory_mib", memory_mib),
            ("processes", processes.into()),
            ("disk_mib", disk_mib),
            ("files", files as u64),
            ("output_kib", output_kib),
        ];
        if let Some((name, _)) = counts.iter().find(|(_, value)| !(1..=1 << 20).contains(value)) {
            return unusable(format!("the limit `{name}` must be from 1 to {}", 1 << 20));
        }
        if self.id.is_empty() {
            return unusable("its id is empty".to_owned());
        }
        if self.tests.is_empty() {
            return unusable("it has no tests; a folder needs `tests/` with at least one `NAME.out`, a line at least one of `tests`".to_owned());
        }
        if self.command.first().is_none_or(String::is_empty) {
            return unusable("its `command` is empty".to_owned());
        }
        let arguments = self.command.iter().chain(self.tests.iter().flat_map(|case| &case.args));
        let mut arguments = arguments.filter(|argument| !is_argument(argument));
        if arguments.next().is_some() {
            return unusable(format!("an argument is longer than {LONGEST_ARGUMENT} bytes, or contains NUL"));
        }
        if let Some(path) = self.files.keys().find(|path| !files::is_usable(path)) {
            return unusable(format!("`{path}` is not the path of a file below its folder"));
        }
        let is_below_a_file =
            |path: &&String| path.match_indices('/').any(|(at, _)| self.files.contains_key(&path[..at]));
        if let Some(path) = self.files.keys().find(is_below_a_file) {
            return unusable(format!("`{path}` is below what is a file, too"));
        }
        match self.fixed.iter().find(|path| !self.files.contains_key(*path)) {
            Some(missing) => unusable(format!("`{missing}` is in `fixed` and not in `files`")),
            None => Ok(self),
        }
    }

    /// A number that changes with anything that an agent is told, given or tested by.
    pub fn digest(&self) -> String {
        let mut hash = Xxh3::new();
        let mut add = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        add(self.prompt.as_bytes());
        add(format!("{:?} {:?} {:?}", self.command, self.fixed, self.limits).as_bytes());
        for (path, file) in &self.files {
            add(path.as_bytes());
            add(&[u8::from(file.is_executable)]);
            add(&file.contents);
        }
        for Case { name, args, input, output } in &self.tests {
            add(name.as_bytes());
            add(format!("{args:?}").as_bytes());
            add(input.as_bytes());
            add(output.as_bytes());
        }
        format!("{:016x}", hash.digest())
    }
}

/// Whether a text can be an argument of a program.
pub(super) fn is_argument(text: &str) -> bool {
    text.len() <= LONGEST_ARGUMENT && !text.contains('\0')
}
