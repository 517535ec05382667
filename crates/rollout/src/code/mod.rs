//! Programming tasks as environments: an agent writes files, and a program made of them is tested.
//!
//! All that the agent wrote runs in a sandbox: no network, one writable folder, limits. Each test is a process of its own in
//! a fresh copy of the files. It gets arguments and an input; its output is compared outside, with a text that was never
//! inside. So code that is tested can say nothing about its own score: it has no report to write, no tests to
//! change and no library of ours to patch. What it writes during a test is thrown away.

mod files;
mod run;
mod task;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use andor_env::process::sandbox::Sandbox;
use andor_model::request::{Message, Tool};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::environment::{Call, Environment, EnvironmentError, Outcome};
use crate::tree::VerifyResult;

pub use files::Files;
pub use task::{Case, Limits, Task, TaskError};

use run::End;

/// Bytes of a file or an output that an agent is shown.
const SHOWN: usize = 16 * 1024;

/// A task that is being worked on. A fork shares the contents of the files, so it costs next to nothing.
#[derive(Clone, Debug)]
pub struct Code {
    task: Arc<Task>,
    sandbox: Sandbox,
    files: Files,
    /// The names of the tests that fail with these files, once they were run.
    failing: Option<Vec<String>>,
}

/// Files as they are written: those that differ from the task's.
#[derive(Serialize, Deserialize)]
struct Saved {
    changed: Vec<(String, Vec<u8>)>,
    removed: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing: Option<Vec<String>>,
}

impl Code {
    /// The environment of a task. It is an error if this machine has no sandbox: code of a model runs nowhere else.
    pub async fn new(task: Arc<Task>) -> Result<Self, EnvironmentError> {
        let sandbox = Sandbox::probe().await.map_err(EnvironmentError::new)?;
        Ok(Self { files: task.files.clone(), task, sandbox, failing: None })
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

    /// The files now.
    pub fn files(&self) -> &Files {
        &self.files
    }

    fn listed(&self) -> String {
        let mut text = String::from("Files:");
        for (path, contents) in &self.files {
            let _ = write!(text, "\n{path} ({} bytes)", contents.len());
        }
        text
    }

    fn read(&self, path: &str) -> String {
        match self.files.get(path) {
            Some(contents) => shown(&String::from_utf8_lossy(contents)),
            None => format!("There is no file `{path}`. {}", self.listed()),
        }
    }

    fn write(&mut self, path: &str, content: &str) -> String {
        let limits = &self.task.limits;
        let others = self.files.iter().filter(|(other, _)| *other != path);
        let (count, bytes) = others.fold((1, content.len()), |(n, sum), (_, c)| (n + 1, sum + c.len()));
        let nested = |other: &String| {
            other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
                || path.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        if !files::is_below(path) {
            return format!("`{path}` is not the path of a file below the folder, such as `part/main.py`.");
        }
        if self.files.keys().any(nested) {
            return format!("`{path}` cannot be a file: it, or a part of it, is a folder or another file.");
        }
        if count > limits.files || bytes as u64 > limits.disk() {
            return format!("Not written: there may be {} files of {} MiB.", limits.files, limits.disk_mib);
        }
        self.files.insert(path.to_owned(), content.as_bytes().into());
        self.failing = None;
        format!("Written: {} bytes.", content.len())
    }

    /// Runs a command of the agent, and keeps the files as it leaves them.
    async fn run(&mut self, command: &str, input: &str, time: Duration) -> Result<String, EnvironmentError> {
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
                files.insert(path.clone(), self.task.files[path].clone());
            }
            let mut failing = Vec::new();
            for case in tests {
                let words = [&command[..], &case.args].concat();
                let ran = run::run(&self.sandbox, &files, &words, &case.input, limits, limits.time()).await?;
                let ended = matches!(&ran.end, End::Exited(exit) if exit.code == Some(0));
                if !ended || normal(&ran.stdout) != normal(&case.output) {
                    failing.push(case.name.clone());
                }
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
        let names = failing.join(", ");
        Ok(VerifyResult::scored(passed)
            .with_feedback(format!("{} of {all} tests fail: {names}.", failing.len())))
    }

    async fn fork(&self) -> Result<Box<dyn Environment>, EnvironmentError> {
        Ok(Box::new(self.clone()))
    }

    async fn serialize(&self) -> Result<Value, EnvironmentError> {
        let given = &self.task.files;
        let changed = self.files.iter().filter(|(path, contents)| given.get(*path) != Some(contents));
        let removed = given.keys().filter(|path| !self.files.contains_key(*path));
        serde_json::to_value(Saved {
            changed: changed.map(|(path, contents)| (path.clone(), contents.to_vec())).collect(),
            removed: removed.cloned().collect(),
            failing: self.failing.clone(),
        })
        .map_err(EnvironmentError::new)
    }

    async fn restore(&self, saved: &Value) -> Result<Box<dyn Environment>, EnvironmentError> {
        let Saved { changed, removed, failing } =
            serde_json::from_value(saved.clone()).map_err(EnvironmentError::new)?;
        let mut files = self.task.files.clone();
        files.retain(|path, _| !removed.contains(path));
        files.extend(changed.into_iter().map(|(path, contents)| (path, contents.into())));
        Ok(Box::new(Self { files, failing, ..self.clone() }))
    }
}
