//! Searches of agents, rebuilt from their journals.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use andor_artifact::folders::attempt_folder;
use andor_core::theorem::System;
use andor_core::tree::Status;
use andor_engine::attempt::Means;
use andor_engine::registry::{self, OwnParts};
use andor_rollout::journal::{self, JournalError, Recorded};
use andor_rollout::proof::{self, JOURNAL};

use super::proofs::judging;
use super::{Run, Stored, Verified, VerifyError};
use crate::trace::replay::SearchSummary;

/// What nobody can compute again of an agent's search.
const ANSWERS: &str = "what the model answered, what its tools said, and what it cost";

/// Whether an attempt was made by an agent.
pub(super) fn is_of_agent(folder: &Path) -> bool {
    folder.join(JOURNAL).is_file()
}

/// Rebuilds the search of each attempt of an agent, has the proof assistant make the proofs in it again, and compares what
/// the run says of it.
pub(super) async fn verify(
    run: &Run,
    sandbox: bool,
    found: &mut Verified,
    tick: &mut (dyn FnMut() + Send),
) -> Result<(), VerifyError> {
    let mut all_means: HashMap<(System, usize), Means> = HashMap::new();
    for stored in &run.attempts {
        let folder = attempt_folder(&run.folder.path, &stored.theorem.id, stored.result.attempt);
        if !is_of_agent(&folder) {
            continue;
        }
        let path = folder.join(JOURNAL);
        let file = name(run, &path);
        if let Some(recorded) = rebuilt(stored, &path, &file, found)? {
            let key = (stored.theorem.system, stored.of);
            let means = match all_means.entry(key) {
                Entry::Occupied(known) => Some(known.into_mut()),
                Entry::Vacant(place) => {
                    let config = judging(&run.configs[stored.of], sandbox);
                    match registry::means(stored.theorem.system, &config, 1, &OwnParts::default()) {
                        Ok(means) => Some(place.insert(means)),
                        Err(error) => {
                            found.skip(&file, None, format!("scores and proofs of its nodes: {error}"));
                            None
                        }
                    }
                }
            };
            if let Some(means) = means {
                let config = judging(&stored.config, sandbox);
                match proof::again(&stored.theorem, &config, means, &stored.result, &recorded.tree).await {
                    Ok(contradictions) => {
                        contradictions.into_iter().for_each(|what| found.fail(&file, None, what));
                    }
                    Err(error) => found.skip(&file, None, format!("scores and proofs of its nodes: {error}")),
                }
            }
        }
        tick();
    }
    if run.is_whole { unfinished(run, found) } else { Ok(()) }
}

fn name(run: &Run, path: &Path) -> String {
    path.strip_prefix(&run.folder.path).unwrap_or(path).display().to_string()
}

/// The search of an attempt. `None` if its journal contradicts itself, which is then noted.
fn rebuilt(
    stored: &Stored,
    path: &Path,
    file: &str,
    found: &mut Verified,
) -> Result<Option<Recorded>, VerifyError> {
    let Stored { theorem, result, config, .. } = stored;
    let Some(agent) = &config.agent else {
        found.fail(file, None, "the run's configuration has no agent");
        return Ok(None);
    };
    let recorded = match journal::follow(path, agent, &config.budget, config.seed) {
        Ok(recorded) => recorded,
        Err(JournalError::File(error)) => return Err(error.into()),
        Err(JournalError::Io(error)) => return Err(andor_artifact::files::FileError::from(error).into()),
        Err(error) => {
            found.fail(file, None, error.to_string());
            return Ok(None);
        }
    };
    for what in proof::contradictions(theorem, config, result, &recorded) {
        found.fail(file, None, what);
    }
    found.skip(file, None, ANSWERS);
    found.searches.insert(file.to_owned(), summary(stored, &recorded));
    Ok(Some(recorded))
}

fn summary(stored: &Stored, Recorded { tree, steps, .. }: &Recorded) -> SearchSummary {
    let is_solved = tree.solution().is_some();
    SearchSummary {
        theorem: stored.theorem.id.to_string(),
        system: stored.theorem.system.to_string(),
        iterations: *steps,
        expansions: tree.len() as u64 - 1,
        nodes: tree.len() as u64,
        steps: tree.len() as u64 - 1,
        max_depth: tree.nodes().map(|(_, node)| node.depth()).max().unwrap_or_default(),
        choices: *steps,
        status: if is_solved { Status::Proved } else { Status::Open },
        ending: Some(stored.result.stop_reason.clone()),
        tree_digest: format!("{:016x}", tree.digest()),
        digest_recorded: stored.result.tree_digest.is_some(),
    }
}

/// Journals of attempts that have no result yet.
fn unfinished(run: &Run, found: &mut Verified) -> Result<(), VerifyError> {
    let Ok(folders) = std::fs::read_dir(run.folder.path.join("theorems")) else { return Ok(()) };
    let done = run.attempts.iter();
    let done: HashSet<PathBuf> =
        done.map(|s| attempt_folder(&run.folder.path, &s.theorem.id, s.result.attempt)).collect();
    let attempts = folders.flatten().filter_map(|folder| std::fs::read_dir(folder.path()).ok());
    let attempts = attempts.flatten().flatten().map(|entry| entry.path());
    let mut open: Vec<PathBuf> = attempts.filter(|path| !done.contains(path) && is_of_agent(path)).collect();
    open.sort();
    for folder in open {
        let file = name(run, &folder.join(JOURNAL));
        found.skip(&file, None, "the search: run.db has no result of it");
    }
    Ok(())
}
