//! Whether a stored proof fits its theorem. Nothing is proved again: that is for `andor verify`.

use std::path::Path;

use andor_artifact::files::last_line;
use andor_artifact::folders::attempt_folder;
use andor_artifact::graph::GraphStatus;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_core::theorem::Theorem;
use andor_env::environment::states;
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
}

/// Compares a stored result with its theorem, and with the trace that the attempt left in the run's folder, if it did.
/// `None` if all is well, or no proof is stored.
pub fn doubt(run: &Path, theorem: &Theorem, result: &AttemptResult) -> Option<Doubt> {
    if result.outcome != Outcome::Accepted {
        return None;
    }
    if result.statement_digest != theorem.digest() {
        return Some(Doubt::Statement);
    }
    let trace = attempt_folder(run, &result.theorem, result.attempt).join("trace.jsonl");
    match &result.source {
        None => Some(Doubt::NoSource),
        Some(source) if !states(theorem, source) => Some(Doubt::Source),
        Some(_) => ends_without_proof(&trace).then_some(Doubt::Trace),
    }
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
        result.root_status = GraphStatus::Open;
        result.infrastructure_error = Some(format!("unverified: {doubt}"));
    }
    result
}
