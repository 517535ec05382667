//! `.v` files: every theorem whose proof is missing, `Admitted`, `Abort`ed or gives up a goal is a problem.

use andor_system_rocq::ROCQ;
use std::path::Path;

use andor_core::theorem::Theorem;
use andor_env::outline::Place;
use andor_system_rocq::outline::outline;
use andor_system_rocq::sentence::SentenceError;
use andor_system_rocq::source::{self, Outline, ProofEnding, SourceTheorem, Untaken};
use serde_json::{Map, Value};

use super::{DatasetError, Problem, RefusedRow, SourcePlace, Stated, drafts, line_of};

/// The theorems of a file.
pub(super) struct Found {
    /// Its theorems.
    pub(super) stated: Vec<Stated>,
    /// Names of unfinished theorems whose proofs cannot be verified.
    pub(super) hidden: Vec<String>,
    /// Other unfinished proofs.
    pub(super) refused: Vec<RefusedRow>,
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
    let Outline { theorems: found, untaken, .. } = source::outline(text).map_err(|e| {
        let (at, what) = match e {
            SentenceError::Unclosed(unclosed) => (unclosed.at, e.to_string()),
            SentenceError::NoPeriod(at) => (at, "the final period of this sentence is missing".to_owned()),
        };
        DatasetError::malformed_at(path, Place::of(text, at.min(text.len())), what)
    })?;
    let (reachable, hidden): (Vec<_>, Vec<_>) = found.into_iter().partition(|t| t.reachable);
    let hidden = hidden.into_iter().filter(|t| !t.finished()).map(|t| t.name).collect();
    let stated = reachable.into_iter().map(|t| Stated {
        finished: t.finished() && !gives_up(&text[t.end..t.proof_end]),
        line: line_of(text, t.start),
        problem: Problem {
            fields: partial_proof(text, &t),
            place: Some(SourcePlace {
                file: path.to_owned(),
                lines: line_of(text, t.start)..=line_of(text, t.proof_end),
                statement: t.start..t.opened,
                proof: t.opened..t.proof_end,
            }),
            theorem: Theorem {
                id: t.name.clone(),
                name: t.name,
                system: ROCQ,
                header: text[..t.start].to_owned(),
                statement: text[t.start..t.opened].to_owned(),
                footer: t.closers,
                extra_imports: Vec::new(),
            },
        },
    });
    let refused = untaken.into_iter().map(|Untaken { start, what, why }| RefusedRow {
        line: Some(line_of(text, start)),
        what: format!("`{what}` is not taken: {why}"),
    });
    Ok(Found { stated: stated.collect(), hidden, refused: refused.collect() })
}

/// Whether a proof gives up a goal.
fn gives_up(proof: &str) -> bool {
    ["admit", "give_up"].iter().any(|word| proof.contains(word)) && outline(proof).has_holes()
}

/// The fields of a theorem whose proof has begun, and is not aborted.
fn partial_proof(text: &str, theorem: &SourceTheorem) -> Map<String, Value> {
    let proof = &text[theorem.end..theorem.proof_end];
    let is_open = theorem.ending == ProofEnding::Open || (theorem.finished() && gives_up(proof));
    if !is_open || !outline(proof).has_tactics() {
        return Map::new();
    }
    Map::from_iter([(drafts::FIELD.to_owned(), drafts::field(text, theorem.end, theorem.proof_end))])
}
