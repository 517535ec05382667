//! Finds theorems in a Lean file that `mini` can read.

pub use andor_mini::prover::FileError;

use std::ops::Range;

use andor_lean_language::script::bare;
use andor_mini::judge::{File, GIVING_UP};
use andor_mini::prover;
use andor_mini::syntax::token::{Documented, Located, Token, tokens};

/// A theorem in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTheorem {
    /// Its name; the n-th example of a file is called `_example_n`.
    pub name: String,
    /// The byte offset of its statement.
    pub start: usize,
    /// The byte offset of the end of its statement, before `:=`.
    pub end: usize,
    /// The byte range of the whole command, including attributes and proof.
    pub command: Range<usize>,
    /// Whether it has a proof, without `sorry` in it.
    pub finished: bool,
    is_example: bool,
}

/// Whether a file declares an axiom of this name. `None` if it cannot be read.
pub fn has_axiom(text: &str, name: &str) -> Option<bool> {
    let file = File::read(undocumented(text)).ok()?;
    Some(file.kind(name) == Some("an axiom"))
}

/// All theorems and examples of a file, in order. Only the syntax is checked.
pub fn theorems(text: &str) -> Result<Vec<SourceTheorem>, FileError> {
    let mut examples = 0;
    let found = prover::theorems(text)?.into_iter();
    let named = found.map(|stated| {
        let is_example = stated.name.is_none();
        examples += usize::from(is_example);
        let finished = !stated.is_open && !has_hole(&text[stated.statement.end..stated.command.end]);
        SourceTheorem {
            name: stated.name.unwrap_or_else(|| format!("_example_{examples}")),
            start: stated.statement.start,
            end: stated.statement.end,
            command: stated.command,
            finished,
            is_example,
        }
    });
    Ok(named.collect())
}

/// Whether a proof gives up a goal.
fn has_hole(proof: &str) -> bool {
    let gives_up = |located: &Located| match &located.token {
        Token::Ident(name) => GIVING_UP.contains(&&**name),
        Token::Keyword(word) => GIVING_UP.contains(word),
        _ => false,
    };
    tokens(proof).is_ok_and(|all| all.iter().any(gives_up))
}

/// The name of the theorem in a statement under a header; `None` if there is none, or several.
pub fn statement_name(header: &str, statement: &str) -> Result<Option<String>, FileError> {
    let header = undocumented(header);
    let first = theorems(header)?.len();
    let text = format!("{header}\n{} := sorry\n", bare(statement));
    let mut stated = theorems(&text)?.into_iter().skip(first);
    let name = stated.next().map(|t| t.name);
    Ok(name.filter(|_| stated.next().is_none()))
}

/// A header without the comment at its end that documents the statement behind it.
pub(super) fn undocumented(header: &str) -> &str {
    match tokens(header).as_deref() {
        Ok([.., Located { token: Token::Doc(Documented::Declaration), span, .. }]) => &header[..span.start],
        _ => header,
    }
}

/// The text with its examples named, so that they can be verified: `example : p` is equivalent to `theorem _example_1
/// : p`.
pub(super) fn with_named_examples(text: &str) -> Result<String, FileError> {
    let mut named = String::with_capacity(text.len());
    let mut written = 0;
    for theorem in theorems(text)?.iter().filter(|t| t.is_example) {
        named += &text[written..theorem.start];
        named += &format!("theorem {}", theorem.name);
        written = theorem.start + "example".len();
    }
    named += &text[written..];
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "-- One\ntheorem one (p : Prop) (h : p) : p := by\n  exact h\n\nexample : True := trivial\n\
                        example (n : Nat) : n = n := by sorry\nlemma two : True := sorry\n";

    #[test]
    fn theorems_are_found_and_examples_named() {
        let found = theorems(FILE).unwrap();
        let brief: Vec<(&str, bool)> = found.iter().map(|t| (t.name.as_str(), t.finished)).collect();
        assert_eq!(brief, [("one", true), ("_example_1", true), ("_example_2", false), ("two", false)]);
        assert_eq!(FILE[found[2].start..found[2].end].trim_end(), "example (n : Nat) : n = n");
    }

    #[test]
    fn named_examples_are_theorems() {
        let named = with_named_examples(FILE).unwrap();
        assert!(named.contains("\ntheorem _example_2 (n : Nat) : n = n := by sorry\n"), "{named}");
        assert_eq!(
            named.replace("theorem _example_1", "example").replace("theorem _example_2", "example"),
            FILE
        );
    }

    #[test]
    fn statements_give_their_names() {
        assert_eq!(statement_name("", "theorem t : True := by sorry").unwrap().as_deref(), Some("t"));
        assert_eq!(statement_name(FILE, "example : True").unwrap().as_deref(), Some("_example_3"));
        let documented = statement_name("/-! a -/\n/-- One. -/", "theorem t : True");
        assert_eq!(documented.unwrap().as_deref(), Some("t"));
        assert_eq!(statement_name("", "theorem a : True := trivial\ntheorem b : True").unwrap(), None);
    }
}
