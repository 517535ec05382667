//! Whether a stored proof fits its theorem. Nothing is proved again: that is for `andor verify`.

use std::path::Path;

use andor_artifact::files::last_line;
use andor_artifact::folders::attempt_folder;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_core::theorem::Theorem;
use andor_core::tree::Status;
use andor_env::file::states;
use andor_rollout::journal::{self, Recorded};
use andor_rollout::proof::JOURNAL;
use serde_json::Value;

/// Why a result that is stored as accepted is not taken for a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Doubt {
    /// Its digest is that of another statement.
    #[error("it is about another statement than the theorem of the run")]
    Statement,
    /// It holds no file.
    #[error("it has no source")]
    NoSource,
    /// Its file states something else.
    #[error("its source does not state the theorem of the run")]
    Source,
    /// The attempt's trace ends without an accepted proof.
    #[error("its trace ends without a proof")]
    Trace,
    /// The attempt's journal is of another search, or has no such proof.
    #[error("its journal has no such proof")]
    Journal,
}

/// Compares a stored result with its theorem, and with the trace or journal that the attempt left in the run's folder, if it
/// did.
/// `None` if all is well, or no proof is stored.
pub fn doubt(run: &Path, theorem: &Theorem, result: &AttemptResult) -> Option<Doubt> {
    if result.outcome != Outcome::Accepted {
        return None;
    }
    if result.statement_digest != theorem.digest() {
        return Some(Doubt::Statement);
    }
    let folder = attempt_folder(run, &result.theorem, result.attempt);
    let journal = folder.join(JOURNAL);
    match &result.source {
        None => Some(Doubt::NoSource),
        Some(source) if !states(theorem, source) => Some(Doubt::Source),
        Some(_) if ends_without_proof(&folder.join("trace.jsonl")) => Some(Doubt::Trace),
        Some(_) if journal.is_file() && !has_proof(&journal, theorem, result) => Some(Doubt::Journal),
        Some(_) => None,
    }
}

/// Whether the search in a journal is the one of a result, and found its proof.
fn has_proof(journal: &Path, theorem: &Theorem, result: &AttemptResult) -> bool {
    let Ok(Recorded { settings, tree, .. }) = journal::read(journal) else { return false };
    let solution = tree.solution().and_then(|key| tree.node(key).state());
    settings["statement_digest"] == theorem.digest()
        && result.tree_digest == Some(format!("{:016x}", tree.digest()))
        && solution.is_some_and(|state| {
            state["environment"]["verified"]["source"].as_str() == result.source.as_deref()
        })
}

/// A trace that is not there or breaks off says nothing.
fn ends_without_proof(trace: &Path) -> bool {
    let last = last_line(trace).ok().and_then(|line| serde_json::from_str::<Value>(&line).ok());
    last.is_some_and(|record| record["event"] == "abort")
}

/// The result as readers take it: one that is in doubt is no proof.
pub(crate) fn as_read(run: &Path, theorem: &Theorem, mut result: AttemptResult) -> AttemptResult {
    if let Some(doubt) = doubt(run, theorem, &result) {
        result.outcome = Outcome::Unverified;
        result.verification_level = None;
        result.validated = None;
        result.root_status = Status::Open;
        result.infrastructure_error = Some(format!("unverified: {doubt}"));
    }
    result
}
