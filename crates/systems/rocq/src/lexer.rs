//! Splits Coq's text into pieces, by the rules of its own lexer as far as sentences need them (Rocq reference
//! manual, "Lexical conventions"): comments nest and contain strings, a doubled quote is a quote within a string,
//! names include their dots.

use andor_env::screen::Unclosed;

/// A piece of text, without white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece<'a> {
    pub(super) kind: Kind,
    /// Where it starts.
    pub(super) start: usize,
    pub(super) text: &'a str,
}

/// The kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Comment,
    String,
    /// A name, qualified or not, or a word.
    Word,
    Number,
    /// Dots before white space or at the end of the text.
    Dots,
    /// Anything else, one character; or dots elsewhere.
    Symbol,
}

impl Piece<'_> {
    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it ends a sentence. `..` belongs to recursive notations.
    pub(super) fn ends_sentence(&self) -> bool {
        self.kind == Kind::Dots && self.text != ".."
    }

    /// Whether it is this symbol.
    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// Whether it is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

/// The pieces of a text, comments included.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Result<Piece<'_>, Unclosed>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(|c| !is_blank(c))?;
        let piece = piece(text, at);
        // An unclosed piece takes the rest of the text.
        at = piece.map_or(text.len(), |piece| piece.end());
        Some(piece)
    })
}

/// The pieces of a text without its comments.
pub(super) fn code(text: &str) -> Result<Vec<Piece<'_>>, Unclosed> {
    pieces(text).filter(|p| p.is_err() || p.is_ok_and(|p| p.kind != Kind::Comment)).collect()
}

/// A text with spaces in the place of its comments, so that nothing moves; the text itself if one is not closed.
pub(super) fn without_comments(text: &str) -> String {
    let mut found = text.to_owned();
    if let Ok(pieces) = pieces(text).collect::<Result<Vec<_>, _>>() {
        for comment in pieces.iter().filter(|piece| piece.kind == Kind::Comment) {
            found.replace_range(comment.start..comment.end(), &" ".repeat(comment.text.len()));
        }
    }
    found
}

/// Coq's white space; it treats other white space as letters.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The piece that begins at `start`, which is not white space.
fn piece(text: &str, start: usize) -> Result<Piece<'_>, Unclosed> {
    let rest = &text[start..];
    let first = rest.chars().next().expect("there is more text");
    let (kind, end) = match first {
        '(' if rest.starts_with("(*") => (Kind::Comment, comment_end(text, start)?),
        '"' => (Kind::String, string_end(text, start)?),
        '.' => {
            let end = start + rest.bytes().take_while(|&b| b == b'.').count();
            let ends = text[end..].chars().next().is_none_or(is_blank);
            (if ends { Kind::Dots } else { Kind::Symbol }, end)
        }
        '0'..='9' => (Kind::Number, start + number(rest)),
        c if starts_word(c) => (Kind::Word, start + word(rest)),
        c => (Kind::Symbol, start + c.len_utf8()),
    };
    Ok(Piece { kind, start, text: &text[start..end] })
}

fn comment_end(text: &str, start: usize) -> Result<usize, Unclosed> {
    let unclosed = Unclosed { what: "comment", at: start };
    let (mut at, mut depth) = (start + 2, 1);
    while depth > 0 {
        let rest = text.get(at..).filter(|r| !r.is_empty()).ok_or(unclosed)?;
        if rest.starts_with("(*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with("*)") {
            (at, depth) = (at + 2, depth - 1);
        } else if rest.starts_with('"') {
            // Strings count inside comments.
            at = string_end(text, at)?;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    Ok(at)
}

fn string_end(text: &str, start: usize) -> Result<usize, Unclosed> {
    // A doubled quote is an escaped one, and reads as two strings side by side: the end is the same.
    let close = text[start + 1..].find('"').ok_or(Unclosed { what: "string", at: start })?;
    Ok(start + 1 + close + 1)
}

/// A character that Coq treats as a letter, like `_`, although it looks like a space.
const NO_BREAK_SPACE: char = '\u{a0}';

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | NO_BREAK_SPACE)
}

/// Whether a word may continue with this.
pub(super) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | NO_BREAK_SPACE)
}

/// The length of a name and those that follow it after dots.
fn word(text: &str) -> usize {
    let length = |text: &str| text.find(|c| !in_word(c)).unwrap_or(text.len());
    let mut end = length(text);
    while let Some(field) = text[end..].strip_prefix('.').filter(|f| f.starts_with(starts_word)) {
        end += 1 + length(field);
    }
    end
}

/// The length of a number, decimal or hexadecimal, with fraction and exponent. A word may follow directly.
fn number(text: &str) -> usize {
    let is_decimal = |c: char| c.is_ascii_digit();
    let is_hexadecimal = |c: char| c.is_ascii_hexdigit();
    let hexadecimal = text.get(2..).is_some_and(|t| t.starts_with(is_hexadecimal))
        && (text.starts_with("0x") || text.starts_with("0X"));
    let is_digit: &dyn Fn(char) -> bool = if hexadecimal { &is_hexadecimal } else { &is_decimal };
    let length = |text: &str| text.find(|c| !is_digit(c) && c != '_').unwrap_or(text.len());
    let start = if hexadecimal { 2 } else { 0 };
    let mut end = start + length(&text[start..]);
    if let Some(fraction) = text[end..].strip_prefix('.').filter(|f| f.starts_with(is_digit)) {
        end += 1 + length(fraction);
    }
    let marks: &[char] = if hexadecimal { &['p', 'P'] } else { &['e', 'E'] };
    if let Some(signed) = text[end..].strip_prefix(marks) {
        let exponent = signed.strip_prefix(['+', '-']).unwrap_or(signed);
        if exponent.starts_with(is_decimal) {
            let rest = exponent.trim_start_matches(|c: char| is_decimal(c) || c == '_');
            end = text.len() - rest.len();
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(Kind, &str)> {
        pieces(text).map(|p| p.unwrap()).map(|p| (p.kind, p.text)).collect()
    }

    #[test]
    fn a_no_break_space_is_a_letter() {
        use Kind::{Symbol, Word};
        let found = texts("[l |\u{a0} | Load\u{a0}x].\u{a0}Load");
        let expected = [
            (Symbol, "["),
            (Word, "l"),
            (Symbol, "|"),
            (Word, "\u{a0}"),
            (Symbol, "|"),
            (Word, "Load\u{a0}x"),
            (Symbol, "]"),
            (Symbol, "."),
            (Word, "\u{a0}Load"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_and_numbers_keep_their_dots() {
        use Kind::{Dots, Number, Symbol, Word};
        let found = texts("Nat.add_comm x' 1.5%R x.(f) 0x1F 2. a.b... λ ..");
        let expected = [
            (Word, "Nat.add_comm"),
            (Word, "x'"),
            (Number, "1.5"),
            (Symbol, "%"),
            (Word, "R"),
            (Word, "x"),
            (Symbol, "."),
            (Symbol, "("),
            (Word, "f"),
            (Symbol, ")"),
            (Number, "0x1F"),
            (Number, "2"),
            (Dots, "."),
            (Word, "a.b"),
            (Dots, "..."),
            (Word, "λ"),
            (Dots, ".."),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_may_follow_a_number_at_once() {
        use Kind::{Number, Word};
        for (number, word) in [
            ("5", "Load"),
            ("1_0", "x"),
            ("2.5e-3", "L"),
            ("0x1F", "L"),
            ("0", "xLoad"),
            ("1", "e'"),
            ("0x1.Ap+2", "q"),
        ] {
            assert_eq!(texts(&format!("{number}{word}")), [(Number, number), (Word, word)]);
        }
    }

    #[test]
    fn comments_nest_and_hide_strings() {
        use Kind::{Comment, String, Word};
        let found = texts("a(*)b*)(* (* \"*)\" *) *)\"c\"\"(*\"d");
        let expected = [
            (Word, "a"),
            (Comment, "(*)b*)"),
            (Comment, "(* (* \"*)\" *) *)"),
            (String, "\"c\""),
            (String, "\"(*\""),
            (Word, "d"),
        ];
        assert_eq!(found, expected);
        assert_eq!(code("a (* b"), Err(Unclosed { what: "comment", at: 2 }));
        assert_eq!(code("a (* \"b *)"), Err(Unclosed { what: "string", at: 5 }));
    }

    #[test]
    fn only_four_characters_are_blanks() {
        for (text, ends) in
            [("a.\tb", true), ("a.\r\n", true), ("a.", true), ("a.\u{a0}b", false), ("a.\u{c}", false)]
        {
            assert_eq!(texts(text).iter().any(|(kind, _)| *kind == Kind::Dots), ends, "{text:?}");
        }
    }
}
