//! Theorems given by their statements alone.

use andor_core::theorem::{System, Theorem};
use andor_system_lean::LEAN4;
use andor_system_lean::source::goal;
use andor_system_mini::MINI;
use andor_system_mini::source as lean;
use andor_system_rocq::ROCQ;
use andor_system_rocq::sentence::split;
use andor_system_rocq::source::statement_name;
use serde_json::Map;

use super::{DatasetError, Problem, lean_source};

/// The system of a statement, judged by its first word, since Lean writes `theorem` in lower case; or by its symbols, which Rocq
/// has only with a library.
pub fn system_of(statement: &str) -> System {
    const LEAN: &[char] = &['∀', '∃', '→', '↔', '∧', '∨', '¬'];
    const OF_ROCQ: &[&str] = &["forall", "exists", "->", "/\\", "\\/", "Theorem", "Lemma"];
    let in_symbols = || statement.contains(LEAN) && !OF_ROCQ.iter().any(|word| statement.contains(word));
    if lean::looks_like_lean(statement) || in_symbols() { MINI } else { ROCQ }
}

/// A theorem given by its statement: a sentence such as `Theorem t : 1 = 1.` or `theorem t : 1 = 1`, or a bare
/// proposition.
pub fn from_statement(system: System, statement: &str, imports: &[String]) -> Result<Problem, DatasetError> {
    let mut statement = statement.trim().to_owned();
    if statement.is_empty() {
        return Err(DatasetError::Statement("the statement is empty".to_owned()));
    }
    let mut name = statement.clone();
    let mut header = String::new();
    match system {
        _ if system == ROCQ => {
            if !statement.ends_with('.') {
                statement.push('.');
            }
            if let Some(found) = statement_name(&statement) {
                name = found;
            } else {
                name = "goal".to_owned();
                statement = format!("Theorem goal : {statement}");
            }
            let sentences = split(&statement).unwrap_or_default();
            let is_open = |text: &str| matches!(text, "Proof." | "Admitted." | "Abort.");
            if let [first, rest @ ..] = &sentences[..]
                && rest.iter().all(|sentence| is_open(sentence.text))
            {
                statement = first.text.to_owned();
            } else if sentences.len() > 1 {
                let message = "the statement has more than one sentence; put what comes before the theorem into the header (--import)";
                return Err(DatasetError::Statement(message.to_owned()));
            }
            header = imports.iter().map(|line| format!("{}\n", sentence(line))).collect();
        }
        _ if system == MINI => {
            header = imports.iter().map(|line| format!("{line}\n")).collect();
            if !lean::looks_like_lean(&statement) {
                statement = format!("theorem goal : {statement}");
            }
            name = lean_source::name(&header, &statement).map_err(|why| {
                let with_proof = statement.contains(":=");
                let advice = "; give only the part before `:=`, without a proof";
                DatasetError::Statement(if with_proof { why + advice } else { why })
            })?;
        }
        _ if system == LEAN4 => {
            header = imports.iter().map(|line| format!("{}\n", command(line))).collect();
            if !lean::looks_like_lean(&statement) {
                statement = format!("theorem goal : {statement}");
            }
            let stated = goal(&statement).filter(|goal| goal.start == 0 && goal.name.is_some());
            let stated = stated.ok_or_else(|| {
                DatasetError::Statement("the statement needs a name: write `theorem NAME …`".to_owned())
            })?;
            name = stated.name.clone().unwrap_or_default();
            (_, statement) = lean_source::parts(&statement, &stated);
        }
        _ => {}
    }
    let theorem = Theorem {
        id: name.replace(' ', "-"),
        name,
        system,
        header,
        statement,
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    Ok(Problem { theorem, fields: Map::new(), place: None })
}

/// A line of a Lean header; a bare module name becomes an import.
fn command(line: &str) -> String {
    let line = line.trim();
    if line.contains(char::is_whitespace) { line.to_owned() } else { format!("import {line}") }
}

/// An import line with its final period; a bare library name becomes `Require Import`.
fn sentence(line: &str) -> String {
    let line = line.trim().trim_end_matches('.');
    let is_command = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains(' ');
    if is_command { format!("{line}.") } else { format!("Require Import {line}.") }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn statements_of_lean_4_are_completed() {
        let problem = |statement: &str| {
            let imports = ["Mathlib".to_owned(), "open Nat".to_owned()];
            from_statement(LEAN4, statement, &imports).map(|problem| problem.theorem)
        };
        let bare = problem("∀ n : Nat, n = n").unwrap();
        assert_eq!(bare.statement, "theorem goal : ∀ n : Nat, n = n");
        assert_eq!(bare.header, "import Mathlib\nopen Nat\n");
        let whole = problem("lemma A.b (n : Nat) : n = n := by sorry").unwrap();
        assert_eq!((whole.name.as_str(), whole.statement.as_str()), ("A.b", "lemma A.b (n : Nat) : n = n"));
        assert!(problem("theorem : 1 = 1").is_err());
    }

    #[test]
    fn the_system_shows_in_words_and_symbols() {
        for (statement, system) in [
            ("theorem t : 1 = 1", MINI),
            ("∀ n : Nat, n = n", MINI),
            ("Theorem t : forall n, n = n.", ROCQ),
            ("forall n : nat, n = n", ROCQ),
            ("Lemma t : ∀ n, n = n.", ROCQ),
            ("1 = 1", ROCQ),
        ] {
            assert_eq!(system_of(statement), system, "{statement}");
        }
    }

    #[test]
    fn statements_are_completed() {
        let problem = |statement: &str, imports: &[&str]| {
            let imports: Vec<String> = imports.iter().map(|i| (*i).to_owned()).collect();
            from_statement(ROCQ, statement, &imports).unwrap().theorem
        };
        let bare = problem(
            "forall n : nat, n = n",
            &["Lia", "Open Scope Z_scope.", "From Coq Require Import Reals"],
        );
        assert_eq!(bare.statement, "Theorem goal : forall n : nat, n = n.");
        assert_eq!(bare.header, "Require Import Lia.\nOpen Scope Z_scope.\nFrom Coq Require Import Reals.\n");
        let several = from_statement(ROCQ, "False. Admitted. Theorem goal2 : True", &[]);
        assert!(several.unwrap_err().to_string().contains("more than one sentence"));
        let open = problem("Lemma x (n : nat) : n = n. Proof. Admitted.", &[]);
        assert_eq!(open.statement, "Lemma x (n : nat) : n = n.");
        let whole = problem("Lemma x (n : nat) : n = n.", &[]);
        assert_eq!((whole.id.as_str(), whole.statement.as_str()), ("x", "Lemma x (n : nat) : n = n."));
    }
}
