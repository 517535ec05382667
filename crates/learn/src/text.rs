//! Words and symbols of goals and tactics, in all systems alike.

/// A piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    /// An identifier, up to a period: `h` in `h.symm`, which has the symbol `.` and the word `symm` after it.
    Word(&'t str),
    /// A numeral.
    Number(&'t str),
    /// A symbol of one or more characters, or a bracket.
    Symbol(&'t str),
    /// White space.
    Space(&'t str),
}

/// Symbols of several characters, longer ones first.
const LONG: &[&str] =
    &["<->", "<;>", ":=", "=>", "->", "/\\", "\\/", "<>", "<=", ">=", "::", "++", "?_", "&&", "||"];

pub(crate) fn begins_word(c: char) -> bool {
    (c.is_alphabetic() && c != 'λ') || c == '_'
}

pub(crate) fn is_in_word(c: char) -> bool {
    begins_word(c) || c.is_numeric() || matches!(c, '\'' | '✝' | '!')
}

/// The tokens of a text; together they are the text.
pub(crate) fn tokens<'t>(text: &'t str) -> Vec<Token<'t>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let (token, length): (fn(&'t str) -> Token<'t>, usize) = if first.is_whitespace() {
            (Token::Space, run(char::is_whitespace))
        } else if begins_word(first) {
            (Token::Word, run(is_in_word))
        } else if first.is_ascii_digit() {
            (Token::Number, run(|c| c.is_ascii_digit()))
        } else {
            let long = LONG.iter().find(|symbol| rest.starts_with(**symbol));
            (Token::Symbol, long.map_or(first.len_utf8(), |symbol| symbol.len()))
        };
        let (piece, after) = rest.split_at(length);
        found.push(token(piece));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_end_at_periods() {
        use Token::{Number, Space, Symbol, Word};
        let found = tokens("exact h₁.symm ▸ x'=>10");
        let expected = [
            Word("exact"),
            Space(" "),
            Word("h₁"),
            Symbol("."),
            Word("symm"),
            Space(" "),
            Symbol("▸"),
            Space(" "),
            Word("x'"),
            Symbol("=>"),
            Number("10"),
        ];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "\\PC{0,40}") {
            let piece = |t: &Token<'_>| match *t {
                Token::Word(s) | Token::Number(s) | Token::Symbol(s) | Token::Space(s) => s.to_owned(),
            };
            prop_assert_eq!(tokens(&text).iter().map(piece).collect::<String>(), text);
        }
    }
}
