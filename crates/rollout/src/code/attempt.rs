//! An attempt of an agent at a programming task: a search over its states, and the record of what came of it.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_artifact::code::{CodeOutcome, CodeResult};
use andor_artifact::files::FileError;
use andor_artifact::result::ModelUsage;
use andor_config::Config;
use andor_engine::event::AgentStep;
use andor_engine::models::Acting;
use andor_model::{Model, Prices, Usage};
use futures_util::FutureExt as _;
use serde::Deserialize as _;
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Code, Task, files};
use crate::agent::AgentState;
use crate::attempt::{JOURNAL, Noting, Stopped, chain, of_search, opened, saved, searched};
use crate::configured::{agent, preset};
use crate::journal::{self, Journal, JournalError};
use crate::search::{End, SearchResult};
use crate::tree::{Child, Tree, VerifyResult};

/// What an agent is told that calls no tool.
const REMINDER: &str = "Call a tool. If the program is done, submit it.";

/// The folder in an attempt's with the files of its solution.
const SOLUTION: &str = "solution";

/// What to attempt.
#[derive(Clone, Debug)]
pub struct CodeRequest {
    /// The task.
    pub task: Arc<Task>,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// The configuration, with the seed of this attempt.
    pub config: Config,
    /// The digest of the run's configuration.
    pub config_digest: String,
    /// The folder for its files, if they are kept. A journal that is there is continued.
    pub directory: Option<PathBuf>,
    /// Folders that the code must not see, besides that of its task: those with the work of other branches.
    pub hidden: Vec<PathBuf>,
}

/// Makes an attempt. Returns an error only if files cannot be written; every other failure, including a panic, is part of
/// the result.
///
/// # Errors
///
/// If a file of its folder cannot be written.
pub async fn attempt(
    request: &CodeRequest,
    acting: &Acting,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(AgentStep) + Send),
) -> Result<CodeResult, FileError> {
    let began = Instant::now();
    let mut result = CodeResult {
        task: request.task.id.clone(),
        task_digest: request.task.digest(),
        config_digest: request.config_digest.clone(),
        attempt: request.attempt,
        seed: request.config.seed,
        outcome: CodeOutcome::NotSolved,
        score: 0.0,
        tests: request.task.tests.len() as u64,
        ended_by: String::new(),
        solution: BTreeMap::new(),
        node: None,
        tree_digest: None,
        steps: 0,
        nodes: 0,
        model: ModelUsage::default(),
        total_ms: 0.0,
    };
    // Unwinding is safe: what the attempt changed is dropped, apart from the fields that it filled in.
    let made = AssertUnwindSafe(make(request, acting, cancel, told, began, &mut result)).catch_unwind().await;
    match made {
        Ok(Ok(())) => {}
        Ok(Err(JournalError::Io(error))) => return Err(error.into()),
        Ok(Err(JournalError::File(error))) => return Err(error),
        Ok(Err(error)) => failed(&mut result, chain(&error)),
        Err(_) => failed(&mut result, "the attempt panicked; please report this".to_owned()),
    }
    result.total_ms = began.elapsed().as_secs_f64() * 1e3;
    Ok(result)
}

fn failed(result: &mut CodeResult, why: String) {
    result.outcome = CodeOutcome::InfrastructureError;
    result.ended_by = why;
}

async fn make(
    request: &CodeRequest,
    acting: &Acting,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(AgentStep) + Send),
    began: Instant,
    result: &mut CodeResult,
) -> Result<(), JournalError> {
    let code = match Code::new(Arc::clone(&request.task)).await {
        Ok(code) => code.hiding(&request.hidden),
        Err(error) => {
            failed(result, error.to_string());
            return Ok(());
        }
    };
    let config = request.config.agent.clone().unwrap_or_default();
    let noting = Arc::new(Noting::new(Arc::clone(&acting.model)));
    let asked = Acting { model: Arc::clone(&noting) as Arc<dyn Model>, ..acting.clone() };
    let budget = &request.config.budget;
    let search = preset(agent(&config, &asked, REMINDER), &config, budget, request.config.seed);
    let root = Child::new(AgentState::new(code.task(), Arc::new(code.clone())), VerifyResult::scored(0.0));
    let settings = json!({
        "task": request.task.id,
        "task_digest": result.task_digest,
        "seed": request.config.seed,
        "agent": of_search(&config),
    });
    let path = request.directory.as_ref().map(|folder| folder.join(JOURNAL));
    let mut journal = match &path {
        Some(path) => Some(opened(path, settings, root.clone()).await?),
        None => None,
    };
    let time = request.config.budget().time;
    let deadline = time.map(|time| began + time);
    let searched = match searched(search, root, journal.as_mut(), cancel, deadline, told).await {
        Ok(searched) => searched,
        Err(stopped) => {
            match stopped {
                Stopped::Cancelled => result.outcome = CodeOutcome::Interrupted,
                Stopped::TimeUp => {
                    let seconds = time.unwrap_or_default().as_secs_f64();
                    result.ended_by = format!("the time limit of {seconds} s (--time) was reached");
                }
                Stopped::Failed(why) => failed(result, why),
            }
            if let Some(path) = &path {
                let recorded = journal::read(path)?;
                note_tree(result, &recorded.tree, recorded.steps);
                note_usage(result, &recorded.tree, &usages(&recorded.tree), &acting.prices);
            }
            return Ok(());
        }
    };
    note_tree(result, &searched.tree, searched.steps);
    match &path {
        Some(path) => {
            let tree = journal::read(path)?.tree;
            note_usage(result, &tree, &usages(&tree), &acting.prices);
        }
        None => {
            let states = searched.tree.nodes().map(|(_, node)| node.state());
            let usages: Vec<Usage> =
                states.map(|state| state.map(|state| state.usage).unwrap_or_default()).collect();
            note_usage(result, &searched.tree, &usages, &acting.prices);
        }
    }
    if searched.tree.solution().is_some() {
        return note_solution(result, &code, &searched.tree, journal.as_mut(), request.directory.as_deref())
            .await;
    }
    note_failure(result, request, &searched);
    // A model that never answered says nothing about the task.
    let answered = searched.tree.nodes().any(|(_, node)| node.cost() > 0);
    if let (Some(error), false) = (noting.refused(), answered) {
        let advice = "if its server cannot call tools, have the agent call them by text (--tool-calls text)";
        failed(result, format!("the model refused to answer: {error}; {advice}"));
    }
    Ok(())
}

fn note_tree<S>(result: &mut CodeResult, tree: &Tree<S>, steps: u64) {
    result.tree_digest = Some(format!("{:016x}", tree.digest()));
    result.steps = steps;
    result.nodes = tree.len() as u64;
    let scores = tree.nodes().filter_map(|(_, node)| node.score());
    result.score = scores.max_by(f64::total_cmp).unwrap_or_default();
}

/// What each node of a recorded tree had used, in their order.
fn usages(tree: &Tree<Value>) -> Vec<Usage> {
    let of = |state: &Value| Usage::deserialize(&state["usage"]).unwrap_or_default();
    tree.nodes().map(|(_, node)| node.state().map(|state| of(state)).unwrap_or_default()).collect()
}

fn note_usage<S>(result: &mut CodeResult, tree: &Tree<S>, usages: &[Usage], prices: &Prices) {
    let mut usage = Usage::default();
    for ((_, node), own) in tree.nodes().zip(usages) {
        // That of a node contains that of the nodes above it.
        usage += *own - node.parent().map(|parent| usages[parent.index()]).unwrap_or_default();
    }
    result.model = ModelUsage {
        questions: usage.questions,
        requests: usage.requests,
        retries: usage.retries,
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        waited_ms: 0.0,
        cost: usage.cost(prices),
    };
}

async fn note_solution(
    result: &mut CodeResult,
    beginning: &Code,
    tree: &Tree<AgentState>,
    journal: Option<&mut Journal<AgentState>>,
    folder: Option<&Path>,
) -> Result<(), JournalError> {
    let key = tree.solution().expect("the caller found one");
    let code = beginning.restored(saved(tree, key, journal).await?);
    let given = &beginning.task.files;
    let changed = code.files.iter().filter(|(path, file)| given.get(*path) != Some(file));
    let text = |file: &files::File| String::from_utf8(file.contents.to_vec()).ok();
    result.solution = changed.filter_map(|(path, file)| Some((path.clone(), text(file)?))).collect();
    result.outcome = CodeOutcome::Solved;
    result.node = Some(tree.id(key).to_string());
    "all tests pass".clone_into(&mut result.ended_by);
    if let Some(folder) = folder {
        let folder = folder.join(SOLUTION);
        if folder.exists() {
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::create_dir_all(&folder)?;
        files::write(&code.files, &folder)?;
    }
    Ok(())
}

/// Says why a search that ended found nothing.
fn note_failure(result: &mut CodeResult, request: &CodeRequest, searched: &SearchResult<AgentState>) {
    let budget = &request.config.budget;
    let over = |limit: Option<u64>, spent: u64| limit.filter(|limit| spent >= *limit);
    let (nodes, tokens) = (searched.tree.len() as u64, searched.tree.cost());
    result.ended_by =
        match (searched.end, over(budget.max_nodes, nodes), over(budget.max_tokens_total, tokens)) {
            (End::Steps, ..) => format!("the limit on steps, {} (--max-steps), was reached", searched.steps),
            (_, Some(nodes), _) => format!("the limit on nodes, {nodes} (--max-nodes), was reached"),
            (_, None, Some(tokens)) => {
                format!("the limit on tokens, {tokens} (--max-tokens-total), was reached")
            }
            (_, None, None) => "every branch of the agent ended".to_owned(),
        };
}
