//! The tokens of the explicit form.

use andor_env::explicit::Token;

const SYMBOLS: &[&str] = &[
    ":=", "=>", ".{", "→", "∀", "λ", "↦", "@", "(", ")", "{", "}", "⦃", "⦄", "[", "]", ",", ":", ";", ".",
    "+",
];

fn is_word(c: char) -> bool {
    (c.is_alphanumeric() && c != 'λ') || "_'!?✝¹²³⁴⁵⁶⁷⁸⁹⁰₀₁₂₃₄₅₆₇₈₉".contains(c)
}

/// The length of an identifier at the start of a text: parts separated by dots.
fn identifier(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let part = if rest.starts_with('«') {
            rest.find('»').map_or(0, |at| at + '»'.len_utf8())
        } else {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        };
        end += part;
        // A number after a dot is a projection.
        let next = text[end..].strip_prefix('.').and_then(|after| after.chars().next());
        match next {
            Some(c) if part > 0 && (c == '«' || (is_word(c) && !c.is_ascii_digit())) => end += 1,
            _ => return end,
        }
    }
}

pub(super) fn tokenise<'a>(text: &'a str) -> Option<Vec<Token<'a>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (length, token): (usize, fn(&'a str) -> Token<'a>) = if first == '"' {
            (string(rest)?, Token::Literal)
        } else if first.is_ascii_digit() {
            (rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()), Token::Literal)
        } else if first == '?' {
            // The number of a nameless one follows a dot.
            let name = 1 + identifier(&rest[1..]);
            let number = rest[name..].strip_prefix('.').map_or(0, |number| {
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                if digits > 0 { digits + 1 } else { 0 }
            });
            (name + number, Token::Meta)
        } else if is_word(first) || first == '«' {
            (identifier(rest), Token::Word)
        } else {
            (SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?.len(), Token::Symbol)
        };
        tokens.push(token(&rest[..length]));
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// The length of a string literal at the start of a text.
fn string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

/// Words that are no names.
pub(super) const KEYWORDS: &[&str] =
    &["fun", "let", "have", "forall", "match", "with", "if", "then", "else", "show", "from", "sorry"];
