//! Known forms of rows, identified by their keys.

use andor_core::theorem::System;
use andor_env::source::{self, Form, Holds};
use serde_json::{Map, Value};

/// The form of a row.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// The form.
    pub(super) form: &'static Form,
    /// The system whose form it is; `None` if the row or its text determines it.
    pub(super) system: Option<System>,
}

const TRAINING: Holds = Holds::Other(
    "training data, not theorems to be proved; give the data set that it was made from, or the results of a run",
);
const FINISHED: Holds = Holds::Other(
    "finished proofs, not theorems to be proved; write them to files and check them with `andor check`",
);
/// What to do with rows that say where a theorem is, if there is no project.
pub(super) const LOCATION: &str = "names and locations of theorems in a Lean 4 project, without statements; give the project, \
     checked out at their commit, with --project DIR; to add them to a file of statements, give that file, and this one with \
     --locations";
/// Rows of which the system says itself, or its text.
const STATEMENT: Form = Form {
    name: "rows with `statement`",
    keys: &["statement"],
    holds: Holds::Theorem(&["header", "statement"]),
};

/// What is no theorem although it may have the keys of one.
const OTHERS: &[Form] = &[
    Form { name: "preference pairs", keys: &["prompt", "chosen"], holds: TRAINING },
    Form { name: "prompts and completions", keys: &["prompt", "completion"], holds: TRAINING },
    Form { name: "prompts and completions", keys: &["prompt", "completions"], holds: TRAINING },
    Form { name: "chat messages", keys: &["messages"], holds: TRAINING },
    Form { name: "whole proofs", keys: &["full_proof"], holds: FINISHED },
    Form { name: "entries of a server request", keys: &["custom_id", "proof"], holds: FINISHED },
    Form { name: "entries of a server request", keys: &["custom_id", "code"], holds: FINISHED },
];

/// Rows with a proof, and nothing that states its theorem.
const PROOF: Form = Form { name: "proofs without their statements", keys: &["proof"], holds: FINISHED };

/// The forms, the most specific first. Rows that locate their theorems may state them, too.
fn all() -> impl Iterator<Item = Known> {
    let of_systems = |is_location: bool| {
        let forms = source::all().into_iter().flat_map(|source| {
            let system = Some(source.system());
            source.forms().iter().map(move |form| Known { form, system })
        });
        forms.filter(move |known| (known.form.holds == Holds::Location) == is_location)
    };
    let own = |form: &'static Form| Known { form, system: None };
    let others = OTHERS.iter().map(own);
    others.chain(of_systems(false)).chain([own(&STATEMENT)]).chain(of_systems(true)).chain([own(&PROOF)])
}

/// The form of a row, if it is known: the first whose keys it has. If a row states its theorem in several languages, `wanted`
/// decides.
pub(super) fn of(row: &Map<String, Value>, wanted: Option<System>) -> Option<Known> {
    let has = |known: &Known| known.form.keys.iter().all(|key| row.contains_key(*key));
    let is_theorem = |known: &Known| matches!(known.form.holds, Holds::Theorem { .. });
    let first = all().find(has)?;
    let of_wanted =
        || all().find(|known| wanted.is_some() && known.system == wanted && is_theorem(known) && has(known));
    Some(if is_theorem(&first) { of_wanted().unwrap_or(first) } else { first })
}

/// The keys that a row needs, for messages.
pub(super) fn known() -> String {
    let statements =
        all().filter(|known| known.system.is_some()).filter_map(|known| match known.form.holds {
            Holds::Theorem(parts) => parts.last().map(|key| format!("`{key}`")),
            Holds::Location | Holds::Other(_) => None,
        });
    let statements: Vec<String> = statements.collect();
    format!(
        "a row needs `statement` (with `id`, `system`, `header`, `footer`) or one of {}; see docs/formats/datasets.md",
        statements.join(", ")
    )
}
