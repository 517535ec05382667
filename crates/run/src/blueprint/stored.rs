//! Reads back what a run of a blueprint left in its folder, and works it out again.

use std::path::Path;

use andor_artifact::blueprint::{Blueprint as Record, BlueprintRun, NodeRecord, NodeState};
use andor_artifact::files::read_json;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::version::Kind;
use andor_core::theorem::System;
use andor_dataset::Problem;
use andor_env::checker::{Demand, Level, Verdict, judge};
use andor_env::environment::Environment;

use super::graph::Progress;
use super::node::{Blueprint, sentence};
use super::read::{BlueprintError, of_record};
use super::whole::whole;
use super::work::{DISPROOF, Review, Task, Work};
use crate::orchestrate::RunError;
use crate::store::{Store, StoreError};

/// The file of a run's folder with the blueprint and its states.
pub const FILE: &str = "blueprint.json";

/// Reads what a run of a blueprint left in its folder; `None` if the folder is that of another run. A node of which the
/// file says more than the stored results bear out is [`NodeState::Unverified`].
///
/// # Errors
///
/// The file or the database cannot be read.
pub fn read_run(folder: &Path) -> Result<Option<BlueprintRun>, RunError> {
    let file = folder.join(FILE);
    if !file.is_file() {
        return Ok(None);
    }
    let mut run: BlueprintRun = read_json(&file, Kind::BlueprintRun)?;
    let (problems, results) = stored(folder)?;
    let is_borne_out = |id: &str, statement: Option<&str>| {
        let is_stated = |problem: &Problem| {
            problem.theorem.id == id && statement.is_none_or(|text| text == problem.theorem.statement)
        };
        problems.iter().any(is_stated)
            && results.iter().any(|result| result.theorem == id && result.outcome == Outcome::Accepted)
    };
    let mut is_doubtful = false;
    for node in &mut run.nodes {
        let name = &node.node.name;
        let disproof = format!("{name}{DISPROOF}");
        if node.disproof.is_some() && !is_borne_out(&disproof, None) {
            node.disproof = None;
        }
        let holds = match node.state {
            NodeState::Proved | NodeState::FullyProved => {
                stated(node, &run.system).is_some_and(|statement| is_borne_out(name, Some(&statement)))
            }
            NodeState::Disproved => node.disproof.is_some(),
            _ => true,
        };
        if !holds {
            is_doubtful = true;
            node.state = NodeState::Unverified;
            node.detail = Some("run.db has no accepted proof of it".to_owned());
        }
    }
    if is_doubtful {
        for node in run.nodes.iter_mut().filter(|node| node.state == NodeState::FullyProved) {
            node.state = NodeState::Proved;
        }
        if let Some(whole) = &mut run.whole {
            whole.accepted = false;
            whole.verification_level = None;
            whole.error = Some("unverified: a node is".to_owned());
        }
    }
    Ok(Some(run))
}

/// The sentence of a node that is no definition.
fn stated(node: &NodeRecord, system: &str) -> Option<String> {
    let (system, text) = (system.parse::<System>().ok()?, node.node.statement.as_deref()?);
    sentence(&node.node.name, text, system).ok()
}

/// The results that a run in a folder stored.
pub(super) fn results(folder: &Path) -> Result<Vec<AttemptResult>, RunError> {
    Ok(stored(folder)?.1)
}

/// The theorems and the results that a run in a folder stored.
fn stored(folder: &Path) -> Result<(Vec<Problem>, Vec<AttemptResult>), StoreError> {
    let database = folder.join("run.db");
    if !database.is_file() {
        return Ok(Default::default());
    }
    match Store::read(&database) {
        // It was killed while it began.
        Err(StoreError::Empty { .. }) => Ok(Default::default()),
        store => {
            let store = store?;
            Ok((store.problems()?, store.results()?))
        }
    }
}

/// What a run says of its blueprint, worked out again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Again {
    /// What does not hold, each with the node that it is about, if it is about one.
    pub fails: Vec<(Option<String>, String)>,
    /// The axioms on which the final file depends.
    pub axioms: Vec<String>,
    /// Why the final file could not be judged again.
    pub unjudged: Option<String>,
}

/// Why what a run says of its blueprint cannot be worked out again.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// Its files cannot be read.
    #[error(transparent)]
    Stored(#[from] RunError),
    /// What they hold is no blueprint.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
}

/// Works out from the stored results what is proved of a blueprint, and judges its final file again at the level that the
/// run claims. `None` if the folder is that of another run. That a system accepts its definitions is shown by the final file
/// alone.
///
/// # Errors
///
/// It cannot be read.
pub async fn verify(folder: &Path, environment: &dyn Environment) -> Result<Option<Again>, AgainError> {
    let file = folder.join(FILE);
    if !file.is_file() {
        return Ok(None);
    }
    let run: BlueprintRun = read_json(&file, Kind::BlueprintRun).map_err(RunError::from)?;
    let (work, reviews) = work(&file, &run, results(folder)?)?;
    let mut again = Again::default();
    let is_in_whole = run.whole.as_ref().is_some_and(|whole| whole.accepted);
    for node in &run.nodes {
        let progress = work.blueprint.place(&node.node.name).map(|place| reviews[place].progress);
        let holds = match node.state {
            NodeState::Proved => progress == Some(Progress::Done),
            NodeState::FullyProved => progress == Some(Progress::Done) && is_in_whole,
            NodeState::Disproved => progress == Some(Progress::Disproved),
            _ => true,
        };
        if !holds {
            let what = format!("it is not {} by the results in run.db", node.state.words());
            again.fails.push((Some(node.node.name.clone()), what));
        }
    }
    let Some(claimed) = run.whole.filter(|whole| whole.accepted) else { return Ok(Some(again)) };
    let Some(found) = whole(&work, &reviews, environment) else {
        again
            .fails
            .push((None, "there is a final file, and nothing is proved by the results in run.db".to_owned()));
        return Ok(Some(again));
    };
    if fs_err::read_to_string(folder.join(&found.file)).ok().as_deref() != Some(found.text()) {
        again.fails.push((None, format!("{} is not what the results in run.db make of it", found.file)));
    }
    let level =
        Level::VERIFIED.iter().copied().find(|level| Some(level.number()) == claimed.verification_level);
    let level = level.unwrap_or(Level::Compiled);
    let demand = Demand { least: level, ..level.into() };
    match judge(environment.checker(), &found.claim, demand).await {
        Verdict::Accepted { axioms, .. } => again.axioms = axioms,
        Verdict::Rejected { level, message, .. } => {
            again.fails.push((None, format!("{} is rejected at {level}: {message}", found.file)));
        }
        Verdict::Infrastructure { error, .. } => again.unjudged = Some(format!("at {level}: {error}")),
    }
    Ok(Some(again))
}

/// How the nodes of a run differ from those of a blueprint that its user trusts: each that does, and how. A statement that a
/// planner corrected differs, unless it is that of a root; nothing that is given rests on it.
///
/// # Errors
///
/// What the run left cannot be read.
pub fn compare(
    folder: &Path,
    trusted: &Blueprint,
) -> Result<Vec<(Option<String>, &'static str)>, AgainError> {
    let file = folder.join(FILE);
    let run: BlueprintRun = read_json(&file, Kind::BlueprintRun).map_err(RunError::from)?;
    let made = of_record(&file, &record(&run), None)?;
    let corrected = |name: &str| run.refinements.iter().any(|refinement| refinement.node == name);
    let mut found = Vec::new();
    for node in made.nodes() {
        let name = node.name();
        let is_added = run.nodes.iter().any(|kept| kept.node.name == name && kept.origin.is_some());
        match trusted.place(name).map(|place| &trusted.nodes()[place]) {
            None if is_added => {}
            None => found.push((Some(name.to_owned()), "your file has no such node")),
            Some(own) if own.text == node.text || (!own.is_root && corrected(name)) => {}
            Some(_) => found.push((Some(name.to_owned()), "your file says something else of it")),
        }
    }
    if made.header != trusted.header {
        found.push((None, "your file has another header"));
    }
    Ok(found)
}

/// The blueprint that a run has come to.
fn record(run: &BlueprintRun) -> Record {
    Record {
        opening: None,
        system: run.system.clone(),
        header: run.header.clone(),
        header_file: None,
        nodes: run.nodes.iter().map(|node| node.node.clone()).collect(),
    }
}

/// The work on a blueprint as results leave it.
fn work(
    file: &Path,
    run: &BlueprintRun,
    results: Vec<AttemptResult>,
) -> Result<(Work, Vec<Review>), BlueprintError> {
    let mut blueprint = of_record(file, &record(run), None)?;
    blueprint.set_origins(|name| {
        let node = run.nodes.iter().find(|node| node.node.name == name);
        node.and_then(|node| node.origin.as_deref())
    });
    let mut work = Work::new(blueprint, None, results, (1, false));
    work.refinements.clone_from(&run.refinements);
    loop {
        let reviews = work.review();
        let waiting = reviews.iter().filter(|review| review.task == Some(Task::Define));
        let digests: Vec<String> =
            waiting.filter_map(|review| Some(review.theorem.as_ref()?.digest())).collect();
        if digests.is_empty() {
            return Ok((work, reviews));
        }
        work.defined.extend(digests.into_iter().map(|digest| (digest, Ok(()))));
    }
}
