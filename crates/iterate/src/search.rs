//! Searches with a model: rollouts over the theorems to train on, and evaluations on those held out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::files::{FileError, write_bytes, write_json};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::Config;
use andor_dataset::Problem;
use andor_engine::event::Sink;
use andor_report::export::{self, Encoding, Export, Format, View, Writer};
use andor_report::summary::{Failures, has_failed};
use andor_run::estimate;
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{self, Keep, RunRequest};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::error::LoopError;
use crate::server::{Server, ended};

/// What all searches of a loop share.
#[derive(Clone)]
pub struct Searching {
    /// Number of attempts at a time.
    pub jobs: usize,
    /// Ends the loop.
    pub cancel: CancellationToken,
    /// Receives the events of attempts.
    pub sink: Arc<Mutex<dyn Sink>>,
}

/// Theorems to search for proofs of with a model.
pub struct Search {
    /// The theorems.
    pub problems: Vec<Problem>,
    /// The configuration, with the model.
    pub config: Config,
    /// The command that serves the model meanwhile.
    pub serve: Option<String>,
}

/// A run of `attempts` at each theorem, in `folder`; one that was begun there is continued.
async fn run(
    search: Search,
    attempts: u32,
    folder: PathBuf,
    keep: Keep,
    with: &Searching,
) -> Result<Vec<AttemptResult>, LoopError> {
    let Search { problems, mut config, serve } = search;
    if serve.is_some() {
        // It takes its time to start, and says nothing until then.
        config.llm.wait_s = config.llm.wait_s.or(Some(600.0));
    }
    let resume = folder.join("run.db").exists();
    // A configuration names the model by its path, which is another one if the loop's folder was moved. That the loop and
    // the model are the same is checked by their digests.
    let (out, force) = (Some(folder), resume);
    let mut request =
        RunRequest { jobs: with.jobs, out, keep, resume, force, ..RunRequest::new(problems, config) };
    request.config.basin.seeds = (attempts > 1).then_some(attempts);
    let mut server = serve.as_deref().map(Server::start).transpose()?;
    let results = tokio::select! {
        results = orchestrate::run(&request, &with.cancel, Arc::clone(&with.sink)) => results?,
        // The run is dropped: it may be waiting for the server to answer. What is finished is in its database.
        () = ended(&mut server) => return Err(server.expect("a server ended").failed().await),
    };
    if let Some(server) = server {
        server.stop().await;
    }
    if with.cancel.is_cancelled() {
        return Err(LoopError::Interrupted);
    }
    let failures = Failures::among(&results);
    if failures.are_too_many() { Err(LoopError::Failed(failures)) } else { Ok(results) }
}

/// What a rollout leaves: `rollout.jsonl`, a row for each tactic that was tried, and `rates.json`, for each theorem the part of
/// the attempts that proved it.
pub const ROLLOUT: [&str; 2] = ["rollout.jsonl", "rates.json"];

/// The folder of the run of a rollout.
pub const ROLLOUT_RUN: &str = "rollout";

/// The folder of the run of an evaluation.
pub const EVALUATION_RUN: &str = "evaluation";

/// Searches for proofs of theorems to train on, and writes [`ROLLOUT`] in `folder`.
///
/// # Errors
///
/// The run cannot be made or exported, or was interrupted.
pub async fn rollout(
    search: Search,
    attempts: u32,
    folder: &Path,
    with: &Searching,
) -> Result<BTreeMap<String, u64>, LoopError> {
    let place = folder.join(ROLLOUT_RUN);
    let results = run(search, attempts, place.clone(), Keep::All, with).await?;
    let [rows, rates] = ROLLOUT.map(|name| folder.join(name));
    let what = Export {
        format: Format::Steps,
        view: View::Pp1,
        separator: String::new(),
        chat: false,
        complete_pairs: false,
        theorems: Vec::new(),
        jobs: with.jobs,
    };
    let writer = Writer::file(what.format.columns(false), &rows, Encoding::JsonLines)?;
    let exported =
        export::export(&RunFolder::read(&place)?, &what, writer, &with.cancel, &mut |_, _| {}).await?;
    if exported.rows == 0 {
        write_bytes(&rows, b"")?;
    }
    write_json(&rates, &solve_rates(&results))?;
    let proved = results.iter().filter(|result| is_proved(result)).count();
    Ok(BTreeMap::from([
        ("attempts".to_owned(), results.len() as u64),
        ("proofs".to_owned(), proved as u64),
        ("tactics".to_owned(), exported.rows),
    ]))
}

fn is_proved(result: &AttemptResult) -> bool {
    result.outcome == Outcome::Accepted
}

fn solve_rates(results: &[AttemptResult]) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for result in results.iter().filter(|result| !has_failed(result)) {
        let (proved, all) = counts.entry(result.theorem.clone()).or_default();
        *proved += u32::from(is_proved(result));
        *all += 1;
    }
    counts.into_iter().map(|(theorem, (proved, all))| (theorem, f64::from(proved) / f64::from(all))).collect()
}

/// What became of the held-out theorems, without those whose attempt failed for technical reasons: `evaluation.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// Each theorem.
    pub theorems: Vec<HeldOut>,
}

/// What became of a held-out theorem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeldOut {
    /// Its id.
    pub theorem: String,
    /// Whether it was proved.
    pub solved: bool,
    /// How many nodes were expanded.
    pub expansions: u64,
    /// How many tactics were tried.
    pub tactics: u64,
}

/// The name of an evaluation's file.
pub const EVALUATION: &str = "evaluation.json";

/// Attempts each held-out theorem once, in the model's own order, and writes [`EVALUATION`] in `folder`.
///
/// # Errors
///
/// The run cannot be made, or was interrupted.
pub async fn evaluate(
    search: Search,
    folder: &Path,
    with: &Searching,
) -> Result<BTreeMap<String, u64>, LoopError> {
    let results = run(search, 1, folder.join(EVALUATION_RUN), Keep::None, with).await?;
    let held_out = |result: AttemptResult| HeldOut {
        solved: is_proved(&result),
        theorem: result.theorem,
        expansions: result.spent.expansions,
        tactics: result.spent.candidates,
    };
    let told = results.into_iter().filter(|result| !has_failed(result));
    let evaluation = Evaluation { theorems: told.map(held_out).collect() };
    write_json(&folder.join(EVALUATION), &evaluation)?;
    Ok(BTreeMap::from([("solved".to_owned(), evaluation.solved().into())]))
}

impl Evaluation {
    /// Reads the evaluation in a folder.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn read(folder: &Path) -> Result<Self, LoopError> {
        let path = folder.join(EVALUATION);
        let text = fs_err::read_to_string(&path)?;
        serde_json::from_str(&text)
            .map_err(|error| FileError::Malformed { path, line: None, what: error.to_string() }.into())
    }

    /// How many theorems were proved.
    pub fn solved(&self) -> u32 {
        self.theorems.iter().filter(|theorem| theorem.solved).count() as u32
    }

    /// How many tactics were tried in all.
    pub fn tactics(&self) -> u64 {
        self.theorems.iter().map(|theorem| theorem.tactics).sum()
    }

    /// The p-value of McNemar's exact test, two-sided, over the theorems that only one of two evaluations proved; and whether
    /// this one proved more.
    pub fn against(&self, other: &Self) -> (f64, bool) {
        let of_other: BTreeMap<&str, bool> =
            other.theorems.iter().map(|t| (t.theorem.as_str(), t.solved)).collect();
        let only = |mine: bool| {
            let differs = |t: &&HeldOut| t.solved == mine && of_other.get(t.theorem.as_str()) == Some(&!mine);
            self.theorems.iter().filter(differs).count() as u32
        };
        let (gained, lost) = (only(true), only(false));
        (estimate::mcnemar(gained, lost), gained > lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(solved: &[bool]) -> Evaluation {
        let held_out = |(at, solved): (usize, &bool)| HeldOut {
            theorem: at.to_string(),
            solved: *solved,
            expansions: 1,
            tactics: 1,
        };
        Evaluation { theorems: solved.iter().enumerate().map(held_out).collect() }
    }

    #[test]
    fn the_test_is_paired() {
        let all = evaluation(&[true; 8]);
        let none = evaluation(&[false; 8]);
        let (p, better) = all.against(&none);
        assert!(better && (p - 2.0 / 256.0).abs() < 1e-12, "{p}");
        assert!(!none.against(&all).1);
        assert_eq!(all.against(&all), (1.0, false));
    }
}
