//! `.v` files: every theorem whose proof is missing, `Admitted` or `Abort`ed is a problem.

use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::rocq::source::theorems;

use super::{DatasetError, Problem};

pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Problem>, DatasetError> {
    let malformed = |what: String| DatasetError::Malformed { path: path.to_owned(), line: None, what };
    let found = theorems(text).map_err(|e| malformed(e.to_string()))?;
    let (reachable, hidden): (Vec<_>, Vec<_>) =
        found.into_iter().filter(|t| !t.finished()).partition(|t| t.reachable);
    for theorem in hidden {
        let name = theorem.name;
        tracing::warn!("theorem `{name}` is skipped: a proof in a module type or functor cannot be judged");
    }
    let problems = reachable.into_iter().map(|t| Problem {
        theorem: Theorem {
            id: t.name.clone(),
            name: t.name,
            system: System::Rocq,
            header: text[..t.start].to_owned(),
            statement: text[t.start..t.end].to_owned(),
            footer: t.closers,
            extra_imports: Vec::new(),
        },
        fields: serde_json::Map::new(),
    });
    Ok(problems.collect())
}
