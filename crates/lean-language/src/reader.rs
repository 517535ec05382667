//! What both systems read alike: statements, and proofs that come alone.

use std::ops::Range;

use andor_env::source::Likeness;

use crate::declarations::{SourceTheorem, declarations, goal, imports};
use crate::lexer::readable;
use crate::outline::outline;

/// How much a text is like a statement of Lean.
pub fn likeness(statement: &str) -> Likeness {
    const SYMBOLS: &[char] = &['∀', '∃', '→', '↔', '∧', '∨', '¬'];
    match begins_theorem(statement) {
        true => Likeness::Stated,
        false if statement.contains(SYMBOLS) => Likeness::Symbols,
        false => Likeness::None,
    }
}

/// Whether a text begins like a theorem.
pub fn begins_theorem(statement: &str) -> bool {
    let word = statement.split_whitespace().next().unwrap_or_default();
    matches!(word, "theorem" | "lemma" | "example")
}

/// A statement as a sentence of its own: a bare proposition becomes the theorem `goal`.
pub fn sentence(statement: &str) -> String {
    match begins_theorem(statement) {
        true => statement.to_owned(),
        false => format!("theorem goal : {statement}"),
    }
}

/// Whether a proof ends with `?_` in a term, so that its goal stays open.
pub fn leaves_open(proof: &str) -> bool {
    proof.contains("?_") && outline(proof).has_holes()
}

/// What stands in a text before a theorem in it, and its statement.
///
/// A private theorem is made public, since its name would be different in every file, and an example gets the name that
/// it has in results; neither changes what it states.
pub fn parts(text: &str, declared: &SourceTheorem) -> (String, String) {
    let mut before = text[..declared.start].to_owned();
    let modifiers = declared.command.start..declared.start;
    if let Some(private) = readable(&text[modifiers.clone()]).0.iter().find(|token| token.is_word("private"))
    {
        let at = modifiers.start + private.start;
        let end = modifiers.start + private.end();
        let blank = text[end..].chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
        before.replace_range(at..end + blank, "");
    }
    let mut statement = text[declared.start..declared.end].trim_end().to_owned();
    if let Some(rest) = statement.strip_prefix("example") {
        let name = declared.name.as_deref().and_then(|name| name.rsplit('.').next());
        statement = format!("theorem {}{rest}", name.unwrap_or("_example"));
    }
    (before, statement)
}

/// Whether a text is a proof alone: it declares nothing.
pub fn is_proof_alone(text: &str) -> bool {
    goal(text).is_none() && imports(text).is_empty()
}

/// A file with a proof that comes alone in the place of a theorem's ([`andor_env::source::Source::with_proof`]): tactics, with
/// `by` before them or without, or a term after `:=`.
pub fn with_proof(file: &str, theorem: &str, proof: &str) -> Option<[String; 3]> {
    let theorem = named(file, theorem)?;
    let (value, is_block) = (proof.trim_start().strip_prefix(":="), first_word(proof) == "by");
    let by = if value.is_some() || is_block { "" } else { "  by\n" };
    let indent = if by.is_empty() { "  " } else { "    " };
    let lines: String = value.unwrap_or(proof).lines().map(|line| format!("{indent}{line}\n")).collect();
    let start = format!("{}\n  :=\n{by}", file[..theorem.end].trim_end());
    Some([start, lines, file[theorem.proof.end..].to_owned()])
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Where the proof of a theorem is in a file.
pub fn proof_of(file: &str, theorem: &str) -> Option<Range<usize>> {
    named(file, theorem).map(|theorem| theorem.proof)
}

fn named(file: &str, name: &str) -> Option<SourceTheorem> {
    declarations(file).ok()?.into_iter().find(|declared| declared.name.as_deref() == Some(name))
}
