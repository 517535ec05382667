//! Recorded requests and answers: a file that is appended to, and a model that answers from it.
//!
//! The file holds one JSON object a line, compressed with gzip; `zcat` shows it. Each record is flushed when it is
//! written, so a program that is killed loses at most the record that it was writing. A request is stored with its first
//! answer only.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use fs_err::{self as fs, File, OpenOptions};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::digest::Digest;
use crate::error::{ModelError, Unanswered};
use crate::model::Model;
use crate::request::Request;

/// The version of the format.
const VERSION: u32 = 1;

/// The first bytes of a compressed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The version of the format.
    pub v: u32,
    /// The model asked.
    pub model: String,
    /// The digest of the request.
    pub digest: Digest,
    /// The request, if this is its first answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Request>,
    /// The answer, or why there was none.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An answer.
    Answer(Answer),
    /// No answer.
    Error(Unanswered),
}

impl From<Result<Answer, Unanswered>> for Outcome {
    fn from(result: Result<Answer, Unanswered>) -> Self {
        result.map_or_else(Self::Error, Self::Answer)
    }
}

impl From<Outcome> for Result<Answer, Unanswered> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answer(answer) => Ok(answer),
            Outcome::Error(error) => Err(error),
        }
    }
}

fn failed(path: &Path, what: impl fmt::Display) -> ModelError {
    ModelError::Record { message: format!("{}: {what}", path.display()) }
}

/// What a record holds.
#[derive(Debug)]
struct Contents {
    entries: Vec<Entry>,
    /// Whether the file ends as it should.
    whole: bool,
}

/// Reads a record. The rest of a file that was cut off is ignored; a line in the middle that cannot be read is an error.
fn contents(path: &Path) -> Result<Contents, ModelError> {
    let file = File::open(path).map_err(|e| ModelError::Record { message: e.to_string() })?;
    if file.metadata().map_err(|e| ModelError::Record { message: e.to_string() })?.len() == 0 {
        return Ok(Contents { entries: Vec::new(), whole: true });
    }
    let mut file = BufReader::new(file);
    if !file.fill_buf().is_ok_and(|begin| begin.starts_with(&GZIP[..begin.len().min(GZIP.len())])) {
        return Err(failed(path, "this is no record: it is not compressed with gzip"));
    }
    let mut lines = BufReader::new(MultiGzDecoder::new(file));
    let mut entries = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        // What cannot be decompressed was cut off: the records before it were flushed.
        let cut = lines.read_until(b'\n', &mut line).is_err();
        if cut || line.last().is_some_and(|last| *last != b'\n') {
            return Ok(Contents { entries, whole: false });
        }
        if line.is_empty() {
            break;
        }
        let entry: Entry =
            serde_json::from_slice(&line).map_err(|e| failed(path, format_args!("line {number}: {e}")))?;
        if entry.v != VERSION {
            let message =
                format!("line {number} has version {}, this program reads version {VERSION}", entry.v);
            return Err(failed(path, message));
        }
        entries.push(entry);
    }
    Ok(Contents { entries, whole: true })
}

/// All entries of a record, in the order in which they were written. The rest of a file that was cut off is ignored.
pub fn read(path: &Path) -> Result<Vec<Entry>, ModelError> {
    Ok(contents(path)?.entries)
}

/// A record that is being written. It has one owner: two programs must not write to the same file.
pub struct Record {
    path: PathBuf,
    state: Mutex<Writing>,
}

struct Writing {
    out: GzEncoder<File>,
    /// The requests that are stored already.
    stored: HashSet<Digest>,
}

impl Record {
    /// Opens a record to append to it; makes it if there is none.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let path = path.into();
        let before =
            if path.exists() { contents(&path)? } else { Contents { entries: Vec::new(), whole: true } };
        if !before.whole {
            rewrite(&path, &before.entries).map_err(|e| failed(&path, e))?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(|e| failed(&path, e))?;
        let stored = before.entries.into_iter().filter(|e| e.request.is_some()).map(|e| e.digest).collect();
        let state = Writing { out: GzEncoder::new(file, Compression::default()), stored };
        Ok(Self { path, state: Mutex::new(state) })
    }

    /// Appends what came of a request.
    pub fn add(
        &self,
        model: &str,
        request: &Request,
        outcome: Result<Answer, Unanswered>,
    ) -> Result<(), ModelError> {
        let digest = Digest::of(model, request);
        let mut state = self.state.lock().expect("no writer panics with the lock");
        let request = (!state.stored.contains(&digest)).then(|| request.clone());
        let entry = Entry { v: VERSION, model: model.to_owned(), digest, request, outcome: outcome.into() };
        put(&mut state.out, &entry).map_err(|e| failed(&self.path, e))?;
        state.stored.insert(digest);
        Ok(())
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("path", &self.path).finish_non_exhaustive()
    }
}

fn put(out: &mut GzEncoder<File>, entry: &Entry) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Replaces a file that was cut off by what could be read of it.
fn rewrite(path: &Path, entries: &[Entry]) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut out = GzEncoder::new(File::create(&new)?, Compression::default());
    for entry in entries {
        put(&mut out, entry)?;
    }
    out.finish()?.sync_all()?;
    fs::rename(&new, path)
}

/// A model whose answers are recorded.
#[derive(Debug)]
pub struct Recorded<M> {
    model: M,
    record: Arc<Record>,
}

impl<M: Model> Recorded<M> {
    /// Records what the model answers.
    pub fn new(model: M, record: Arc<Record>) -> Self {
        Self { model, record }
    }
}

#[async_trait]
impl<M: Model> Model for Recorded<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    /// As the model itself. An answer that cannot be recorded is an error, because the search could not be repeated.
    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        let outcome = self.model.ask(request).await;
        self.record.add(self.model.name(), request, outcome.clone())?;
        outcome
    }
}

/// A model that answers from a record: to each request what was answered to it then, in the order of the record.
#[derive(Debug)]
pub struct Replay {
    name: String,
    answers: Mutex<HashMap<Digest, Answers>>,
    otherwise: Option<Arc<dyn Model>>,
}

#[derive(Debug, Default)]
struct Answers {
    left: VecDeque<Outcome>,
    taken: u64,
}

impl Replay {
    /// Answers from the record of a model. If the record has several, `model` says which.
    pub fn open(path: &Path, model: Option<&str>) -> Result<Self, ModelError> {
        let Contents { entries, whole } = contents(path)?;
        if !whole {
            let (path, read) = (path.display(), entries.len());
            tracing::warn!(
                "{path}: the record is damaged or cut off; only the first {read} answers can be read"
            );
        }
        Self::of(entries, model).map_err(|what| failed(path, what))
    }

    /// Answers from these entries.
    fn of(entries: Vec<Entry>, model: Option<&str>) -> Result<Self, String> {
        let mut names: Vec<&str> = entries.iter().map(|e| e.model.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let name = match (model, &names[..]) {
            (Some(model), names) if names.contains(&model) => model.to_owned(),
            (Some(model), _) => {
                return Err(format!("model `{model}` was not asked; asked: {}", names.join(", ")));
            }
            (None, [name]) => (*name).to_owned(),
            (None, []) => return Err("it is empty: no model was asked".to_owned()),
            (None, _) => return Err(format!("several models were asked, give one of {}", names.join(", "))),
        };
        let mut answers: HashMap<Digest, Answers> = HashMap::new();
        for entry in entries.into_iter().filter(|e| e.model == name) {
            answers.entry(entry.digest).or_default().left.push_back(entry.outcome);
        }
        Ok(Self { name, answers: Mutex::new(answers), otherwise: None })
    }

    /// Asks this model where the record has no answer.
    #[must_use]
    pub fn or_else_ask(self, model: Arc<dyn Model>) -> Self {
        Self { otherwise: Some(model), ..self }
    }

    /// The number of recorded answers that were not asked for yet.
    pub fn left(&self) -> usize {
        self.answers.lock().expect("no reader panics with the lock").values().map(|a| a.left.len()).sum()
    }

    fn take(&self, digest: Digest) -> Result<Outcome, u64> {
        let mut answers = self.answers.lock().expect("no reader panics with the lock");
        let Some(of_request) = answers.get_mut(&digest) else { return Err(0) };
        let outcome = of_request.left.pop_front().ok_or(of_request.taken)?;
        of_request.taken += 1;
        Ok(outcome)
    }
}

#[async_trait]
impl Model for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        let digest = Digest::of(&self.name, request);
        match (self.take(digest), &self.otherwise) {
            (Ok(outcome), _) => outcome.into(),
            (Err(_), Some(model)) => model.ask(request).await,
            (Err(asked), None) => {
                let (model, prompt) = (self.name.clone(), request.input.excerpt());
                Err(ModelError::MissingRecord { digest, model, prompt, asked }.into())
            }
        }
    }
}
