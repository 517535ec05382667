//! Known row formats, identified by their keys.

use andor_core::theorem::System;
use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
use serde_json::{Map, Value};

/// A row format.
pub(super) struct Form {
    /// Its name.
    pub(super) name: &'static str,
    /// The keys that identify it.
    keys: &'static [&'static str],
    /// What its rows contain.
    pub(super) holds: Holds,
}

/// The contents of a row.
#[derive(Clone, Copy)]
pub(super) enum Holds {
    /// A theorem to prove.
    Theorem {
        /// The language; `None` if the row or its text determines it.
        system: Option<System>,
        /// The keys whose texts, concatenated, form the file; the last one holds the statement.
        parts: &'static [&'static str],
    },
    /// The place of a theorem in a Lean 4 project.
    Location,
    /// Something else, and advice on what to do with it.
    Other(&'static str),
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
const LEAN_3: Holds = Holds::Other(
    "theorems of Lean 3, which andor does not support; use a port to Lean 4, such as ProofNet-lean4 or ProofNet#",
);

const fn lean(parts: &'static [&'static str]) -> Holds {
    Holds::Theorem { system: Some(LEAN4), parts }
}

/// Rows of which only the Rocq statement is used.
const OF_ROCQ: Form = Form {
    name: "rows with `coq_statement`",
    keys: &["coq_statement"],
    holds: Holds::Theorem { system: Some(ROCQ), parts: &["coq_statement"] },
};

/// The formats, most specific first. The first one whose keys a row has applies.
const FORMS: &[Form] = &[
    Form { name: "preference pairs", keys: &["prompt", "chosen"], holds: TRAINING },
    Form { name: "prompts and completions", keys: &["prompt", "completion"], holds: TRAINING },
    Form { name: "prompts and completions", keys: &["prompt", "completions"], holds: TRAINING },
    Form { name: "chat messages", keys: &["messages"], holds: TRAINING },
    Form { name: "whole proofs", keys: &["full_proof"], holds: FINISHED },
    Form { name: "entries of a server request", keys: &["custom_id", "proof"], holds: FINISHED },
    Form { name: "entries of a server request", keys: &["custom_id", "code"], holds: FINISHED },
    Form { name: "ProofNet (original) rows", keys: &["src_header"], holds: LEAN_3 },
    Form { name: "Goedel-Prover-V2 rows", keys: &["lean4_code"], holds: lean(&["lean4_code"]) },
    Form {
        name: "ProofNet# rows",
        keys: &["lean4_src_header", "lean4_formalization"],
        holds: lean(&["lean4_src_header", "lean4_formalization"]),
    },
    Form {
        name: "ProofNet-Verified rows",
        keys: &["formal_stmt"],
        holds: lean(&["header", "helper", "formal_stmt"]),
    },
    Form {
        name: "rows with `formal_statement`",
        keys: &["formal_statement"],
        holds: lean(&["header", "informal_prefix", "formal_statement"]),
    },
    Form {
        name: "rows with `lean4_statement`",
        keys: &["lean4_statement"],
        holds: lean(&["header", "lean4_statement"]),
    },
    OF_ROCQ,
    Form {
        name: "rows with `statement`",
        keys: &["statement"],
        holds: Holds::Theorem { system: None, parts: &["header", "statement"] },
    },
    Form {
        name: "LeanDojo benchmark rows",
        keys: &["url", "commit", "file_path", "full_name", "traced_tactics"],
        holds: Holds::Location,
    },
    Form {
        name: "LeanDojo locations",
        keys: &["url", "commit", "file_path", "full_name"],
        holds: Holds::Location,
    },
    Form { name: "proofs without their statements", keys: &["proof"], holds: FINISHED },
];

/// The format of a row, if it is known. If a row states its theorem in several languages, `wanted` decides.
pub(super) fn of(row: &Map<String, Value>, wanted: Option<System>) -> Option<&'static Form> {
    let has = |form: &Form| form.keys.iter().all(|key| row.contains_key(*key));
    let form = FORMS.iter().find(|form| has(form))?;
    let is_theorem = matches!(form.holds, Holds::Theorem { .. });
    Some(if is_theorem && wanted == Some(ROCQ) && has(&OF_ROCQ) { &OF_ROCQ } else { form })
}

/// The keys that a row needs, for messages.
pub(super) const KNOWN: &str = "a row needs `statement` (with `id`, `system`, `header`, `footer`), `formal_statement`, \
     `formal_stmt`, `lean4_code`, `lean4_formalization`, `lean4_statement` or `coq_statement`; see \
     docs/formats/datasets.md";
