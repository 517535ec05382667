//! Coq's sentences: splitting a file.
//!
//! A sentence ends at a period followed by white space or the end of the text, outside comments and strings; `...` ends
//! one too, `..` never does; bullets and braces are separate sentences.

use super::lexer::{Kind, Piece, code};
use andor_env::screen::Unclosed;

/// A sentence, by byte positions in the text it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sentence<'a> {
    /// Where it starts.
    pub start: usize,
    /// Its text, the final period included, white space and comments before it not.
    pub text: &'a str,
}

/// Why a text cannot be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SentenceError {
    /// A comment or string is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// The last sentence has no period.
    #[error("the final period after byte {0} is missing")]
    NoPeriod(usize),
}

/// Splits a text into sentences.
pub fn split(text: &str) -> Result<Vec<Sentence<'_>>, SentenceError> {
    let pieces = code(text)?;
    let mut sentences = Vec::new();
    let mut at = 0;
    while let Some(first) = pieces.get(at) {
        let rest = &pieces[at..];
        let length =
            lone_sentence(rest).or_else(|| rest.iter().position(Piece::ends_sentence).map(|p| p + 1));
        let length = length.ok_or(SentenceError::NoPeriod(first.start))?;
        let end = rest[length - 1].end();
        sentences.push(Sentence { start: first.start, text: &text[first.start..end] });
        at += length;
    }
    Ok(sentences)
}

/// The bullet of a level of nesting, from 0.
pub fn bullet(level: usize) -> String {
    ["-", "+", "*"][level % 3].repeat(level / 3 + 1)
}

/// The number of pieces of an initial bullet, brace or focusing brace (`2: {`, `[x]: {`).
fn lone_sentence(pieces: &[Piece<'_>]) -> Option<usize> {
    let first = pieces.first()?;
    let is = |at: usize, symbol: &str| pieces.get(at).is_some_and(|p: &Piece<'_>| p.is_symbol(symbol));
    match (first.kind, first.text) {
        (Kind::Symbol, bullet @ ("-" | "+" | "*")) => {
            // A bullet is a run of one character.
            let next = pieces.windows(2).position(|p| !p[1].is_symbol(bullet) || p[0].end() < p[1].start);
            Some(next.map_or(pieces.len(), |next| next + 1))
        }
        (Kind::Symbol, "{" | "}") => Some(1),
        (Kind::Number, _) if is(1, ":") && is(2, "{") => Some(3),
        (Kind::Symbol, "[") if is(2, "]") && is(3, ":") && is(4, "{") => Some(5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sentences_cover_the_text_in_order(text in "[.(*)\"{}:+ \n∀a-c0-2-]{0,40}|\\PC{0,30}") {
            if let Ok(sentences) = split(&text) {
                let mut end = 0;
                for sentence in sentences {
                    prop_assert!(sentence.start >= end);
                    prop_assert_eq!(&text[sentence.start..sentence.start + sentence.text.len()], sentence.text);
                    end = sentence.start + sentence.text.len();
                }
            }
        }
    }

    fn texts(text: &str) -> Vec<&str> {
        split(text).unwrap().into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn files_are_split_at_periods() {
        assert_eq!(
            texts("Require Import Nat.Foo. (* a. b *) Lemma x : 1.5 = a.b.\n Proof. auto...Qed."),
            ["Require Import Nat.Foo.", "Lemma x : 1.5 = a.b.", "Proof.", "auto...Qed."]
        );
        assert_eq!(texts("auto... Qed."), ["auto...", "Qed."]);
        assert_eq!(texts("Notation \"x . y\" := (f x ..  y)."), ["Notation \"x . y\" := (f x ..  y)."]);
    }

    #[test]
    fn bullets_and_braces_stand_alone() {
        assert_eq!(
            texts("split. -- auto. + { simpl. } 2: { lia. } [x]:{ a. } *b."),
            [
                "split.", "--", "auto.", "+", "{", "simpl.", "}", "2: {", "lia.", "}", "[x]:{", "a.", "}",
                "*", "b."
            ]
        );
        assert_eq!(texts("2: auto."), ["2: auto."]);
        assert_eq!(texts("2 (* b *) : {a. }"), ["2 (* b *) : {", "a.", "}"]);
        assert_eq!(texts("- -- {a. }"), ["-", "--", "{", "a.", "}"]);
    }

    #[test]
    fn comments_nest_and_hide_strings() {
        assert_eq!(texts("(* (* \"*)\" *) . *) a."), ["a."]);
        assert_eq!(split("a. (* b"), Err(Unclosed { what: "comment", at: 3 }.into()));
        assert_eq!(split("a \"b. c"), Err(Unclosed { what: "string", at: 2 }.into()));
        assert_eq!(split("a. b"), Err(SentenceError::NoPeriod(3)));
        assert_eq!(texts("a \"b\"\"c. d\" e. f."), ["a \"b\"\"c. d\" e.", "f."]);
    }
}
