//! What attempts of agents have in common, whatever their task: the search, its journal, and why it ended early.

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_config::AgentConfig;
use andor_engine::event::AgentStep;
use andor_model::{Answer, Model, ModelError, Request, Unanswered};
use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::agent::AgentState;
use crate::environment::EnvironmentError;
use crate::journal::{Agents, Journal, JournalError};
use crate::search::{Search, SearchResult};
use crate::tree::{Child, Key, Tree};

/// The file of an attempt's folder with the search over the agent's states.
pub const JOURNAL: &str = "rollout.jsonl";

/// How much of a tree is kept in memory.
const MEMORY_BYTES: u64 = 1 << 30;

/// Why a search did not end by itself.
pub(crate) enum Stopped {
    Cancelled,
    TimeUp,
    Failed(String),
}

/// Makes a search, in its journal if there is one, and tells of its steps.
pub(crate) async fn searched(
    search: Search<AgentState>,
    root: Child<AgentState>,
    journal: Option<&mut Journal<AgentState>>,
    cancel: &CancellationToken,
    deadline: Option<Instant>,
    told: &mut (dyn FnMut(AgentStep) + Send),
) -> Result<SearchResult<AgentState>, Stopped> {
    let (tell, mut steps) = unbounded_channel();
    let search = telling(search, tell);
    let searching = async {
        match journal {
            Some(journal) => search.run_in(journal).await,
            None => search.run(root).await,
        }
    };
    let time_up = async {
        match deadline {
            Some(deadline) => tokio::time::sleep_until(deadline).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(searching, time_up);
    loop {
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(Stopped::Cancelled),
            Some(step) = steps.recv() => told(step),
            searched = &mut searching => return searched.map_err(|error| Stopped::Failed(chain(&error))),
            () = &mut time_up => return Err(Stopped::TimeUp),
        }
    }
}

/// What the environment of a solution holds, from memory or from the journal.
pub(crate) async fn saved<S: DeserializeOwned>(
    tree: &Tree<AgentState>,
    solution: Key,
    journal: Option<&mut Journal<AgentState>>,
) -> Result<S, JournalError> {
    let state = match (tree.node(solution).state(), journal) {
        (Some(state), _) => Arc::clone(state),
        (None, Some(journal)) => journal.state(tree, solution).await?,
        (None, None) => unreachable!("without a journal all states are in memory"),
    };
    let in_state = |source| JournalError::State { node: tree.id(solution), source };
    let saved = state.environment.serialize().await.map_err(in_state)?;
    S::deserialize(&saved).map_err(|error| in_state(EnvironmentError::new(error)))
}

/// What of a configuration decides how a search goes on, so that its journal is continued only by the same.
pub(crate) fn of_search(config: &AgentConfig) -> AgentConfig {
    AgentConfig { max_steps: None, parallel: None, ..config.clone() }
}

/// The journal of an attempt: the one that is there, or a new one if there is none or it is of another search.
pub(crate) async fn opened(
    path: &Path,
    settings: Value,
    root: Child<AgentState>,
) -> Result<Journal<AgentState>, JournalError> {
    let codec = || Agents { environment: Arc::clone(&root.state.environment) };
    if has_root(path) {
        let journal = Journal::open(path, codec())?;
        if journal.settings() == &settings {
            return Ok(journal.limit_memory(MEMORY_BYTES));
        }
        tracing::warn!("{}: it is of a search with other settings, and replaced", path.display());
    }
    if path.exists() {
        fs_err::remove_file(path)?;
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let codec = codec();
    Ok(Journal::create(path, codec, settings, root).await?.limit_memory(MEMORY_BYTES))
}

/// Whether a journal has its first two lines: without them its program was killed before the search began.
fn has_root(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.iter().filter(|byte| **byte == b'\n').take(2).count() == 2)
}

/// The search, which also tells of each step.
fn telling(search: Search<AgentState>, told: UnboundedSender<AgentStep>) -> Search<AgentState> {
    let Search { prune, .. } = search;
    let prune = Box::new(move |tree: &Tree<AgentState>| {
        let best = tree.nodes().filter_map(|(_, node)| node.score()).max_by(f64::total_cmp);
        let step = AgentStep { nodes: tree.len() as u64, tokens: tree.cost(), best };
        // Nobody listens any more once the attempt has ended.
        let _ = told.send(step);
        prune(tree)
    });
    Search { prune, ..search }
}

/// An error with all its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// A model that remembers whether it ever answered.
#[derive(Debug)]
pub(crate) struct Noting {
    model: Arc<dyn Model>,
    asked: Mutex<Asked>,
}

#[derive(Debug, Default)]
struct Asked {
    answered: bool,
    refused: Option<ModelError>,
}

impl Noting {
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        Self { model, asked: Mutex::default() }
    }

    /// Why it refused, if it never answered.
    pub(crate) fn refused(&self) -> Option<ModelError> {
        let asked = self.asked.lock().expect("nothing panics with the lock");
        asked.refused.clone().filter(|_| !asked.answered)
    }
}

#[async_trait]
impl Model for Noting {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        let answer = self.model.ask(request).await;
        let mut asked = self.asked.lock().expect("nothing panics with the lock");
        match &answer {
            Ok(_) => asked.answered = true,
            Err(failed) => asked.refused = Some(failed.error.clone()),
        }
        drop(asked);
        answer
    }
}
