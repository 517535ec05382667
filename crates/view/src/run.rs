//! A run's folder as the page's table shows it: one row per attempt. Whatever cannot be read is left out, with a note.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use andor_artifact::code::{CodeOutcome, CodeResult};
use andor_artifact::files::read_json;
use andor_artifact::folders::folder_name;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_run::store::Store;
use serde::Serialize;

use crate::attempt::FILES;
use crate::tail::Tail;

const RESULTS: &str = "results.jsonl";

/// How long the folders of attempts are not listed again.
const LISTING: Duration = Duration::from_secs(2);

/// A row of the table: an attempt, or a theorem without one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) run: usize,
    pub(crate) theorem: String,
    pub(crate) attempt: Option<u32>,
    /// The name of the outcome; `no result` or `not begun` where there is none.
    pub(crate) outcome: &'static str,
    mark: Mark,
    blind: bool,
    level: Option<u8>,
    stop: String,
    split: Option<String>,
    iterations: Option<u64>,
    nodes: Option<u64>,
    candidates: Option<u64>,
    tokens: Option<u64>,
    ms: Option<f64>,
    /// Whether its folder has a search.
    pub(crate) has_tree: bool,
    /// The folder of the attempt.
    #[serde(skip)]
    pub(crate) folder: PathBuf,
}

/// How good an outcome is, best first: what the page colours and ranks, whatever the words for it are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Mark {
    /// A proof or solution that was accepted.
    Good,
    /// A proof that does not count.
    Poor,
    /// None was found.
    None,
    /// The assistant rejects the theorem.
    Refused,
    /// The attempt did not come to its end.
    Bad,
    /// There is no result yet.
    Busy,
}

/// The result of an attempt.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AnyResult {
    Proof(Box<AttemptResult>),
    Code(Box<CodeResult>),
}

/// What the corpus says of a theorem.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) statement: String,
    split: Option<String>,
}

/// A run.
#[derive(Debug)]
pub(crate) struct Run {
    path: PathBuf,
    number: usize,
    pub(crate) about: HashMap<String, About>,
    pub(crate) results: HashMap<(String, u32), AnyResult>,
    results_file: Tail,
    code_file: Tail,
    notes: Vec<String>,
    listed: Option<Instant>,
    /// Names of theorems by the name of their folders.
    named: HashMap<String, String>,
}

/// A page was asked for what is no run.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is not a run folder: it has none of run.json, run.db, results.jsonl, code-results.jsonl, theorems/, \
     trace.jsonl, graph.json and rollout.jsonl; give a folder written by --out, or an attempt's folder in it"
)]
pub struct NoRun(PathBuf);

/// Rows to which the rows of a run are added, with the place of each attempt.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    places: HashMap<(usize, String, Option<u32>), usize>,
    /// The places of rows that were added or changed, in order.
    pub(crate) changed: Vec<usize>,
}

impl Rows {
    /// Adds a row, or replaces that of the same attempt.
    fn set(&mut self, row: Row) {
        let key = |attempt| (row.run, row.theorem.clone(), attempt);
        // The row of a theorem without attempts becomes that of its first.
        let place = self.places.get(&key(row.attempt)).copied();
        let place = place.or_else(|| self.places.remove(&key(None)));
        let place = match place {
            Some(place) if self.rows[place] == row => {
                self.places.insert(key(row.attempt), place);
                return;
            }
            Some(place) => place,
            None => self.rows.len(),
        };
        self.places.insert(key(row.attempt), place);
        self.changed.push(place);
        if place == self.rows.len() {
            self.rows.push(row);
        } else {
            self.rows[place] = row;
        }
    }

    fn has(&self, run: usize, theorem: &str, attempt: u32) -> bool {
        self.places.contains_key(&(run, theorem.to_owned(), Some(attempt)))
    }
}

impl Run {
    /// Reads a run's folder, or that of an attempt.
    ///
    /// # Errors
    /// It holds nothing of a run.
    pub(crate) fn read(path: &Path, number: usize, rows: &mut Rows) -> Result<Self, NoRun> {
        let path = match path.file_name().and_then(|name| name.to_str()) {
            // The file of a search stands for its folder.
            Some(name) if FILES.contains(&name) && path.is_file() => path.parent().unwrap_or(path),
            _ => path,
        };
        let known = ["run.json", "run.db", RESULTS, andor_run::code::RESULTS, "theorems"];
        if !known.iter().chain(&FILES).any(|name| path.join(name).exists()) {
            return Err(NoRun(path.to_owned()));
        }
        let mut run = Self {
            path: path.to_owned(),
            number,
            about: HashMap::new(),
            results: HashMap::new(),
            results_file: Tail::new(&path.join(RESULTS), Kind::Results),
            code_file: Tail::new(&path.join(andor_run::code::RESULTS), Kind::CodeResults),
            notes: Vec::new(),
            listed: None,
            named: HashMap::new(),
        };
        if FILES.iter().any(|name| path.join(name).is_file()) {
            run.single(rows);
            return Ok(run);
        }
        run.theorems(rows);
        run.refresh(rows);
        Ok(run)
    }

    pub(crate) fn name(&self) -> String {
        let path = fs_err::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        path.file_name()
            .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// Whether its folder is no longer there.
    pub(crate) fn is_lost(&self) -> bool {
        !self.path.exists()
    }

    /// What is missing.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        for (file, name) in [(&self.results_file, RESULTS), (&self.code_file, andor_run::code::RESULTS)] {
            if let Some(why) = &file.failed {
                notes.push(format!("Only a part of {name} is shown: {why}"));
            }
        }
        notes
    }

    /// The folder is that of an attempt.
    fn single(&mut self, rows: &mut Rows) {
        let (theorem, attempt) = named(&self.path);
        self.notes.push("This is the folder of an attempt: results are in the folder of its run.".to_owned());
        rows.set(self.row(theorem, attempt.unwrap_or(1), self.path.clone()));
    }

    /// Reads what was to be proved.
    fn theorems(&mut self, rows: &mut Rows) {
        let mut ids = Vec::new();
        let database = self.path.join("run.db");
        if database.is_file() {
            match Store::read(&database).and_then(|store| Ok((store.problems()?, store.results()?))) {
                Ok((problems, results)) => {
                    for problem in problems {
                        let split = problem.split().map(str::to_owned);
                        let (id, statement) = (problem.theorem.id, problem.theorem.statement);
                        ids.push(id.clone());
                        self.about.insert(id, About { statement, split });
                    }
                    for result in results {
                        self.keep_proof(result);
                    }
                }
                Err(why) => self.notes.push(format!("Statements and splits are not shown: {why}")),
            }
        } else if !self.path.join(andor_run::code::RESULTS).is_file() {
            self.notes.push("Statements and splits are not shown: there is no run.db.".to_owned());
        }
        match read_json::<RunRecord>(&self.path.join("run.json"), Kind::Run) {
            Ok(record) if ids.is_empty() => ids = record.theorems,
            Ok(_) => {}
            Err(why) => self.notes.push(format!("The list of theorems may be incomplete: {why}")),
        }
        self.named = ids.iter().map(|id| (folder_name(id), id.clone())).collect();
        for id in ids {
            rows.set(self.bare(id));
        }
        let mut known: Vec<_> = self.results.keys().cloned().collect();
        known.sort();
        for (theorem, attempt) in known {
            rows.set(self.row(theorem, attempt, PathBuf::new()));
        }
    }

    /// Reads results that were added since, and finds attempts that have begun.
    pub(crate) fn refresh(&mut self, rows: &mut Rows) {
        let mut proofs: Vec<AttemptResult> = Vec::new();
        let mut codes: Vec<CodeResult> = Vec::new();
        for (tail, name) in
            [(&mut self.results_file, RESULTS), (&mut self.code_file, andor_run::code::RESULTS)]
        {
            if tail.is_replaced() {
                // The same results in order, or those of a run that was resumed.
                let kind = if name == RESULTS { Kind::Results } else { Kind::CodeResults };
                *tail = Tail::new(&self.path.join(name), kind);
            }
        }
        if self.path.join(RESULTS).is_file() {
            self.results_file.read(|result| {
                proofs.push(result);
                Ok(())
            });
        }
        if self.path.join(andor_run::code::RESULTS).is_file() {
            self.code_file.read(|result| {
                codes.push(result);
                Ok(())
            });
        }
        let mut new = Vec::new();
        for proof in proofs {
            new.push((proof.theorem.clone(), proof.attempt));
            self.keep_proof(proof);
        }
        for code in codes {
            let key = (code.task.clone(), code.attempt);
            new.push(key.clone());
            self.results.insert(key, AnyResult::Code(Box::new(code)));
        }
        let any = !new.is_empty();
        for (theorem, attempt) in new {
            rows.set(self.row(theorem, attempt, PathBuf::new()));
        }
        if any || self.listed.is_none_or(|listed| listed.elapsed() > LISTING) {
            self.listed = Some(Instant::now());
            self.list(rows);
        }
    }

    fn keep_proof(&mut self, result: AttemptResult) {
        self.results.insert((result.theorem.clone(), result.attempt), AnyResult::Proof(Box::new(result)));
    }

    /// Finds the folders of attempts without results.
    fn list(&mut self, rows: &mut Rows) {
        let Ok(theorems) = fs_err::read_dir(self.path.join("theorems")) else { return };
        let mut found = Vec::new();
        for theorem in theorems.flatten() {
            let folder = theorem.file_name().to_string_lossy().into_owned();
            let id = self.named.get(&folder).cloned().unwrap_or_else(|| decoded(&folder));
            let Ok(attempts) = fs_err::read_dir(theorem.path()) else { continue };
            for attempt in attempts.flatten() {
                let number =
                    attempt.file_name().to_str().and_then(|name| name.strip_prefix("attempt-")?.parse().ok());
                let Some(number) = number else { continue };
                if !rows.has(self.number, &id, number)
                    && FILES.iter().any(|name| attempt.path().join(name).is_file())
                {
                    found.push((id.clone(), number, attempt.path()));
                }
            }
        }
        found.sort();
        for (id, number, folder) in found {
            rows.set(self.row(id, number, folder));
        }
    }

    /// The row of a theorem without an attempt.
    fn bare(&self, theorem: String) -> Row {
        Row {
            run: self.number,
            attempt: None,
            outcome: "not begun",
            mark: Mark::Busy,
            blind: false,
            level: None,
            stop: String::new(),
            split: self.about.get(&theorem).and_then(|about| about.split.clone()),
            iterations: None,
            nodes: None,
            candidates: None,
            tokens: None,
            ms: None,
            has_tree: false,
            folder: PathBuf::new(),
            theorem,
        }
    }

    /// The row of an attempt.
    fn row(&self, theorem: String, attempt: u32, folder: PathBuf) -> Row {
        let folder = if folder.as_os_str().is_empty() {
            andor_artifact::folders::attempt_folder(&self.path, &theorem, attempt)
        } else {
            folder
        };
        let mut row = Row {
            attempt: Some(attempt),
            outcome: "no result",
            has_tree: FILES.iter().any(|name| folder.join(name).is_file()),
            folder,
            ..self.bare(theorem)
        };
        match self.results.get(&(row.theorem.clone(), attempt)) {
            Some(AnyResult::Proof(result)) => {
                row.outcome = result.outcome.phrase();
                row.mark = mark(result.outcome);
                row.blind = result.role == Role::Blind;
                row.level = result.verification_level;
                row.stop.clone_from(&result.stop_reason);
                row.iterations = Some(result.spent.iterations);
                row.nodes = Some(result.spent.nodes);
                row.candidates = Some(result.spent.candidates);
                let model = &result.spent.model;
                row.tokens = Some(model.prompt_tokens.saturating_add(model.completion_tokens));
                row.ms = Some(result.timing.total_ms);
            }
            Some(AnyResult::Code(result)) => {
                row.outcome = match result.outcome {
                    CodeOutcome::Solved => "solved",
                    CodeOutcome::NotSolved => "not solved",
                    CodeOutcome::InfrastructureError => "failed",
                    CodeOutcome::Interrupted => "interrupted",
                };
                row.mark = match result.outcome {
                    CodeOutcome::Solved => Mark::Good,
                    CodeOutcome::NotSolved => Mark::None,
                    CodeOutcome::InfrastructureError | CodeOutcome::Interrupted => Mark::Bad,
                };
                row.stop.clone_from(&result.ended_by);
                row.iterations = Some(result.steps);
                row.nodes = Some(result.nodes);
                let model = &result.model;
                row.tokens = Some(model.prompt_tokens.saturating_add(model.completion_tokens));
                row.ms = Some(result.total_ms);
            }
            None => {}
        }
        row
    }
}

fn mark(outcome: Outcome) -> Mark {
    match outcome {
        Outcome::Accepted => Mark::Good,
        Outcome::Claimed | Outcome::Unverified | Outcome::AxiomNotAllowed => Mark::Poor,
        Outcome::NotProved => Mark::None,
        Outcome::Refused => Mark::Refused,
        Outcome::InfrastructureError | Outcome::Interrupted => Mark::Bad,
    }
}

/// The theorem and the number of an attempt, from the name of its folder.
pub(crate) fn named(folder: &Path) -> (String, Option<u32>) {
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    let path = fs_err::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let attempt = name(Some(&path)).strip_prefix("attempt-").and_then(|n| n.parse().ok());
    let theorem = if attempt.is_some() { name(path.parent()) } else { name(Some(&path)) };
    (decoded(&theorem), attempt)
}

/// The id of a theorem from the name of its folder, as far as that tells it.
fn decoded(folder: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = folder.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
