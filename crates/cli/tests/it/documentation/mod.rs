//! What README and documentation tell people to type: every command is typed, every file is written, and what is shown of the output
//! is compared. `CONTRIBUTING.md` says how pages are written for this.

mod page;
mod server;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Folder, left};
use andor_testkit::lean;
use page::{Block, Exchange, blocks, exit_code, is_shown};

/// Commands that are not run, by what they contain, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds or installs; the tests are run by `cargo xtask test`"),
    ("pip install", "installs"),
    ("ray ", "needs Ray, which the tests of the Python package start"),
    ("browser", "`andor view` serves until it is interrupted (`view.rs`)"),
    ("athlib", "Mathlib is not installed"),
    ("sudo ", "installs"),
    ("minif2f", "the data set is not part of the repository"),
    ("--tui", "takes the terminal (`tui.rs`)"),
    ("stdlib", "takes an hour"),
    ("experiments/studies", "takes minutes; the page about studies has a small one"),
];

/// Folders of the repository that pages read.
const LINKED: [&str; 3] = ["docs", "corpus", "python"];

/// Where a page's language model listens.
const SERVER: [&str; 2] = ["http://localhost:8000/v1", "http://127.0.0.1:8000/v1"];

/// Defines a test for each page, and the list of them.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        const PAGES: &[&str] = &[$($path),*];
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                follow($path).await;
            }
        )*
    };
}

pages! {
    readme: "README.md",
    contributing: "CONTRIBUTING.md",
    agents: "docs/guide/agents.md",
    analysis: "docs/guide/analysis.md",
    basin: "docs/guide/basin.md",
    best_first: "docs/guide/best-first.md",
    blueprints: "docs/guide/blueprints.md",
    ci: "docs/guide/ci.md",
    distributed: "docs/guide/distributed.md",
    drafts: "docs/guide/drafts.md",
    hygiene: "docs/guide/hygiene.md",
    lean: "docs/guide/lean.md",
    learning: "docs/guide/learning.md",
    lesions: "docs/guide/lesions.md",
    logging: "docs/guide/logging.md",
    mini: "docs/guide/mini.md",
    models: "docs/guide/models.md",
    not_proved: "docs/guide/not-proved.md",
    plans: "docs/guide/plans.md",
    proving: "docs/guide/proving.md",
    python: "docs/guide/python.md",
    ray: "docs/guide/ray.md",
    results: "docs/guide/results.md",
    rocq: "docs/guide/rocq.md",
    runs: "docs/guide/runs.md",
    simulation: "docs/guide/simulation.md",
    studies: "docs/guide/studies.md",
    training_data: "docs/guide/training-data.md",
    verification: "docs/guide/verification.md",
    view: "docs/guide/view.md",
    format_of_blueprints: "docs/formats/blueprint.md",
    format_of_data_sets: "docs/formats/datasets.md",
    format_of_programs: "docs/formats/exec.md",
    format_of_runs: "docs/formats/run.md",
    cheats: "docs/reference/cheats.md",
    releases_of_rocq: "docs/reference/rocq-versions.md",
    experiments: "docs/experiments/README.md",
    learned: "docs/experiments/learning.md",
    planned: "docs/experiments/plans.md",
    mini_f2f: "docs/experiments/minif2f-rocq.md",
    library_of_rocq: "docs/experiments/rocq-stdlib.md",
    ray_measured: "docs/experiments/ray.md",
    simulated: "docs/experiments/simulated.md",
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a page's reader has: the examples, files of their own, the program, and a language model.
struct Reader {
    folder: Folder,
    server: andor_testkit::peer::Peer,
    page: &'static str,
}

impl Reader {
    async fn new(page: &'static str) -> Self {
        let folder = Folder::new();
        copy(&root().join("examples"), Path::new(&folder.path("examples")));
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documentation"), folder.0.path());
        for name in LINKED {
            std::os::unix::fs::symlink(root().canonicalize().unwrap().join(name), folder.path(name)).unwrap();
        }
        Self { folder, server: server::start().await, page }
    }

    /// A text with the address of the model that answers here.
    fn here(&self, text: &str) -> String {
        SERVER.iter().fold(text.to_owned(), |text, server| text.replace(server, &self.server.url))
    }

    /// Runs a command, with what is typed into it; standard output and error.
    #[expect(clippy::disallowed_methods, reason = "commands are run as their readers run them")]
    async fn run(&self, command: &str, typed: &str) -> (String, String) {
        let mut shell = Command::new("timeout");
        shell.args(["100", "sh", "-c", &self.here(command)]).current_dir(self.folder.0.path());
        let program = Path::new(env!("CARGO_BIN_EXE_andor")).parent().unwrap().display().to_string();
        shell.env("PATH", format!("{program}:{}", std::env::var("PATH").unwrap()));
        shell.env("XDG_CACHE_HOME", self.folder.path("cache")).env("OPENAI_API_KEY", "none");
        for variable in ["RUST_LOG", "LOG_RATE", "LOG_RATE_FREQUENT_EVENT", "LEAN_PATH", "LEAN_SYSROOT"] {
            shell.env_remove(variable);
        }
        if self.page.contains("lean") || self.page.contains("mini") {
            shell.env("LEAN_SYSROOT", lean::sysroot());
        }
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let typed = typed.to_owned();
        let output = tokio::task::spawn_blocking(move || {
            let mut child = shell.spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), typed.as_bytes()).unwrap();
            child.wait_with_output().unwrap()
        });
        let (code, out, err) = left(output.await.unwrap());
        assert_eq!(code, exit_code(command), "{}: {command}\n{out}\n{err}", self.page);
        (out, err)
    }

    /// Compares what is shown with what was printed, on either stream or on both.
    fn compare(&self, shown: &str, (out, err): &(String, String)) {
        let shown = self.here(shown);
        assert!(
            [out, err, &format!("{out}{err}"), &format!("{err}{out}")]
                .iter()
                .any(|output| is_shown(&shown, output)),
            "{} shows\n{shown}\nand the program prints\n{out}\non standard error\n{err}",
            self.page
        );
    }
}

/// Does all that a page says.
async fn follow(page: &'static str) {
    let reader = Reader::new(page).await;
    let mut last = None;
    for block in blocks(&text(page)) {
        match block {
            Block::File { name, text } => {
                assert!(!LINKED.iter().any(|folder| name.starts_with(folder)), "{page} would write {name}");
                let path = reader.folder.0.path().join(name);
                fs_err::create_dir_all(path.parent().unwrap()).unwrap();
                fs_err::write(path, reader.here(&text)).unwrap();
                // The steps of a workflow.
                for command in text.lines().filter_map(|line| line.trim().strip_prefix("- run: ")) {
                    if is_run(command) {
                        reader.run(command, "").await;
                    }
                }
            }
            Block::Commands(commands) => {
                for command in commands {
                    last = match is_run(&command) {
                        true => Some(reader.run(&command, "").await),
                        false => None,
                    };
                }
            }
            Block::Session(exchanges) => {
                for Exchange { command, typed, shown } in exchanges {
                    if is_run(&command) {
                        let output = reader.run(&command, &typed).await;
                        reader.compare(&shown, &output);
                    }
                }
            }
            Block::Output(shown) => {
                if let Some(output) = &last {
                    reader.compare(&shown, output);
                }
            }
            Block::Other { language, text } => match &*language {
                "json" if !text.contains('…') => {
                    let values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
                    values.for_each(|value| drop(value.unwrap_or_else(|e| panic!("{page}: {e}\n{text}"))));
                }
                "toml" | "yaml" => panic!("{page}: a configuration needs the name of its file:\n{text}"),
                _ => {}
            },
        }
    }
}

fn is_run(command: &str) -> bool {
    NOT_RUN.iter().all(|(part, _)| !command.contains(part))
}

fn text(page: &str) -> String {
    fs_err::read_to_string(root().join(page)).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).unwrap();
    for entry in fs_err::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs_err::copy(entry.path(), to).unwrap()),
        }
    }
}

/// All pages, relative to the repository.
fn all_pages() -> Vec<String> {
    let above = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
    above.into_iter().chain(files("docs", "md")).collect()
}

/// The files with an ending in a folder of the repository and below.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|found| found == ending) => {
                    found.push(path.to_str().unwrap().to_owned());
                }
                false => {}
            }
        }
    }
    found
}

#[test]
fn pages_that_the_program_names_exist() {
    for source in files("crates", "rs").into_iter().chain(files("python", "py")) {
        for rest in text(&source).split("docs/").skip(1) {
            let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
            let path: String = rest.chars().take_while(|c| of_path(*c)).collect();
            let path = format!("docs/{}", path.trim_end_matches('.'));
            assert!(!path.ends_with(".md") || root().join(&path).exists(), "{source} names {path}");
        }
    }
}

#[test]
fn every_page_with_commands_is_followed() {
    let mut not_run: BTreeSet<&(&str, &str)> = BTreeSet::new();
    for page in all_pages() {
        let mut commands = Vec::new();
        for block in blocks(&text(&page)) {
            match block {
                Block::Commands(found) => commands.extend(found),
                Block::Session(found) => commands.extend(found.into_iter().map(|exchange| exchange.command)),
                Block::File { name, text } => commands.extend([name, text]),
                Block::Output(_) | Block::Other { .. } => {}
            }
        }
        assert!(commands.is_empty() || PAGES.contains(&&*page), "no test follows {page}");
        not_run.extend(NOT_RUN.iter().filter(|(part, _)| commands.iter().any(|c| c.contains(part))));
    }
    assert_eq!(not_run.len(), NOT_RUN.len(), "exceptions that nobody needs: {NOT_RUN:?}");
    assert!(NOT_RUN.len() <= 10);
}

#[test]
fn links_lead_somewhere() {
    for page in all_pages() {
        let text = text(&page);
        let mut code = false;
        for line in text.lines() {
            code ^= line.trim_start().starts_with("```");
            for target in line.split("](").skip(1).filter(|_| !code) {
                let target = target.split(')').next().unwrap();
                if target.contains("://") {
                    continue;
                }
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let path = match file.is_empty() {
                    true => root().join(&page),
                    false => root().join(&page).parent().unwrap().join(file),
                };
                assert!(path.exists(), "{page}: {target}");
                let is_heading =
                    heading.is_empty() || headings(&fs_err::read_to_string(&path).unwrap()).contains(heading);
                assert!(is_heading, "{page}: {target}");
            }
        }
    }
}

/// The names under which the headings of a page are reached.
fn headings(page: &str) -> BTreeSet<String> {
    let titles =
        page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |title: &str| -> String {
        let title = title.to_lowercase().replace(' ', "-");
        title.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    titles.map(name).collect()
}

#[test]
fn the_library_is_used_as_its_documentation_says() {
    let documented: Vec<String> = text("crates/andor/src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!").map(|line| line.trim().to_owned()))
        .collect();
    for block in blocks(&text("README.md")) {
        if let Block::Other { language, text } = block
            && language == "rust"
        {
            for line in text.lines() {
                assert!(documented.iter().any(|other| other == line.trim()), "{line}");
            }
        }
    }
}
