//! Cases in which Coq's lexer and ours could differ: symbols that a file defines by notations, and quotations. The
//! refused texts could hide a command in an apparent comment.

use std::collections::BTreeSet;

use super::super::lexer::{Kind, Piece};
use andor_env::screen::Refusal;

/// Built-in symbols that end like the beginning of a comment.
const OPENING: &[&str] = &["`(", ".("];

/// Words of sentences whose strings can define symbols.
const MAKES_SYMBOLS: &[&str] = &["Notation", "Infix", "where"];

/// Refuses strings that could define symbols with `(*` in them, comments whose parenthesis could be the end of a
/// symbol, and quotations. The pieces of each sentence contain no comments.
pub(super) fn check<'t>(
    text: &str,
    comments: &[Piece<'_>],
    sentences: impl Iterator<Item = &'t [Piece<'t>]>,
) -> Result<(), Refusal> {
    let mut opening = Opening::default();
    OPENING.iter().for_each(|symbol| opening.add(symbol));
    for sentence in sentences {
        let makes_symbols = sentence.iter().any(|p| p.kind == Kind::Word && MAKES_SYMBOLS.contains(&p.text));
        for (index, piece) in sentence.iter().enumerate() {
            quotation(&sentence[index..])?;
            // Earlier text in a notation clause may contain a symbol that looks like the end of the sentence.
            let continues = index.checked_sub(1).is_some_and(|before| sentence[before].is_word("and"));
            if piece.kind == Kind::String && (makes_symbols || continues) {
                if hides_comment(piece.text) {
                    return Err(Refusal::CommentInString { at: piece.start });
                }
                opening_symbols(piece.text).for_each(|symbol| opening.add(symbol));
            }
        }
    }
    let opening = opening.done();
    match comments.iter().find(|comment| opening.ends(&text[..=comment.start])) {
        Some(comment) => Err(Refusal::CommentAfterSymbol { at: comment.start }),
        None => Ok(()),
    }
}

/// Refuses `word:{{`, with which plugins begin text in another language, without comments and strings.
fn quotation(pieces: &[Piece<'_>]) -> Result<(), Refusal> {
    let [word, colon, one, two, ..] = pieces else { return Ok(()) };
    let adjacent = word.end() == colon.start && colon.end() == one.start && one.end() == two.start;
    if word.kind == Kind::Word && colon.is_symbol(":") && one.is_symbol("{") && two.is_symbol("{") && adjacent
    {
        let command = format!("{}:{{{{", word.text);
        return Err(Refusal::Outside {
            command,
            effect: "begins a text in another language",
            at: word.start,
        });
    }
    Ok(())
}

/// The symbols that a string defines as a notation.
fn symbols(string: &str) -> impl Iterator<Item = &str> {
    string.trim_matches('"').split([' ', '\t', '\n', '\r'])
}

/// Whether a string, as a notation, would define a symbol with `(*` in it. At the beginning of a symbol it begins a
/// comment anyway.
fn hides_comment(string: &str) -> bool {
    symbols(string)
        .any(|symbol| symbol.char_indices().nth(1).is_some_and(|(at, _)| symbol[at..].contains("(*")))
}

/// The symbols that a string defines as a notation and that end like the beginning of a comment.
fn opening_symbols(string: &str) -> impl Iterator<Item = &str> {
    let symbols = symbols(string).map(|symbol| symbol.trim_matches('\''));
    symbols.filter(|symbol| symbol.len() > 1 && symbol.ends_with('('))
}

/// Symbols that end like the beginning of a comment, reversed and sorted, so that one search finds whether a text ends
/// in any of them.
#[derive(Debug, Default)]
struct Opening(BTreeSet<Vec<u8>>);

impl Opening {
    fn add(&mut self, symbol: &str) {
        self.0.insert(symbol.bytes().rev().collect());
    }

    /// All symbols except those that end in another one, which would be redundant.
    fn done(self) -> Endings {
        let mut endings: Vec<Vec<u8>> = Vec::new();
        for symbol in self.0 {
            if endings.last().is_none_or(|last| !symbol.starts_with(last)) {
                endings.push(symbol);
            }
        }
        Endings(endings)
    }
}

/// See [`Opening`]; none of them ends in another.
#[derive(Debug)]
struct Endings(Vec<Vec<u8>>);

impl Endings {
    /// Whether a text ends in one of them.
    fn ends(&self, text: &str) -> bool {
        // Reversed, the symbol is the last one that is not greater than the text.
        let up_to = self.0.partition_point(|symbol| symbol.iter().copied().le(text.bytes().rev()));
        let candidate = up_to.checked_sub(1).map(|last| &self.0[last]);
        candidate.is_some_and(|symbol| text.bytes().rev().take(symbol.len()).eq(symbol.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_search_finds_what_trying_all_would(symbols in prop::collection::vec("[a(]{1,3}", 0..6), text in "[ab(]{0,6}") {
            let mut opening = Opening::default();
            symbols.iter().for_each(|symbol| opening.add(symbol));
            let found = opening.done().ends(&text);
            prop_assert_eq!(found, symbols.iter().any(|symbol| text.ends_with(symbol.as_str())));
        }
    }
}
