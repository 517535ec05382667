//! A lexer for Lean 4 that recognises just enough to find where commands begin and end.

/// A word, a symbol, or a documentation comment. Other comments and the contents of strings are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Its byte offset.
    pub(super) start: usize,
    /// The bracket depth.
    pub(super) depth: usize,
    /// Its column in bytes, if it is the first token of its line.
    pub(super) first_at: Option<usize>,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_doc(&self) -> bool {
        self.text.starts_with("/--")
    }
}

/// The length of the longest symbol, in bytes.
const MAX_SYMBOL: usize = 3;

/// An iterator over the tokens of a text.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    line: usize,
    is_first: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, line: 0, is_first: true }
    }

    /// Resets the bracket depth: a command begins here, even if brackets are open.
    pub(super) fn close_brackets(&mut self) {
        self.depth = 0;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self, length: usize) {
        if let Some(last) = self.rest()[..length].rfind('\n') {
            self.line = self.at + last + 1;
            self.is_first = true;
        }
        self.at += length;
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() {
                self.skip(first.len_utf8());
            } else if rest.starts_with("--") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/-") && !rest.starts_with("/--") {
                self.skip(comment(rest));
            } else {
                break;
            }
        }
        let rest = self.rest();
        let first = rest.chars().next().expect("the text goes on");
        let length = length(rest, first, self.text[..self.at].chars().next_back());
        let first_at = self.is_first.then(|| self.at - self.line);
        if matches!(first, ')' | ']' | '}' | '⟩') {
            self.depth = self.depth.saturating_sub(1);
        }
        let token = Token { text: &rest[..length], start: self.at, depth: self.depth, first_at };
        self.depth += usize::from(token.text.ends_with(['(', '[', '{', '⟨']) && length <= MAX_SYMBOL);
        self.skip(length);
        self.is_first = false;
        Some(token)
    }
}

fn length(rest: &str, first: char, before: Option<char>) -> usize {
    match first {
        '"' => string(rest),
        '\'' if !before.is_some_and(is_word) => character(rest).unwrap_or(1),
        '/' if rest.starts_with("/--") => comment(rest),
        '«' => rest.find('»').map_or(rest.len(), |at| at + '»'.len_utf8()),
        ':' if rest.starts_with(":=") => 2,
        '=' if rest.starts_with("=>") => 2,
        '@' if rest.starts_with("@[") => 2,
        '#' => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
        _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    }
}

/// Whether a character belongs to a word. The period does, since it joins the components of a name.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '!' | '?' | '.')
}

/// The length of a comment, including nested ones; an unclosed comment extends to the end of the text.
fn comment(text: &str) -> usize {
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0usize, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'-', ..] => (depth, at) = (depth + 1, at + 2),
            [b'-', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal such as `'a'` or `'\n'`.
fn character(text: &str) -> Option<usize> {
    let inner = text[1..].chars().next()?;
    let from = 1 + inner.len_utf8();
    if inner == '\\' {
        let within = text.get(from..)?.char_indices().take(12).skip(1);
        return within.filter(|(_, c)| *c == '\'').map(|(at, _)| from + at + 1).next();
    }
    text[from..].starts_with('\'').then_some(from + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        Tokens::of(text).map(|t| t.text).collect()
    }

    #[test]
    fn comments_strings_and_names_are_passed_over() {
        assert_eq!(
            texts("a.b -- := sorry\n/- /- x -/ := -/ «c d» \"s\\\" := \" 'x' '\\'' h' (z:=1)"),
            ["a.b", "«c d»", "\"s\\\" := \"", "'x'", "'\\''", "h'", "(", "z", ":=", "1", ")"]
        );
        assert_eq!(texts("/-- doc -/ x /- open"), ["/-- doc -/", "x"]);
        assert_eq!(texts("@[simp] #eval x"), ["@[", "simp", "]", "#eval", "x"]);
    }

    #[test]
    fn depth_and_first_places_are_known() {
        let tokens: Vec<_> = Tokens::of("a (b [c])\n  d").map(|t| (t.text, t.depth, t.first_at)).collect();
        assert_eq!(tokens[0], ("a", 0, Some(0)));
        assert_eq!(tokens[4], ("c", 2, None));
        assert_eq!(tokens[7], ("d", 0, Some(2)));
    }

    proptest! {
        #[test]
        fn tokens_stand_where_they_say(text in "[a-b' ./\\-\"\\\\(\\[⟩«»:=\n∀é]{0,40}|\\PC{0,30}") {
            let mut end = 0;
            for token in Tokens::of(&text) {
                prop_assert!(token.start >= end);
                prop_assert_eq!(&text[token.start..token.end()], token.text);
                end = token.end();
            }
        }
    }
}
