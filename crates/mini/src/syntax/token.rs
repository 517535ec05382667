//! The lexer.

use std::sync::LazyLock;

use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use super::ast::{Name, Operator, Span};

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name, dots included.
    Ident(Name),
    /// A keyword.
    Keyword(&'static str),
    /// A numeral.
    Num(BigUint),
    /// `.1` or `.field` directly after something other than a name.
    Field(Name),
    /// `?x`, or `?_` without a name.
    Synthetic(Option<Name>),
    /// Punctuation or an operator, in its printed spelling.
    Symbol(&'static str),
    /// A comment that documents: `/-- … -/` the declaration behind it, `/-! … -/` the file.
    Doc(Documented),
    /// A character that no token begins with.
    Unknown(char),
}

/// What a comment documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Documented {
    /// The declaration behind it.
    Declaration,
    /// The file.
    File,
}

impl Documented {
    /// What the comment at the start of a text documents, if anything.
    fn by(text: &str) -> Option<Self> {
        match text.get(..3)? {
            "/--" => Some(Self::Declaration),
            "/-!" => Some(Self::File),
            _ => None,
        }
    }
}

/// A token and its position.
#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    /// The token.
    pub token: Token,
    /// Its position.
    pub span: Span,
    /// Its line, counted from 0.
    pub line: usize,
    /// Its column, from 0, in characters; Lean's layout depends on it.
    pub column: usize,
}

/// A lexical or syntax error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SyntaxError {
    /// The message.
    pub what: String,
    /// Where.
    pub span: Span,
}

impl SyntaxError {
    pub(super) fn new(what: impl Into<String>, span: Span) -> Self {
        Self { what: what.into(), span }
    }

    /// Its line and column, from 1, in characters.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
    }
}

/// Keywords within commands.
const KEYWORDS: &[&str] = &[
    "by",
    "fun",
    "forall",
    "exists",
    "let",
    "have",
    "show",
    "from",
    "suffices",
    "calc",
    "sorry",
    "Prop",
    "Type",
    "Sort",
    "if",
    "then",
    "else",
    "match",
    "nomatch",
    "nofun",
    "with",
    "at",
    "do",
    "where",
    "using",
    "generalizing",
    "deriving",
];

/// Words that begin commands, or precede such words.
pub const COMMANDS: &[&str] = &[
    "theorem",
    "lemma",
    "example",
    "def",
    "abbrev",
    "axiom",
    "inductive",
    "attribute",
    "private",
    "protected",
    "noncomputable",
    "partial",
    "unsafe",
    "opaque",
    "import",
    "open",
    "export",
    "namespace",
    "section",
    "end",
    "mutual",
    "variable",
    "universe",
    "set_option",
    "instance",
    "class",
    "structure",
    "notation",
    "infix",
    "infixl",
    "infixr",
    "prefix",
    "postfix",
    "macro",
    "macro_rules",
    "syntax",
    "elab",
    "local",
    "scoped",
];

/// Punctuation, with the spelling used by the parser.
const PUNCTUATION: &[(&str, &str)] = &[
    (":=", ":="),
    ("=>", "=>"),
    ("↦", "=>"),
    ("→", "→"),
    ("->", "→"),
    ("∀", "∀"),
    ("∃", "∃"),
    ("λ", "fun"),
    ("¬", "¬"),
    ("⟨", "⟨"),
    ("⟩", "⟩"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("[", "["),
    ("]", "]"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("@", "@"),
    ("@[", "@["),
    (".", "."),
    ("#", "#"),
    ("←", "←"),
    ("<-", "←"),
    ("⊢", "⊢"),
    ("|-", "⊢"),
    ("<;>", "<;>"),
    ("<|", "<|"),
    ("|>", "|>"),
    ("_", "_"),
    ("|", "|"),
    ("·", "·"),
];

fn starts_word(c: char) -> bool {
    (c.is_alphabetic() && c != 'λ') || c == '_'
}

fn in_word(c: char) -> bool {
    (c.is_alphanumeric() && c != 'λ') || matches!(c, '_' | '\'' | '!' | '?') || ('₀'..='₉').contains(&c)
}

/// Maximum number of digits of a numeral: the time to read one grows with their square.
const MAX_DIGITS: usize = 10_000;

/// Splits text into tokens. Comments that document nothing are dropped.
pub fn tokens(text: &str) -> Result<Vec<Located>, SyntaxError> {
    let mut found: Vec<Located> = Vec::new();
    // `at` is at `column` of `line`.
    let (mut at, mut line, mut column) = (0, 0, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c == '\t' {
            let what = "a tab stands here; Lean reads none outside of comments: write spaces";
            return Err(SyntaxError::new(what, Span { start: at, end: at + 1 }));
        } else if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/-") {
            let length = comment(rest).ok_or_else(|| {
                SyntaxError::new("a comment is not closed", Span { start: at, end: at + 2 })
            })?;
            if let Some(documented) = Documented::by(rest) {
                let span = Span { start: at, end: at + length };
                found.push(Located { token: Token::Doc(documented), span, line, column });
            }
            length
        } else if digits(rest) > MAX_DIGITS {
            let what = format!("a numeral has {} digits; the maximum is {MAX_DIGITS}", digits(rest));
            return Err(SyntaxError::new(what, Span { start: at, end: at + digits(rest) }));
        } else {
            let touches = found.last().is_some_and(|last| last.span.end == at && ends_term(&last.token));
            let (token, length) = token(rest, touches).unwrap_or((Token::Unknown(c), c.len_utf8()));
            found.push(Located { token, span: Span { start: at, end: at + length }, line, column });
            length
        };
        for c in rest[..length].chars() {
            (line, column) = if c == '\n' { (line + 1, 0) } else { (line, column + 1) };
        }
        at += length;
    }
    Ok(found)
}

/// The length of a comment, which may contain comments.
fn comment(text: &str) -> Option<usize> {
    let (mut at, mut depth) = (0, 0usize);
    loop {
        let rest = &text[at..];
        if rest.starts_with("/-") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with("-/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next()?.len_utf8();
        }
    }
}

/// Whether a dot directly after a token begins a field.
fn ends_term(token: &Token) -> bool {
    matches!(token, Token::Symbol(")" | "⟩" | "]") | Token::Field(_))
}

/// The number of digits at the start of a text.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The token at the start of a text, with its length.
fn token(text: &str, touches: bool) -> Option<(Token, usize)> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let end = digits(text);
        // Lean reads `0x1`, `0b1` and `1_000` as one number, and so must whoever reads on.
        if text[end..].starts_with(in_word) {
            return None;
        }
        return Some((Token::Num(text[..end].parse().ok()?), end));
    }
    if let Some(field) = text.strip_prefix('.').filter(|_| touches) {
        let end = field.find(|c: char| !in_word(c)).unwrap_or(field.len());
        return (end > 0).then(|| (Token::Field(field[..end].into()), end + 1));
    }
    if let Some(name) = text.strip_prefix('?') {
        let end = name.find(|c: char| !in_word(c)).unwrap_or(name.len());
        let name = Some(&name[..end]).filter(|n| *n != "_");
        return (end > 0).then(|| (Token::Synthetic(name.map(Name::from)), end + 1));
    }
    if starts_word(first) {
        let end = word(text);
        if let Some(keyword) = keyword(&text[..end]) {
            return Some((Token::Keyword(keyword), end));
        }
        if &text[..end] != "_" {
            return Some((Token::Ident(text[..end].into()), end));
        }
    }
    let (spelled, symbol) = symbols(text.as_bytes()[0]).iter().find(|(s, _)| text.starts_with(s))?;
    Some(match *symbol {
        "∀" => (Token::Keyword("forall"), spelled.len()),
        "∃" => (Token::Keyword("exists"), spelled.len()),
        "fun" => (Token::Keyword("fun"), spelled.len()),
        symbol => (Token::Symbol(symbol), spelled.len()),
    })
}

/// Punctuation and operators that begin with a byte, longer ones first: spellings, and the spelling used by the
/// parser.
fn symbols(first: u8) -> &'static [(&'static str, &'static str)] {
    static BY_FIRST: LazyLock<Vec<Vec<(&str, &str)>>> = LazyLock::new(|| {
        let mut table = vec![Vec::new(); 256];
        let operators = Operator::ALL.iter().flat_map(|o| o.symbols().iter().map(|s| (*s, o.symbol())));
        for (spelled, symbol) in PUNCTUATION.iter().copied().chain(operators) {
            table[usize::from(spelled.as_bytes()[0])].push((spelled, symbol));
        }
        table.iter_mut().for_each(|all| all.sort_by_key(|(s, _)| std::cmp::Reverse(s.len())));
        table
    });
    &BY_FIRST[usize::from(first)]
}

fn keyword(word: &str) -> Option<&'static str> {
    static WORDS: LazyLock<FxHashSet<&str>> =
        LazyLock::new(|| KEYWORDS.iter().chain(COMMANDS).copied().collect());
    WORDS.get(word).copied()
}

/// The length of a name: words with dots between, each beginning like a word or a number.
fn word(text: &str) -> usize {
    let mut end = text.find(|c: char| !in_word(c)).unwrap_or(text.len());
    while let Some(rest) = text[end..].strip_prefix('.') {
        let next = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
        if next == 0 {
            break;
        }
        end += 1 + next;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let show = |t: Located| match t.token {
            Token::Ident(n) => n.to_string(),
            Token::Keyword(k) => format!("«{k}»"),
            Token::Num(n) => n.to_string(),
            Token::Field(n) => format!(".{n}"),
            Token::Synthetic(n) => format!("?{}", n.as_deref().unwrap_or("_")),
            Token::Symbol(s) => s.to_owned(),
            Token::Doc(documented) => format!("{documented:?}"),
            Token::Unknown(c) => format!("unknown {c}"),
        };
        tokens(text).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn both_spellings_are_one_token() {
        assert_eq!(texts("a /\\ b -> c <-> d"), texts("a ∧ b → c ↔ d"));
        assert_eq!(texts("forall x, exists y, x <= y"), texts("∀ x, ∃ y, x ≤ y"));
        assert_eq!(texts("λ x ↦ x"), texts("fun x => x"));
    }

    #[test]
    fn names_keep_their_dots_and_terms_get_fields() {
        assert_eq!(
            texts("Nat.succ h.1.left (f x).2.1"),
            ["Nat.succ", "h.1.left", "(", "f", "x", ")", ".2", ".1"]
        );
        assert_eq!(texts("x₁ h' foo! _ _a ?_ ?m"), ["x₁", "h'", "foo!", "_", "_a", "?_", "?m"]);
        assert_eq!(texts("x::xs ++ [1,2]"), ["x", "::", "xs", "++", "[", "1", ",", "2", "]"]);
    }

    #[test]
    fn comments_nest() {
        assert_eq!(texts("a -- b\n/- c /- d -/ -/ e"), ["a", "e"]);
        assert_eq!(texts("/-- a -/ b /-! c -/ /- d -/"), ["Declaration", "b", "File"]);
        assert_eq!(tokens("a /- b").unwrap_err().span, Span { start: 2, end: 4 });
        assert_eq!(texts("a\n  $ b"), ["a", "unknown $", "b"]);
    }

    #[test]
    fn numerals_are_of_bounded_length() {
        let longest = "9".repeat(MAX_DIGITS);
        assert_eq!(texts(&format!("a {longest} b")), ["a", &longest, "b"]);
        let error = tokens(&format!("a {longest}0")).unwrap_err();
        assert_eq!(error.span, Span { start: 2, end: 3 + MAX_DIGITS });
        assert_eq!(error.what, "a numeral has 10001 digits; the maximum is 10000");
    }

    #[test]
    fn places_are_lines_and_columns() {
        let found = tokens("∀ α,\n /- a\n -/ β\n  «").unwrap();
        let places: Vec<_> = found.iter().map(|t| (t.span.start, t.line, t.column)).collect();
        assert_eq!(places, [(0, 0, 0), (4, 0, 2), (6, 0, 3), (18, 2, 4), (23, 3, 2)]);
        let error = SyntaxError::new("", found[3].span);
        assert_eq!(error.line_column("∀ α,\n /- a\n -/ β\n  «"), (3, 5));
    }
}
