//! Outlines of Lean 4 texts: their declarations, and where statements end and proofs begin. Nothing else is parsed.

mod token;

use std::ops::Range;

use token::{Token, Tokens};

/// A theorem in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    /// Its name, qualified by the namespaces opened in the text; `None` if it has none.
    pub(super) name: Option<String>,
    /// The byte offset of its statement, at `theorem`.
    pub(super) start: usize,
    /// The byte offset at which its statement ends, before `:=`.
    pub(super) end: usize,
    /// The whole command, from its comment and attributes to the end of its proof.
    pub(super) command: Range<usize>,
    /// Whether it has a proof without `sorry`.
    pub(super) finished: bool,
    /// The text that closes the sections and namespaces around it.
    pub(super) closers: String,
    rank: Rank,
}

/// Which kind of declaration a text is most likely about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Definition,
    Instance,
    Theorem,
}

/// Keywords that begin a command in the first column, besides those of declarations.
const COMMANDS: &[&str] = &[
    "import",
    "open",
    "export",
    "namespace",
    "section",
    "end",
    "mutual",
    "variable",
    "variables",
    "universe",
    "universes",
    "set_option",
    "structure",
    "class",
    "inductive",
    "axiom",
    "opaque",
    "attribute",
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
    "elab_rules",
    "declare_syntax_cat",
    "deriving",
    "initialize",
    "run_cmd",
    "alias",
    "suppress_compilation",
    "include",
    "omit",
    "simproc",
    "#eval",
    "#check",
    "#print",
    "#reduce",
];
/// Modifiers that may precede a declaration.
const MODIFIERS: &[&str] =
    &["private", "protected", "noncomputable", "nonrec", "partial", "unsafe", "local", "scoped", "public"];
/// Keywords with a `:=` of their own inside a statement.
const BINDINGS: &[&str] = &["let", "have", "letI", "haveI", "let_fun"];

/// The theorems, examples and instances of a text, in order.
pub(super) fn theorems(text: &str) -> Vec<Stated> {
    let mut found = declarations(text).0;
    found.retain(|d| d.rank > Rank::Definition);
    found
}

/// The declaration that a text with one statement is about: its last theorem, or else its last instance or
/// definition.
pub(super) fn goal(text: &str) -> Option<Stated> {
    // `max_by_key` returns the last of several maxima.
    declarations(text).0.into_iter().max_by_key(|d| d.rank)
}

/// The sections and namespaces that a text leaves open.
pub(super) fn open_scopes(text: &str) -> Scopes {
    declarations(text).1
}

/// Whether a text has imports.
pub(super) fn imports(text: &str) -> bool {
    Tokens::of(text).any(|t| t.text == "import" && t.first_at == Some(0))
}

/// A text without its imports, and without `open` and `set_option` commands.
pub(super) fn without_imports(text: &str) -> String {
    let is_left_out = |line: &&str| !["import ", "open ", "set_option "].iter().any(|w| line.starts_with(w));
    let kept: String = text.split_inclusive('\n').filter(is_left_out).collect();
    if kept.trim().is_empty() { String::new() } else { kept }
}

/// The number of definitions with `sorry`.
pub(super) fn holes(text: &str) -> usize {
    Tokens::of(text).filter(|t| t.text == "sorry").count()
}

/// Sections and namespaces, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scopes(Vec<Scope>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Scope {
    name: Option<String>,
    is_namespace: bool,
}

impl Scopes {
    /// A name qualified by the namespaces.
    pub(super) fn qualified(&self, name: &str) -> String {
        if let Some(name) = name.strip_prefix("_root_.") {
            return name.to_owned();
        }
        let spaces = self.0.iter().filter(|s| s.is_namespace).filter_map(|s| s.name.as_deref());
        spaces.chain([name]).collect::<Vec<_>>().join(".")
    }

    fn closers(&self) -> String {
        let close = |scope: &Scope| match &scope.name {
            Some(name) => format!("end {name}\n"),
            None => "end\n".to_owned(),
        };
        self.0.iter().rev().map(close).collect()
    }
}

/// A declaration being parsed.
struct Open {
    stated: Stated,
    has_name: bool,
    /// Number of pending `:=` of `let` and similar keywords.
    bindings: usize,
    separator: Option<usize>,
    /// Where alternatives may begin, and whether one was seen.
    bar: Option<(usize, bool)>,
    has_sorry: bool,
    has_proof: bool,
}

impl Open {
    fn read(&mut self, token: &Token<'_>) {
        let outside = token.depth == 0;
        if !self.has_name && token.start > self.stated.start {
            self.has_name = true;
            let name = token.text.trim_end_matches('.');
            if name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '«')) {
                self.stated.name = Some(name.to_owned());
            }
        }
        match (self.separator, token.text) {
            (Some(_), "sorry") => self.has_sorry = true,
            (Some(_), "by") => {}
            (Some(_), _) => self.has_proof |= !token.is_doc(),
            (None, ":=") if outside && self.bindings > 0 => self.bindings -= 1,
            (None, ":=") if outside => self.separator = Some(token.start),
            (None, "where") if outside && self.stated.rank == Rank::Instance => {
                self.separator = Some(token.start)
            }
            (None, "|") if outside && token.first_at.is_some() && self.bar.is_none() => {
                self.bar = Some((token.start, false));
            }
            (None, "=>") if outside => self.bar = self.bar.map(|(at, _)| (at, true)),
            (None, word) => self.bindings += usize::from(outside && BINDINGS.contains(&word)),
        }
    }

    /// Completes the declaration at `end`.
    fn close(mut self, end: usize, scopes: &Scopes) -> Stated {
        let alternatives = self.bar.and_then(|(at, is_one)| is_one.then_some(at));
        self.has_proof |= self.separator.is_none() && alternatives.is_some();
        self.stated.end = self.separator.or(alternatives).unwrap_or(end);
        self.stated.command.end = end;
        self.stated.finished = self.has_proof && !self.has_sorry;
        self.stated.name = self.stated.name.map(|name| scopes.qualified(&name));
        self.stated.closers = scopes.closers();
        self.stated
    }
}

/// The modifiers and commands before a declaration.
#[derive(Clone, Copy)]
struct Prelude {
    start: usize,
    /// Whether they belong to the declaration; `open` and `set_option` do so only with `in`.
    belongs: bool,
}

fn declarations(text: &str) -> (Vec<Stated>, Scopes) {
    let mut found = Vec::new();
    let mut scopes = Scopes::default();
    let mut open: Option<Open> = None;
    let mut before: Option<Prelude> = None;
    let mut examples = 0;
    // A keyword that opens or closes a section, until its name is read.
    let mut scope_word: Option<&str> = None;
    let mut end = 0;
    let mut tokens = Tokens::of(text);
    while let Some(token) = tokens.next() {
        let word = token.text;
        if let Some(opening) = scope_word.take() {
            enter(&mut scopes, opening, (token.first_at.is_none()).then_some(word));
            if token.first_at.is_none() {
                end = token.end();
                continue;
            }
        }
        let rank = rank(&token, before.is_some());
        let begins = rank.is_some() || begins_command(&token, before);
        if begins {
            if token.first_at == Some(0) {
                tokens.close_brackets();
            }
            let mine = before.filter(|b| b.belongs && (rank.is_some() || is_prelude(&token)));
            if let Some(open) = open.take() {
                found.push(open.close(end, &scopes));
            }
            before = None;
            let start = mine.map_or(token.start, |b| b.start);
            match (rank, word) {
                (Some(rank), _) => {
                    examples += usize::from(word == "example");
                    open = Some(declaration(&token, start, rank, examples));
                }
                (None, "namespace" | "section" | "mutual" | "end") => scope_word = Some(word),
                (None, _) if is_prelude(&token) => {
                    before = Some(Prelude { start, belongs: is_modifier(&token) })
                }
                (None, _) => {}
            }
        } else if let Some(open) = &mut open {
            open.read(&token);
        } else if let Some(before) = &mut before {
            before.belongs |= word == "in" && token.depth == 0;
        }
        end = token.end();
    }
    if let Some(opening) = scope_word {
        enter(&mut scopes, opening, None);
    }
    if let Some(open) = open {
        found.push(open.close(end, &scopes));
    }
    (found, scopes)
}

fn declaration(token: &Token<'_>, start: usize, rank: Rank, examples: usize) -> Open {
    let is_example = token.text == "example";
    Open {
        stated: Stated {
            name: is_example.then(|| format!("_example_{examples}")),
            start: token.start,
            end: token.start,
            command: start..token.start,
            finished: false,
            closers: String::new(),
            rank,
        },
        has_name: is_example,
        bindings: 0,
        separator: None,
        bar: None,
        has_sorry: false,
        has_proof: false,
    }
}

/// The kind of declaration that a token begins, if any. Some keywords have other meanings in other positions.
fn rank(token: &Token<'_>, has_prelude: bool) -> Option<Rank> {
    let is_outside = token.depth == 0 || token.first_at == Some(0);
    let rank = match token.text {
        "theorem" | "lemma" | "example" if is_outside => return Some(Rank::Theorem),
        "instance" => Rank::Instance,
        "def" | "abbrev" => Rank::Definition,
        _ => return None,
    };
    (token.first_at == Some(0) || (token.depth == 0 && (has_prelude || token.first_at.is_some())))
        .then_some(rank)
}

fn begins_command(token: &Token<'_>, before: Option<Prelude>) -> bool {
    if token.first_at == Some(0) && (COMMANDS.contains(&token.text) || is_prelude(token)) {
        return true;
    }
    let may_be_within = token.first_at.is_some() || before.is_some_and(|b| b.belongs);
    token.depth == 0 && (token.is_doc() || (may_be_within && matches!(token.text, "namespace" | "section")))
}

fn is_modifier(token: &Token<'_>) -> bool {
    token.is_doc() || token.text == "@[" || MODIFIERS.contains(&token.text)
}

fn is_prelude(token: &Token<'_>) -> bool {
    is_modifier(token) || matches!(token.text, "open" | "set_option")
}

fn enter(scopes: &mut Scopes, opening: &str, name: Option<&str>) {
    if opening == "end" {
        scopes.0.pop();
    } else {
        scopes.0.push(Scope { name: name.map(str::to_owned), is_namespace: opening == "namespace" });
    }
}
