//! `.v` files: every theorem whose proof is missing, `Admitted` or `Abort`ed is a problem.

use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::rocq::sentence::SentenceError;
use andor_env::rocq::source::theorems;
use serde_json::Map;

use super::{DatasetError, Problem, Stated, line_of};

pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Stated>, DatasetError> {
    let found = theorems(text).map_err(|e| {
        let place = match e {
            SentenceError::Unclosed(unclosed) => unclosed.at,
            SentenceError::NoPeriod(at) => at,
        };
        DatasetError::malformed(path, Some(line_of(text, place.min(text.len()))), e.to_string())
    })?;
    let (reachable, hidden): (Vec<_>, Vec<_>) = found.into_iter().partition(|t| t.reachable);
    for theorem in hidden.iter().filter(|t| !t.finished()) {
        let name = &theorem.name;
        tracing::warn!("theorem `{name}` is skipped: a proof in a module type or functor cannot be judged");
    }
    let stated = reachable.into_iter().map(|t| Stated {
        finished: t.finished(),
        line: line_of(text, t.start),
        problem: Problem {
            theorem: Theorem {
                id: t.name.clone(),
                name: t.name,
                system: System::Rocq,
                header: text[..t.start].to_owned(),
                statement: text[t.start..t.end].to_owned(),
                footer: t.closers,
                extra_imports: Vec::new(),
            },
            fields: Map::new(),
        },
    });
    Ok(stated.collect())
}
