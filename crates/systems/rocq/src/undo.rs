//! Determines which sentences Coq undoes completely, so that a reused worker behaves like a fresh one.
//!
//! Coq restores the whole state stored for a sentence: definitions, notations with their grammar,
//! scopes, sections, options, hints, coercions, universes, names of metavariables. The effects of loading plugins
//! remain, and so do changes of files and paths. Both begin with imports, which also take most of the time:
//! imports in a header are never undone.

use super::commands::{bare, does, forbidden_commands};
use super::lexer::{Kind, code};

/// Libraries whose import may be undone. Grammar rules added by plugins are permanent, but these plugins, unlike
/// `ssreflect`, only add tactics and commands.
const LIBRARIES: &[&str] = &[
    "Lia",
    "Lqa",
    "Lra",
    "Nsatz",
    "Psatz",
    "Ring",
    "Field",
    "Zify",
    "ZifyBool",
    "ZifyComparison",
    "ZifyN",
    "ZifyNat",
];

/// Words that prevent undoing a sentence, anywhere in it.
const STAYING: &[&str] = &["Require", "Undo", "Restart"];

/// The beginnings of Coq's messages that a library has no file, as different releases word them. Coq searches all files
/// before it loads one.
const MISSING: [&str; 2] = ["Cannot find a physical path", "Unable to locate library"];

/// Whether a sentence can be undone: a sentence of a proof, or a built-in command without imports and without effects
/// outside the document. Commands of plugins are unknown.
pub(super) fn of_sentence(sentence: &str) -> bool {
    let Ok(pieces) = code(sentence) else { return false };
    let stays = pieces.iter().any(|p| p.kind == Kind::Word && STAYING.contains(&p.text));
    let is_known = bare(&pieces).first().is_none_or(|first| {
        first.kind != Kind::Word || !first.text.starts_with(char::is_uppercase) || does(first.text).is_some()
    });
    !stays && is_known && forbidden_commands(sentence).is_ok()
}

/// Whether an import can be undone: only if that is known of all its libraries.
pub(super) fn of_import(import: &str) -> bool {
    let Some((_, libraries)) = import.split_once(" Import ") else { return false };
    libraries.trim_end().trim_end_matches('.').split_whitespace().all(|library| LIBRARIES.contains(&library))
}

/// Whether a sentence that failed with a message left no effects.
pub(super) fn of_failure(sentence: &str, message: &str) -> bool {
    of_sentence(sentence) || MISSING.iter().any(|missing| message.starts_with(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_notations_settings_and_proofs_are_undone() {
        for sentence in [
            "Definition f (n : nat) := n.",
            "#[local] Program Fixpoint f (n : nat) := n.",
            "Notation \"x ** y\" := (x + y) (at level 71).",
            "Local Open Scope Z_scope.",
            "Import ListNotations.",
            "Set Implicit Arguments.",
            "Declare Custom Entry e.",
            "Tactic Notation \"t\" := auto.",
            "Lemma x : True.",
            "- intros (* Require *).",
            "{",
            "2: {",
            "(a; b).",
            "Qed.",
        ] {
            assert!(of_sentence(sentence), "{sentence}");
        }
    }

    #[test]
    fn imports_files_paths_and_what_nobody_knows_are_not() {
        for sentence in [
            "Require Import List.",
            "From Coq Require Import List.",
            "Fail Require Import List.",
            "Load \"x\".",
            "Declare ML Module \"x\".",
            "Time Cd \"x\".",
            "Add LoadPath \"x\" as x.",
            "Redirect \"x\" Check nat.",
            "Reset f.",
            "Undo.",
            "Hammer.",
            "Time Hammer.",
        ] {
            assert!(!of_sentence(sentence), "{sentence}");
        }
    }

    #[test]
    fn imports_are_undone_where_all_their_libraries_are_known() {
        assert!(of_import("From Coq Require Import Lia Lra."));
        assert!(!of_import("From Coq Require Import Lia ssreflect."));
        assert!(!of_import("Require Lia."));
    }

    #[test]
    fn a_library_that_is_missing_leaves_nothing() {
        assert!(of_failure("Require Import A.", "Cannot find a physical path bound to logical path A."));
        assert!(of_failure(
            "Require Import A.",
            "Unable to locate library A (while searching for a .vos file)."
        ));
        assert!(!of_failure("Require Import A.", "File A.vo is corrupted."));
        assert!(of_failure("Definition f := g.", "The reference g was not found."));
    }
}
