//! Proofs as terms for Lean's kernel.

use andor_artifact::folders::folder_name;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_env::source;
use andor_run::folder::RunFolder;

use super::ExportError;

/// A proof as a Lean file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeanProof {
    /// The theorem's id.
    pub theorem: String,
    /// A file name made of it.
    pub file: String,
    /// The text of the file.
    pub text: String,
}

/// The first accepted proof of each theorem in a run whose system writes proofs for another kernel, in the order of the theorems; of
/// the named ones, if any are named.
pub fn lean_terms(run: &RunFolder, theorems: &[String]) -> Result<Vec<LeanProof>, ExportError> {
    if let Some(id) = theorems.iter().find(|id| !run.problems.iter().any(|p| p.theorem.id == **id)) {
        let known = run.problems.iter().map(|p| p.theorem.id.clone()).collect();
        return Err(ExportError::UnknownTheorem { id: id.clone(), known });
    }
    let mut proofs = Vec::new();
    for theorem in run.problems.iter().map(|problem| &problem.theorem) {
        let is_named = theorems.is_empty() || theorems.contains(&theorem.id);
        let Some(reader) = source::of(theorem.system).filter(|_| is_named) else { continue };
        let accepted = |r: &&AttemptResult| {
            r.theorem == theorem.id && r.outcome == Outcome::Accepted && r.source.is_some()
        };
        let first = run.results.iter().filter(accepted).min_by_key(|result| result.attempt);
        let Some(source) = first.and_then(|result| result.source.as_deref()) else { continue };
        let Some(text) = reader.for_other_kernel(source, &theorem.name) else { continue };
        let text = text.map_err(|error| ExportError::LeanTerm { theorem: theorem.id.clone(), error })?;
        let file = format!("{}.lean", folder_name(&theorem.id));
        proofs.push(LeanProof { theorem: theorem.id.clone(), file, text });
    }
    Ok(proofs)
}
