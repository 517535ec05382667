//! Theorems given by their statements alone.

use andor_core::theorem::System;
use andor_env::source;
use serde_json::Map;

use super::{DatasetError, Problem};

/// The system of a statement, judged by its words and symbols.
///
/// # Errors
///
/// No system that is built in has statements.
pub fn system_of(statement: &str) -> Result<System, DatasetError> {
    let found = source::of_statement(statement).map(|source| source.system());
    found.ok_or_else(|| DatasetError::Statement("no system that has statements is built in".to_owned()))
}

/// A theorem given by its statement: a sentence such as `Theorem t : 1 = 1.` or `theorem t : 1 = 1`, or a bare
/// proposition.
pub fn from_statement(system: System, statement: &str, imports: &[String]) -> Result<Problem, DatasetError> {
    let statement = statement.trim();
    if statement.is_empty() {
        return Err(DatasetError::Statement("the statement is empty".to_owned()));
    }
    let mut theorem = match source::of(system) {
        Some(source) => source.statement(statement, imports).map_err(DatasetError::Statement)?,
        None => source::Row { statement: statement.to_owned(), ..source::Row::default() }
            .theorem(system, statement.to_owned()),
    };
    theorem.id = theorem.name.replace(' ', "-");
    Ok(Problem { theorem, fields: Map::new(), place: None })
}

#[cfg(test)]
mod tests {
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

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
            assert_eq!(system_of(statement).unwrap(), system, "{statement}");
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
