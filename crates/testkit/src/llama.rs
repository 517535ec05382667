//! A real llama.cpp server, from the Python package `xllamacpp`. `cargo xtask setup` installs it.

use std::io;
use std::path::{Path, PathBuf};

use andor_process::{ChildProcess, ChildSpec, ResourceLimits, Spawned};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStdin;

/// The program that starts the server.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/llama/serve.py");
/// The package and its version.
const REQUIREMENT: &str = include_str!("../llama/requirements.txt");

/// A running server. Dropping it kills it.
#[derive(Debug)]
pub struct Llama {
    /// Where its interface begins: `http://127.0.0.1:PORT/v1`.
    pub url: String,
    child: ChildProcess,
    _stdin: ChildStdin,
}

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of answers that are made at a time.
    pub slots: u32,
    /// The number of tokens of all slots together.
    pub context: u32,
    /// The port; 0 for a free one.
    pub port: u16,
    /// The API key that requests must have.
    pub key: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { slots: 8, context: 4096, port: 0, key: None }
    }
}

impl Llama {
    /// Starts a server with the model in this file, and waits until it listens.
    pub async fn start(model: &Path, options: &Options) -> Self {
        let mut command = command(&path(model), options).into_iter();
        let spec = ChildSpec {
            program: command.next().expect("a command begins with a program"),
            args: command.collect(),
            env: Vec::new(),
            directory: std::env::temp_dir(),
            limits: ResourceLimits::default(),
        };
        let Spawned { child, stdin, stdout } = ChildProcess::spawn(&spec).expect("python can be started");
        let mut lines = BufReader::new(stdout).lines();
        let url = loop {
            let line: io::Result<Option<String>> = lines.next_line().await;
            match line.expect("its output is text") {
                Some(line) if line.starts_with("http://") => break line,
                Some(_) => {}
                None => panic!("the server of language models did not start: {}", child.stderr()),
            }
        };
        // The server logs to its standard output, which must not fill up.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { url: format!("{}/v1", url.trim()), child, _stdin: stdin }
    }

    /// Kills the server.
    pub async fn kill(self) {
        self.child.kill_now().await;
    }
}

/// The command that serves the model in a file. It ends when its standard input is closed.
pub fn command(model: &str, options: &Options) -> Vec<String> {
    let python = python();
    assert!(
        python.is_file(),
        "the tests with a real language-model server need {}, which `cargo xtask setup` installs (not found: {})",
        REQUIREMENT.trim(),
        python.display()
    );
    let numbers = [options.slots, options.context, u32::from(options.port)].map(|number| number.to_string());
    let words = [path(&python), SCRIPT.to_owned(), model.to_owned()].into_iter().chain(numbers);
    words.chain(options.key.clone()).collect()
}

/// The Python that has the package: in the user's cache, beside what other versions of this project need.
fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|c| !c.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache");
    let folder = REQUIREMENT.trim().replace("==", "-");
    cache.unwrap_or_else(home).join("andor").join(folder).join("bin/python")
}

fn path(path: &Path) -> String {
    path.to_str().expect("paths of tests are Unicode").to_owned()
}
