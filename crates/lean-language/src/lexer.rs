//! The tokens of Lean 4 text: enough to see words, brackets, strings and layout.
//!
//! Lean's own table of symbols grows with every notation, so symbols other than a few of punctuation are read one
//! character at a time. Names, strings and comments are read as Lean reads them.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword, with its dots and `«…»`.
    Word,
    /// A number.
    Number,
    /// A string, raw or not, also an interpolated one with the code in it.
    String,
    /// A character literal.
    Char,
    /// Punctuation, or one character of a symbol.
    Symbol,
    /// A comment `/-- … -/` or `/-! … -/`, which belongs to a declaration or is a command.
    Doc,
}

/// A token and its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Its byte offset.
    pub start: usize,
    /// Its line, from 0.
    pub line: usize,
    /// Its column, from 0, in characters; Lean's layout depends on it.
    pub column: usize,
    /// Whether white space or a comment precedes it, or nothing.
    pub is_apart: bool,
}

impl Token<'_> {
    /// The byte offset of its end.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this keyword.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Whether it is this symbol.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// Whether it opens a bracket.
    pub fn opens(&self) -> bool {
        self.kind == Kind::Symbol && self.text.ends_with(['(', '[', '{', '⟨', '⦃', '⟦'])
    }

    /// Whether it closes a bracket.
    pub fn closes(&self) -> bool {
        self.kind == Kind::Symbol && self.text.starts_with([')', ']', '}', '⟩', '⦄', '⟧'])
    }

    /// Refuses a comment without a space between it and this token of `text`, where what begins the comment may belong to
    /// a symbol before it, as in `a //-- b`. No symbol of Lean or Mathlib goes on so behind a bracket, a word or a literal; one of
    /// the file itself (`has_symbols`) may. Behind a quote two spaces are needed: where Lean does not know a symbol that
    /// ends in it, it begins a character, and Lean goes on behind the two characters that follow.
    pub fn apart_from_comment(&self, text: &str, has_symbols: bool) -> Result<(), Refusal> {
        let begins = |rest: &str| rest.starts_with("--") || rest.starts_with("/-");
        let behind = &text[self.end()..];
        let mut later = behind.chars();
        let is_joined = match self.kind {
            Kind::Doc => false,
            Kind::Symbol if self.text.ends_with('\'') => {
                begins(behind) || later.next().is_some() && begins(later.as_str())
            }
            Kind::Symbol if self.opens() || self.closes() || SEPARATORS.contains(&self.text) => {
                has_symbols && begins(behind)
            }
            Kind::Symbol => begins(behind),
            Kind::Word | Kind::Number | Kind::String | Kind::Char => has_symbols && begins(behind),
        };
        if is_joined { Err(Refusal::CommentAfterSymbol { at: self.end() }) } else { Ok(()) }
    }
}

use andor_env::screen::Refusal;
/// A text that is not a sequence of tokens: a comment, a string, a character or a quoted name is not closed.
pub use andor_env::screen::Unclosed;

/// Symbols that are read alone, whatever follows.
const SEPARATORS: &[&str] = &[",", ";", ":=", "=>", "↦", "·"];

/// Symbols of several characters, longer ones first.
const SYMBOLS: &[&str] = &[
    "<;>", "<|>", "|>.", "<->", "...", ":=", "=>", "->", "<-", "|>", "<|", "|-", "::", "..", "@[", "#[", "''",
];

/// The tokens of a text. Comments are dropped.
///
/// # Errors
///
/// The start of what is not closed. The text before it has tokens.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, Unclosed> {
    let mut found: Vec<Token<'_>> = Vec::new();
    // `at` is at `column` of `line`.
    let (mut at, mut line, mut column) = (0, 0, 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let unclosed = |what| Unclosed { what, at };
        let length = if matches!(first, ' ' | '\n' | '\r' | '\t') {
            1
        } else if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/-") && !is_doc(rest) {
            comment(rest).ok_or(unclosed("comment"))?
        } else {
            let before = found.last().filter(|last| last.end() == at);
            let (kind, length) = token(rest, first, before).map_err(unclosed)?;
            let is_apart = before.is_none();
            found.push(Token { kind, text: &rest[..length], start: at, line, column, is_apart });
            length
        };
        for c in rest[..length].chars() {
            (line, column) = if c == '\n' { (line + 1, 0) } else { (line, column + 1) };
        }
        at += length;
    }
    Ok(found)
}

/// The tokens of a text up to the first place that cannot be read, and what is there.
pub fn readable(text: &str) -> (Vec<Token<'_>>, Option<Unclosed>) {
    match tokens(text) {
        Ok(all) => (all, None),
        Err(unclosed) => (tokens(&text[..unclosed.at]).unwrap_or_default(), Some(unclosed)),
    }
}

/// A text in which comments are blank, with all tokens at their lines and columns. Of documentation only the beginning
/// and the end remain, since it may be needed where it stands.
pub fn without_comments(text: &str) -> Result<String, Unclosed> {
    let mut code = String::with_capacity(text.len());
    let mut end = 0;
    let blank = |part: &str| part.chars().map(|c| if c == '\n' { c } else { ' ' }).collect::<String>();
    let gap = |part: &str| match part.trim_matches([' ', '\n', '\r', '\t']).is_empty() {
        true => part.to_owned(),
        false => blank(part),
    };
    for token in tokens(text)? {
        code += &gap(&text[end..token.start]);
        match token.kind {
            Kind::Doc => {
                let (opening, rest) = token.text.split_at(3);
                let (inner, closing) = rest.split_at(rest.len() - 2);
                code.extend([opening, &blank(inner), closing]);
            }
            _ => code += token.text,
        }
        end = token.end();
    }
    code += &gap(&text[end..]);
    Ok(code)
}

/// The token at the start of a text, behind another one or apart; or what is not closed.
fn token(rest: &str, first: char, before: Option<&Token<'_>>) -> Result<(Kind, usize), &'static str> {
    let is_after = |ends: fn(&str) -> bool| before.is_some_and(|b| b.kind == Kind::Word && ends(b.text));
    match first {
        '/' if is_doc(rest) => Ok((Kind::Doc, comment(rest).ok_or("comment")?)),
        // An interpolated string may contain strings in its code. Lean reads one that is not closed as nothing else, and to
        // look for another end behind each would take quadratic time.
        '"' if is_after(|word| word.ends_with('!')) => {
            Ok((Kind::String, interpolated(rest).ok_or("string")?))
        }
        '"' => Ok((Kind::String, string(rest).ok_or("string")?)),
        'r' if raw_opening(rest).is_some() => Ok((Kind::String, raw(rest).ok_or("string")?)),
        '\'' if !rest.starts_with("''") => match character(rest) {
            Some(length) => Ok((Kind::Char, length)),
            // The end of a symbol such as `⁻¹'`.
            None if before.is_some_and(|b| b.kind == Kind::Symbol) => Ok((Kind::Symbol, 1)),
            None => Err("character"),
        },
        _ if first.is_ascii_digit() => Ok((Kind::Number, number(rest))),
        _ if starts_name(first) => Ok((Kind::Word, name(rest).ok_or("name")?)),
        _ => {
            let several = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            Ok((Kind::Symbol, several.map_or(first.len_utf8(), |symbol| symbol.len())))
        }
    }
}

fn is_doc(rest: &str) -> bool {
    rest.starts_with("/--") || rest.starts_with("/-!")
}

/// The length of a comment, which may contain comments.
///
/// As in Lean, the character behind `/-` is skipped, whatever it is: `/-/-/` is a whole comment. The beginning of a
/// documentation comment is a token, so that white space and other comments behind it come before its text.
fn comment(text: &str) -> Option<usize> {
    let from = match is_doc(text) {
        true => 3 + space(&text[3..])?,
        false => 2 + text[2..].chars().next()?.len_utf8(),
    };
    let (bytes, mut depth, mut at) = (text.as_bytes(), 1usize, from);
    while depth > 0 {
        match bytes.get(at..at + 2)? {
            b"/-" => (depth, at) = (depth + 1, at + 2),
            b"-/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    Some(at)
}

/// The length of white space and comments that are no documentation; `None` if one is not closed.
fn space(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        at += match rest.as_bytes() {
            [b' ' | b'\n' | b'\r' | b'\t', ..] => 1,
            [b'-', b'-', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'-', ..] if !is_doc(rest) => comment(rest)?,
            _ => return Some(at),
        };
    }
}

/// The length of a string.
fn string(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The length of an interpolated string: code stands in braces, and may contain strings.
fn interpolated(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (1, 0usize);
    loop {
        match bytes.get(at)? {
            b'"' if depth == 0 => return Some(at + 1),
            b'"' => at += string(text.get(at..)?)?,
            b'\\' if depth == 0 => at += 2,
            b'{' => (depth, at) = (depth + 1, at + 1),
            b'}' => (depth, at) = (depth.saturating_sub(1), at + 1),
            _ => at += 1,
        }
    }
}

/// The number of `#` before the quote of a raw string.
fn raw_opening(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('r')?;
    let quoted = rest.trim_start_matches('#');
    quoted.starts_with('"').then(|| rest.len() - quoted.len())
}

/// The length of a raw string.
fn raw(text: &str) -> Option<usize> {
    let hashes = raw_opening(text)?;
    let begins = hashes + 2;
    let end = format!("\"{}", "#".repeat(hashes));
    text[begins..].find(&end).map(|at| begins + at + end.len())
}

/// The length of a character literal such as `'a'` or `'\n'`.
fn character(text: &str) -> Option<usize> {
    let inner = text[1..].chars().next()?;
    let from = 1 + inner.len_utf8();
    if inner == '\\' {
        // The escaped character, and what follows it in `\x41` and `\u{3b1}`.
        let escaped = text[from..].chars().next()?;
        let rest = &text[from + escaped.len_utf8()..];
        let digits = rest.find(|c: char| !(c.is_ascii_hexdigit() || matches!(c, '{' | '}')))?;
        let end = from + escaped.len_utf8() + digits;
        return text[end..].starts_with('\'').then_some(end + 1);
    }
    text[from..].starts_with('\'').then_some(from + 1)
}

/// The length of a number: decimal, with a fraction or an exponent, or in another base. `1.` is a number, too.
fn number(text: &str) -> usize {
    let digits = |from: usize| {
        let is_digit = |c: char| c.is_ascii_digit() || c == '_';
        text[from..].find(|c| !is_digit(c)).map_or(text.len(), |at| from + at)
    };
    let in_base = |letters: &str, is_digit: fn(char) -> bool| {
        let rest = text.strip_prefix('0')?.strip_prefix(|c| letters.contains(c))?;
        let end = rest.find(|c| !is_digit(c) && c != '_').unwrap_or(rest.len());
        (end > 0).then_some(end + 2)
    };
    let other = in_base("xX", |c| c.is_ascii_hexdigit())
        .or_else(|| in_base("bB", |c| matches!(c, '0' | '1')))
        .or_else(|| in_base("oO", |c| ('0'..='7').contains(&c)));
    if let Some(end) = other {
        return end;
    }
    let mut end = digits(0);
    if text[end..].starts_with('.') && !text[end..].starts_with("..") {
        end = digits(end + 1);
    }
    if let Some(rest) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['+', '-']));
        if rest[sign..].starts_with(|c: char| c.is_ascii_digit()) {
            end = digits(end + 1 + sign);
        }
    }
    end
}

/// Whether a character begins a name or a part of one.
fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '«') || is_letter(c)
}

/// Whether a character that is no ASCII character is a letter to Lean.
pub fn is_letter(c: char) -> bool {
    matches!(c,
        '\u{391}'..='\u{39f}' | '\u{3a1}'..='\u{3a2}' | '\u{3a4}'..='\u{3a9}'
        | '\u{3b1}'..='\u{3ba}' | '\u{3bc}'..='\u{3fb}'
        | '\u{1f00}'..='\u{1ffe}' | '\u{2100}'..='\u{214f}' | '\u{1d49c}'..='\u{1d59f}')
        || is_new_letter(c)
}

/// Letters of recent versions of Lean, which earlier ones do not have in names.
pub fn is_new_letter(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{17f}')
}

/// Whether a letter may stand within a name.
pub fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '\'' | '!' | '?')
        || is_letter(c)
        || matches!(c,
            '\u{2080}'..='\u{2089}' | '\u{2090}'..='\u{209c}' | '\u{1d62}'..='\u{1d6a}' | '\u{2c7c}')
}

/// The length of a name: parts with dots between them, each a word or quoted. `None` if a quoted part is not closed.
fn name(text: &str) -> Option<usize> {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        end += match rest.strip_prefix('«') {
            Some(_) => rest.find('»')? + '»'.len_utf8(),
            None => rest.find(|c| !in_name(c)).unwrap_or(rest.len()),
        };
        match text[end..].strip_prefix('.') {
            Some(next) if next.starts_with(starts_name) => end += 1,
            _ => return Some(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).unwrap().into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn names_keep_their_dots() {
        assert_eq!(
            texts("Nat.succ h.1.left (f x).2.1 «a b».«c».d _root_.x x₁ h' simp? a.b!"),
            [
                "Nat.succ",
                "h",
                ".",
                "1.",
                "left",
                "(",
                "f",
                "x",
                ")",
                ".",
                "2.1",
                "«a b».«c».d",
                "_root_.x",
                "x₁",
                "h'",
                "simp?",
                "a.b!"
            ]
        );
        assert_eq!(texts("λx fun Πy é"), ["λ", "x", "fun", "Π", "y", "é"]);
        assert_eq!(
            texts("дa 1.theorem 0x1F 2e-3 1..2"),
            ["д", "a", "1.", "theorem", "0x1F", "2e-3", "1", "..", "2"]
        );
    }

    #[test]
    fn comments_are_dropped_and_those_of_documentation_kept() {
        assert_eq!(
            texts("a -- := sorry\n/- /- x -/ := -/ b /-- c -/ d /-/ -/ e"),
            ["a", "b", "/-- c -/", "d", "e"]
        );
        for (text, rest) in [
            ("/-/-/ a -/", &["a", "-", "/"][..]),
            ("/-- /-/-/ -/ a", &["/-- /-/-/ -/", "a"]),
            ("/-- -- -/ a\n-/ b", &["/-- -- -/ a\n-/", "b"]),
            ("/---- -/ a\n-/ b", &["/---- -/ a\n-/", "b"]),
            ("/--/ -/ a", &["/--/ -/", "a"]),
            ("/-é-/ a", &["a"]),
        ] {
            assert_eq!(texts(text), rest, "{text}");
        }
        let text = "a -- é #x\n /-- b\n c -/ \"-- d\" /- e -/ f\t/-! g -/";
        let code = "a        \n /--  \n   -/ \"-- d\"         f\t/-!   -/";
        assert_eq!(without_comments(text).unwrap(), code);
        assert_eq!(texts("/-!-/ a"), ["/-!-/", "a"]);
        assert_eq!(tokens("a /- b"), Err(Unclosed { what: "comment", at: 2 }));
        assert_eq!(tokens("a /--/ b"), Err(Unclosed { what: "comment", at: 2 }));
        assert_eq!(readable("a /- b").0.len(), 1);
    }

    #[test]
    fn strings_and_characters_hide_what_is_in_them() {
        assert_eq!(texts(r#"f "a\" -- b" x"#), ["f", r#""a\" -- b""#, "x"]);
        assert_eq!(texts(r##"r"\" r#"a"b"# r# x"##), [r#"r"\""#, r##"r#"a"b"#"##, "r", "#", "x"]);
        assert_eq!(texts(r#"s!"a {f "b"} c" x"#), ["s!", r#""a {f "b"} c""#, "x"]);
        assert_eq!(tokens(r#"s!"a { b" c"#).unwrap_err().at, 2);
        assert_eq!(
            texts(r"'x' '\'' '\x41' '\u{3b1}' h' f '' s"),
            ["'x'", r"'\''", r"'\x41'", r"'\u{3b1}'", "h'", "f", "''", "s"]
        );
        assert_eq!(texts("f ⁻¹' s"), ["f", "⁻", "¹", "'", "s"]);
        for (text, what, at) in
            [("\"a", "string", 0), ("x r#\"a\"", "string", 2), ("«a", "name", 0), ("x 'ab", "character", 2)]
        {
            assert_eq!(tokens(text), Err(Unclosed { what, at }), "{text}");
        }
    }

    #[test]
    fn places_are_lines_and_columns() {
        let found = tokens("∀ α,\n /- a\n -/ β\n  (γ)").unwrap();
        let places: Vec<_> = found.iter().map(|t| (t.start, t.line, t.column, t.is_apart)).collect();
        assert_eq!(
            places,
            [
                (0, 0, 0, true),
                (4, 0, 2, true),
                (6, 0, 3, false),
                (18, 2, 4, true),
                (23, 3, 2, true),
                (24, 3, 3, false),
                (26, 3, 4, false)
            ]
        );
    }

    proptest! {
        #[test]
        fn every_text_has_tokens_or_an_error_in_it(
            text in "[a-c'r ./\\-\"\\\\(\\[⟩«»:=!{}\n∀é#0-2x]{0,40}|\\PC{0,30}"
        ) {
            match tokens(&text) {
                Ok(all) => {
                    let mut end = 0;
                    for token in all {
                        prop_assert!(token.start >= end && !token.text.is_empty());
                        prop_assert_eq!(&text[token.start..token.end()], token.text);
                        end = token.end();
                    }
                }
                Err(unclosed) => {
                    prop_assert!(text.is_char_boundary(unclosed.at));
                    prop_assert!(tokens(&text[..unclosed.at]).is_ok());
                }
            }
        }
    }
}
