//! `.v` files: every theorem whose proof is missing, `Admitted` or `Abort`ed is a problem.

use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::rocq::sentence::SentenceError;
use andor_env::rocq::source::theorems;
use serde_json::Map;

use super::{DatasetError, Problem, Stated, line_of};

/// The theorems of a file.
pub(super) struct Found {
    /// Its theorems.
    pub(super) stated: Vec<Stated>,
    /// Names of unfinished theorems whose proofs cannot be verified.
    pub(super) hidden: Vec<String>,
}

/// Describes the scope of a theorem that has no name at the end of its file, for messages.
pub(super) const HIDDEN: &str =
    "inside a functor, a module type or a sealed module, where proofs cannot be checked";

/// A note about theorems that are left out, if there are any.
pub(super) fn note_of_hidden(names: &[String]) -> Option<String> {
    Some(match names {
        [] => return None,
        [only] => format!("theorem `{only}` is left out: it is {HIDDEN}"),
        [first, ..] => {
            format!("{} theorems, such as `{first}`, are left out: they are {HIDDEN}", names.len())
        }
    })
}

pub(super) fn read(path: &Path, text: &str) -> Result<Found, DatasetError> {
    let found = theorems(text).map_err(|e| {
        let place = match e {
            SentenceError::Unclosed(unclosed) => unclosed.at,
            SentenceError::NoPeriod(at) => at,
        };
        DatasetError::malformed(path, Some(line_of(text, place.min(text.len()))), e.to_string())
    })?;
    let (reachable, hidden): (Vec<_>, Vec<_>) = found.into_iter().partition(|t| t.reachable);
    let hidden = hidden.into_iter().filter(|t| !t.finished()).map(|t| t.name).collect();
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
    Ok(Found { stated: stated.collect(), hidden })
}
