//! Programming tasks as environments: an agent writes files, and a program made of them is tested.
//!
//! All that the agent wrote runs in a sandbox: no network, one writable folder, limits. Each test is a process of its own in
//! a fresh copy of the files. It gets arguments and an input; its output is compared outside, with a text that was never
//! inside. So code that is tested can say nothing about its own score: it has no report to write, no tests to
//! change and no library of ours to patch. What it writes during a test is thrown away.

mod attempt;
mod files;
mod run;
mod task;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_model::request::{Message, Tool};
use andor_process::sandbox::CountedSandbox;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::environment::{Call, Environment, EnvironmentError, Outcome};
use crate::tree::VerifyResult;

pub use attempt::{CodeRequest, attempt};
pub use files::{File, Files};
pub use task::{Case, Limits, Task, TaskError};

use run::End;

/// Bytes of a file or an output that an agent is shown.
const SHOWN: usize = 16 * 1024;

/// A task that is being worked on. A fork shares the contents of the files, so it costs next to nothing.
#[derive(Clone, Debug)]
pub struct Code {
    task: Arc<Task>,
    sandbox: CountedSandbox,
    files: Files,
    /// The tests that fail with these files, once they were run: their names, and why.
    failing: Option<Vec<String>>,
}

/// Files as they are written: those that differ from the task's.
#[derive(Serialize, Deserialize)]
struct Saved {
    changed: BTreeMap<String, SavedFile>,
    removed: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
struct SavedFile {
    contents: Contents,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_executable: bool,
}

/// Text where possible.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Contents {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&File> for SavedFile {
    fn from(file: &File) -> Self {
        let contents = match str::from_utf8(&file.contents) {
            Ok(text) => Contents::Text(text.to_owned()),
            Err(_) => Contents::Bytes(file.contents.to_vec()),
        };
        Self { contents, is_executable: file.is_executable }
    }
}

impl From<SavedFile> for File {
    fn from(SavedFile { contents, is_executable }: SavedFile) -> Self {
        let contents = match contents {
            Contents::Text(text) => text.into_bytes(),
            Contents::Bytes(bytes) => bytes,
        };
        Self { contents: contents.into(), is_executable }
    }
}

impl Code {
    /// The environment of a task. It is an error if this machine has no sandbox: code of a model runs nowhere else.
    pub async fn new(task: Arc<Task>) -> Result<Self, EnvironmentError> {
        let sandbox = CountedSandbox::probe().await.map_err(EnvironmentError::new)?;
        let sandbox = sandbox.hiding(task.secret.as_slice());
        Ok(Self { files: task.files.clone(), task, sandbox, failing: None })
    }

    /// The environment in which these folders cannot be seen, either.
    pub fn hiding(self, folders: &[PathBuf]) -> Self {
        Self { sandbox: self.sandbox.hiding(folders), ..self }
    }

    /// What to tell an agent.
    pub fn task(&self) -> [Message; 2] {
        [
            Message::system(
                "You write a program with the tools that you have. Hidden tests run it; submit it when it is done.",
            ),
            Message::user(format!("{}\n\n{}", self.task.prompt, self.listed())),
        ]
    }

    /// The same task with the files that were saved.
    fn restored(&self, saved: Saved) -> Self {
        let mut files = self.task.files.clone();
        files.retain(|path, _| !saved.removed.contains(path));
        files.extend(saved.changed.into_iter().map(|(path, file)| (path, file.into())));
        Self { files, failing: saved.failing, ..self.clone() }
    }

    /// The files now.
    pub fn files(&self) -> &Files {
        &self.files
    }

    fn listed(&self) -> String {
        let mut text = String::from("Files:");
        for (path, file) in &self.files {
            let _ = write!(text, "\n{path} ({} bytes)", file.contents.len());
        }
        shown(&text)
    }

    fn read(&self, path: &str) -> String {
        match self.files.get(path) {
            Some(file) => shown(&String::from_utf8_lossy(&file.contents)),
            None => format!("There is no file `{}`. {}", shown(path), self.listed()),
        }
    }

    fn write(&mut self, path: &str, content: &str) -> String {
        let limits = &self.task.limits;
        let others = self.files.iter().filter(|(other, _)| *other != path);
        let (count, bytes) =
            others.fold((1, content.len()), |(n, sum), (_, c)| (n + 1, sum + c.contents.len()));
        if !files::is_usable(path) {
            let path = shown(path);
            return format!(
                "`{path}` cannot be the path of a file below the folder, such as `part/main.py`."
            );
        }
        if self.files.keys().any(|other| files::excludes(other, path)) {
            return format!("`{path}` cannot be a file: it, or a part of it, is a folder or another file.");
        }
        if count > limits.files || bytes as u64 > limits.disk() {
            return format!("Not written: there may be {} files of {} MiB.", limits.files, limits.disk_mib);
        }
        let is_executable = self.files.get(path).is_some_and(|file| file.is_executable);
        let file = File { is_executable, ..File::new(content.as_bytes()) };
        self.files.insert(path.to_owned(), file);
        self.failing = None;
        format!("Written: {} bytes.", content.len())
    }

    /// Runs a command of the agent, and keeps the files as it leaves them.
    async fn run(&mut self, command: &str, input: &str, time: Duration) -> Result<String, EnvironmentError> {
        if !task::is_argument(command) {
            return Ok(format!(
                "Not run: a command has at most {} bytes, and no NUL. Write it to a file.",
                task::LONGEST_ARGUMENT
            ));
        }
        let words = ["/bin/sh", "-c", command].map(str::to_owned);
        let ran = run::run(&self.sandbox, &self.files, &words, input, &self.task.limits, time).await?;
        let mut text = format!("{}\n", ran.end.told());
        let _ = write!(text, "Output:\n{}", shown(&ran.stdout));
        if let End::Exited(exit) = &ran.end
            && !exit.stderr.is_empty()
        {
            let _ = write!(text, "\nErrors:\n{}", exit.stderr);
        }
        match ran.files {
            Ok(files) if files != self.files => {
                self.files = files;
                self.failing = None;
            }
            Ok(_) => {}
            Err(why) => {
                let _ = write!(text, "\nThe files are as before, since {why}.");
            }
        }
        Ok(text)
    }

    /// The tests that fail.
    async fn failing(&mut self) -> Result<&[String], EnvironmentError> {
        if self.failing.is_none() {
            let Task { command, fixed, tests, limits, .. } = &*self.task;
            let mut files = self.files.clone();
            for path in fixed {
                files::replace(&mut files, path, self.task.files[path].clone());
            }
            let mut failing = Vec::new();
            for case in tests {
                let words = [&command[..], &case.args].concat();
                let ran = run::run(&self.sandbox, &files, &words, &case.input, limits, limits.time()).await?;
                let why = match &ran.end {
                    End::Exited(exit) if exit.code == Some(0) => {
                        if normal(&ran.stdout) == normal(&case.output) {
                            continue;
                        }
                        "the output is wrong".to_owned()
                    }
                    end => end.told(),
                };
                failing.push(format!("{} ({why})", case.name));
            }
            self.failing = Some(failing);
        }
        Ok(self.failing.as_deref().expect("it was just set"))
    }
}

/// An output without what does not count: space at the ends of lines and empty lines at the end.
fn normal(output: &str) -> String {
    let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

/// A text as far as an agent is shown it.
fn shown(text: &str) -> String {
    let end = (0..=text.len().min(SHOWN)).rfind(|&end| text.is_char_boundary(end)).unwrap_or(0);
    if end == text.len() { text.to_owned() } else { format!("{}\n… and more", &text[..end]) }
}

impl From<TaskError> for EnvironmentError {
    fn from(error: TaskError) -> Self {
        Self::new(error)
    }
}

#[async_trait]
impl Environment for Code {
    fn tools(&self) -> Vec<Tool> {
        let tool = |name: &str, description: &str, properties: &[&str], required: usize| {
            let texts = properties.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" })));
            Tool {
                name: name.to_owned(),
                description: description.to_owned(),
                parameters: json!({ "type": "object", "required": &properties[..required],
                    "additionalProperties": false, "properties": texts.collect::<serde_json::Map<_, _>>() }),
            }
        };
        vec![
            tool("list", "Lists the files.", &[], 0),
            tool("read", "Shows a file.", &["path"], 1),
            tool("write", "Writes a file, with folders as needed.", &["path", "content"], 2),
            tool("run", "Runs a shell command in the folder, without network.", &["command", "input"], 1),
            tool("submit", "Hands the files in.", &[], 0),
        ]
    }

    async fn exec(&mut self, call: Call<'_>) -> Result<Outcome, EnvironmentError> {
        let time = self.task.limits.time();
        let time = call.time.map_or(time, |most| most.min(time));
        Ok(Outcome::say(match call.tool {
            "list" => self.listed(),
            "read" => self.read(call.text("path")),
            "write" => self.write(call.text("path"), call.text("content")),
            "run" => self.run(call.text("command"), call.text("input"), time).await?,
            _ => return Ok(Outcome::done("Handed in.")),
        }))
    }

    /// The share of tests that pass; solved if all do.
    async fn verify(&mut self) -> Result<VerifyResult, EnvironmentError> {
        let all = self.task.tests.len();
        let failing = self.failing().await?;
        if failing.is_empty() {
            return Ok(VerifyResult::solved());
        }
        let passed = (all - failing.len()) as f64 / all as f64;
        let told = shown(&failing.join(", "));
        Ok(VerifyResult::scored(passed)
            .with_feedback(format!("{} of {all} tests fail: {told}.", failing.len())))
    }

    async fn fork(&self) -> Result<Box<dyn Environment>, EnvironmentError> {
        Ok(Box::new(self.clone()))
    }

    async fn serialize(&self) -> Result<Value, EnvironmentError> {
        let given = &self.task.files;
        let changed = self.files.iter().filter(|(path, file)| given.get(*path) != Some(file));
        let removed = given.keys().filter(|path| !self.files.contains_key(*path));
        serde_json::to_value(Saved {
            changed: changed.map(|(path, file)| (path.clone(), file.into())).collect(),
            removed: removed.cloned().collect(),
            failing: self.failing.clone(),
        })
        .map_err(EnvironmentError::new)
    }

    async fn restore(&self, saved: &Value) -> Result<Box<dyn Environment>, EnvironmentError> {
        let saved = Saved::deserialize(saved).map_err(EnvironmentError::new)?;
        Ok(Box::new(self.restored(saved)))
    }
}
