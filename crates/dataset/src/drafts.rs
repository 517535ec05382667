//! Proofs that a search begins with: unfinished ones in the files of theorems, and drafts.

use std::io;
use std::ops::Range;

use andor_artifact::graft::GraftOrigin;
use andor_artifact::input;
use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_engine::graft::Given;
use andor_engine::plan::{self, PlanFileError};
use andor_env::outline::Place;
use serde_json::{Value, json};

use super::{Problem, line_of};

/// The field of a problem that holds its unfinished proof: a text, or an object with `script`, and `line` and
/// `column` of its start in its file.
pub(super) const FIELD: &str = "partial_proof";

/// The field for an unfinished proof at a place in a file.
pub(super) fn field(text: &str, place: Range<usize>) -> Value {
    let start = place.start;
    let before = &text[..start];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    json!({"script": &text[place], "line": line_of(text, start), "column": column})
}

impl Problem {
    /// The theorem's own unfinished proof, if there is one.
    pub fn partial_proof(&self) -> Option<Given> {
        let field = self.fields.get(FIELD)?;
        let script = field.as_str().or_else(|| field.get("script")?.as_str())?;
        let number = |key: &str| {
            let number = field.get(key).and_then(Value::as_u64).filter(|&n| n > 0);
            number.and_then(|n| usize::try_from(n).ok()).unwrap_or(1)
        };
        let start = Place { line: number("line"), column: number("column") };
        Some(Given { script: script.to_owned(), start, origin: GraftOrigin::File, plan: Vec::new() })
    }
}

/// Why the proof that a search begins with cannot be read. Messages name the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GivenError {
    /// The file of a draft cannot be read.
    #[error("--draft: {0}")]
    Draft(#[from] io::Error),
    /// The plan of the theorem cannot be read.
    #[error("--plan: {0}")]
    Plan(#[from] PlanFileError),
}

/// The proof that a search begins with, by its configuration: the draft in a file, the theorem's plan in a file, or else its own
/// unfinished proof.
///
/// # Errors
///
/// A file cannot be read, or its plan is malformed.
pub fn given(
    config: &Config,
    theorem: &Theorem,
    partial: Option<Given>,
) -> Result<Option<Given>, GivenError> {
    if let Some(path) = &config.drafts.file {
        let script = input::text(path)?.replace("\r\n", "\n");
        let (start, origin) = (Place::START, GraftOrigin::Draft);
        return Ok(Some(Given { script, start, origin, plan: Vec::new() }));
    }
    if let Some(path) = &config.plan.file
        && let Some(steps) = plan::read(path, &theorem.id, theorem.system)?
    {
        return Ok(Some(plan::given(&steps, theorem.system)));
    }
    Ok(partial.filter(|_| !config.drafts.ignore_partial))
}
