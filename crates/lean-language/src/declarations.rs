//! Finds the declarations of a Lean file: where their statements end and their proofs begin, and what surrounds them.
//! Nothing else is parsed, so text that Lean cannot read does no harm to what stands behind it.

use std::collections::HashMap;
use std::ops::Range;

use crate::keywords::{BEHIND_PROOFS, GIVING_UP, MODIFIERS, begins_command};
use crate::lexer::{Kind, Token, Unclosed, readable, tokens};

/// A declaration of a file that has a proof, or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTheorem {
    /// What it declares.
    pub sort: Sort,
    /// Its name, qualified by the namespaces around it; `None` if it has none. The n-th example of a text is called
    /// `_example_n`.
    pub name: Option<String>,
    /// The byte offset of its statement, at `theorem`.
    pub start: usize,
    /// The byte offset at which its statement ends, before `:=`, or before the space in front of its equations.
    pub end: usize,
    /// Its proof or value, from `:=`.
    pub proof: Range<usize>,
    /// The whole command, from its comment, attributes and `open … in` to the end of its proof and of what belongs to that:
    /// helpers behind `where`, and why it ends.
    pub command: Range<usize>,
    /// Whether it has a proof without `sorry`.
    pub finished: bool,
    /// Whether its proof or value is, or contains, `sorry`.
    pub gives_up: bool,
    /// Whether something behind its proof does.
    pub gives_up_behind: bool,
    /// Whether it is in a `mutual` block.
    pub in_mutual: bool,
    /// The text that closes the sections and namespaces around it.
    pub closers: String,
}

impl SourceTheorem {
    /// The same declaration, in the part of its text that begins at `start`.
    #[must_use]
    pub fn within(&self, start: usize) -> Self {
        let within = |range: &Range<usize>| range.start - start..range.end - start;
        let (proof, command) = (within(&self.proof), within(&self.command));
        Self { start: self.start - start, end: self.end - start, proof, command, ..self.clone() }
    }
}

/// What a declaration declares. A text with one statement is about the last of its declarations of the highest sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// `def` or `abbrev`.
    Definition,
    /// `instance`.
    Instance,
    /// `theorem`, `lemma` or `example`.
    Theorem,
}

/// Keywords with a `:=` of their own inside a statement.
const BINDINGS: &[&str] = &["let", "have", "letI", "haveI", "let_fun"];
/// Commands that belong to the next one if `in` stands behind them.
const WITHIN: &[&str] =
    &["open", "set_option", "variable", "variables", "universe", "omit", "include", "attribute"];

/// The declarations of a text, in order.
///
/// # Errors
///
/// The place of a comment, a string, a character or a quoted name that is not closed.
pub fn declarations(text: &str) -> Result<Vec<SourceTheorem>, Unclosed> {
    Ok(Reader::read(text, &tokens(text)?).found)
}

/// The declaration that a text with one statement is about: its last theorem, or else its last instance or
/// definition.
pub fn goal(text: &str) -> Option<SourceTheorem> {
    // `max_by_key` returns the last of several maxima.
    Reader::read(text, &readable(text).0).found.into_iter().max_by_key(|d| d.sort)
}

/// The sections and namespaces that a text leaves open.
pub fn open_scopes(text: &str) -> Scopes {
    Reader::read(text, &readable(text).0).scopes
}

/// The modules that a text imports.
pub fn imports(text: &str) -> Vec<&str> {
    let (all, _) = readable(text);
    let mut found = Vec::new();
    let mut rest = all.iter().filter(|token| token.kind != Kind::Doc).peekable();
    while let Some(token) = rest.next() {
        match token.text {
            "module" | "prelude" | "public" | "private" | "meta" => {}
            "import" => {
                rest.next_if(|next| next.is_word("all"));
                found.extend(rest.next().filter(|next| next.kind == Kind::Word).map(|next| next.text));
            }
            _ => break,
        }
    }
    found
}

/// The number of definitions and instances in a text that are left open with `sorry`.
pub fn holes(text: &str) -> usize {
    let all = Reader::read(text, &readable(text).0).found;
    all.iter().filter(|d| d.sort < Sort::Theorem && (d.gives_up || d.gives_up_behind)).count()
}

/// Where the parts of names stand in a text: byte offsets, in order. `A.b.symm` has three parts.
pub fn places_of_names(text: &str) -> HashMap<&str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for token in readable(text).0.iter().filter(|token| token.kind == Kind::Word) {
        for part in token.text.split('.') {
            places.entry(part).or_default().push(token.start);
        }
    }
    places
}

/// Sections and namespaces, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(Vec<Scope>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Scope {
    name: Option<String>,
    opened: Opened,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    Namespace,
    Section,
    Mutual,
}

impl Scopes {
    /// A name qualified by the namespaces.
    pub fn qualified(&self, name: &str) -> String {
        if let Some(name) = name.strip_prefix("_root_.") {
            return name.to_owned();
        }
        let spaces =
            self.0.iter().filter(|s| s.opened == Opened::Namespace).filter_map(|s| s.name.as_deref());
        spaces.chain([name]).collect::<Vec<_>>().join(".")
    }

    /// The text that closes them.
    pub fn closers(&self) -> String {
        let close = |scope: &Scope| match &scope.name {
            Some(name) => format!("end {name}\n"),
            None => "end\n".to_owned(),
        };
        self.0.iter().rev().map(close).collect()
    }

    fn enter(&mut self, word: &str, name: Option<&str>) {
        let opened = match word {
            "namespace" => Opened::Namespace,
            "section" => Opened::Section,
            "mutual" => Opened::Mutual,
            // `end A.B` closes as many as it names, if they were opened one by one.
            _ => {
                let mut named = name.map_or(0, |name| name.split('.').count());
                while let Some(closed) = self.0.pop() {
                    named = named.saturating_sub(closed.name.map_or(0, |name| name.split('.').count()));
                    if named == 0 {
                        break;
                    }
                }
                return;
            }
        };
        self.0.push(Scope { name: name.map(str::to_owned), opened });
    }
}

/// A declaration being read.
struct Open {
    stated: SourceTheorem,
    has_name: bool,
    /// Number of pending `:=` of `let` and similar keywords.
    bindings: usize,
    separator: Option<usize>,
    /// Where alternatives may begin, and whether one was seen.
    bar: Option<(usize, bool)>,
    has_proof: bool,
    /// The end of the proof, if something stands behind it.
    proof_end: Option<usize>,
}

impl Open {
    fn begin(token: &Token<'_>, start: usize, sort: Sort, examples: usize) -> Self {
        let is_example = token.text == "example";
        Self {
            stated: SourceTheorem {
                sort,
                name: is_example.then(|| format!("_example_{examples}")),
                start: token.start,
                end: token.start,
                proof: token.start..token.start,
                command: start..token.start,
                finished: false,
                gives_up: false,
                gives_up_behind: false,
                in_mutual: false,
                closers: String::new(),
            },
            has_name: is_example,
            bindings: 0,
            separator: None,
            bar: None,
            has_proof: false,
            proof_end: None,
        }
    }

    /// Reads a token behind one that ends at `before`.
    fn read(&mut self, token: &Token<'_>, before: usize, depth: usize, begins_line: bool) {
        let outside = depth == 0;
        if !self.has_name {
            self.has_name = true;
            if token.kind == Kind::Word {
                self.stated.name = Some(token.text.to_owned());
            }
        }
        let has_value = self.separator.is_some() || self.bar.is_some();
        let is_word = token.kind == Kind::Word;
        if has_value && outside && is_word && self.proof_end.is_none() && BEHIND_PROOFS.contains(&token.text)
        {
            self.proof_end = Some(before);
        }
        let gives_up = has_value && is_word && GIVING_UP.contains(&token.text);
        match self.proof_end {
            None => self.stated.gives_up |= gives_up,
            Some(_) => self.stated.gives_up_behind |= gives_up,
        }
        let is_definition = self.stated.sort == Sort::Definition;
        match (self.separator, token.text) {
            (Some(_), "by") => {}
            (Some(_), _) => self.has_proof |= token.kind != Kind::Doc,
            (None, ":=") if outside && self.bindings > 0 => self.bindings -= 1,
            (None, ":=") if outside => self.separator = Some(token.start),
            (None, "where") if outside && self.stated.sort != Sort::Definition => {
                self.separator = Some(token.start);
            }
            // In a statement on one line, it may be of `|x|`.
            (None, "|") if outside && (begins_line || is_definition) && self.bar.is_none() => {
                // Lean reads the bars by their columns, so that the line break before the first is of the proof.
                self.bar = Some((before, false));
            }
            (None, "=>") if outside => self.bar = self.bar.map(|(at, _)| (at, true)),
            (None, word) => self.bindings += usize::from(outside && BINDINGS.contains(&word)),
        }
    }

    /// Completes the declaration at `end`.
    fn close(mut self, end: usize, scopes: &Scopes) -> SourceTheorem {
        let alternatives = self.bar.and_then(|(at, is_one)| is_one.then_some(at));
        self.has_proof |= self.separator.is_none() && alternatives.is_some();
        self.stated.end = self.separator.or(alternatives).unwrap_or(end);
        self.stated.command.end = end;
        self.stated.proof = self.stated.end..self.proof_end.unwrap_or(end);
        self.stated.finished = self.has_proof && !self.stated.gives_up && !self.stated.gives_up_behind;
        self.stated.name = self.stated.name.map(|name| scopes.qualified(&name));
        self.stated.in_mutual = scopes.0.iter().any(|scope| scope.opened == Opened::Mutual);
        self.stated.closers = scopes.closers();
        self.stated
    }
}

/// The modifiers and commands before a declaration.
#[derive(Clone, Copy)]
struct Prelude {
    start: usize,
    /// Whether they belong to the declaration; `open` and the like do so only with `in`.
    belongs: bool,
}

#[derive(Default)]
struct Reader {
    found: Vec<SourceTheorem>,
    scopes: Scopes,
    open: Option<Open>,
    before: Option<Prelude>,
    examples: usize,
    depth: usize,
    /// A keyword that opens or closes a section, until its name is read.
    scope_word: Option<&'static str>,
    /// The end of the last token.
    end: usize,
}

impl Reader {
    fn read(text: &str, all: &[Token<'_>]) -> Self {
        let mut reader = Self::default();
        let mut line = None;
        for (at, token) in all.iter().enumerate() {
            let begins_line = line != Some(token.line);
            if token.closes() {
                reader.depth = reader.depth.saturating_sub(1);
            }
            // The comment of a field, a constructor or a local definition belongs to the declaration around it.
            let is_inner = token.kind == Kind::Doc && !documents_command(&all[at..]);
            if !is_inner {
                reader.token(token, begins_line);
            }
            reader.depth += usize::from(token.opens());
            line = Some(token.line + token.text.matches('\n').count());
            reader.end = token.end();
        }
        if let Some(opening) = reader.scope_word.take() {
            reader.scopes.enter(opening, None);
        }
        reader.close(text.trim_end().len().min(reader.end));
        reader
    }

    fn close(&mut self, end: usize) {
        if let Some(open) = self.open.take() {
            self.found.push(open.close(end, &self.scopes));
        }
    }

    fn token(&mut self, token: &Token<'_>, begins_line: bool) {
        if let Some(opening) = self.scope_word.take() {
            let is_name = token.kind == Kind::Word && !begins_line;
            self.scopes.enter(opening, is_name.then_some(token.text));
            if is_name {
                return;
            }
        }
        let at_margin = begins_line && token.column == 0;
        let sort = self.sort(token, begins_line, at_margin);
        if sort.is_none() && !self.begins_command(token, begins_line, at_margin) {
            match (&mut self.open, &mut self.before) {
                (Some(open), _) => open.read(token, self.end, self.depth, begins_line),
                (None, Some(before)) => before.belongs |= token.is_word("in") && self.depth == 0,
                (None, None) => {}
            }
            return;
        }
        if at_margin {
            // A command begins here, even if brackets are open.
            self.depth = 0;
        }
        self.close(self.end);
        let mine = self.before.take().filter(|b| b.belongs && (sort.is_some() || is_prelude(token)));
        let start = mine.map_or(token.start, |b| b.start);
        if let Some(sort) = sort {
            self.examples += usize::from(token.text == "example");
            self.open = Some(Open::begin(token, start, sort, self.examples));
        } else if is_prelude(token) {
            self.before = Some(Prelude { start, belongs: is_modifier(token) });
        } else {
            self.scope_word =
                ["namespace", "section", "mutual", "end"].into_iter().find(|w| token.is_word(w));
        }
    }

    /// The sort of declaration that a token begins, if any. Some keywords have other meanings in other positions.
    fn sort(&self, token: &Token<'_>, begins_line: bool, at_margin: bool) -> Option<Sort> {
        if token.kind != Kind::Word {
            return None;
        }
        let sort = match token.text {
            "theorem" | "lemma" | "example" => {
                return (self.depth == 0 || at_margin).then_some(Sort::Theorem);
            }
            "instance" => Sort::Instance,
            "def" | "abbrev" => Sort::Definition,
            _ => return None,
        };
        let begins = at_margin || (self.depth == 0 && (self.before.is_some() || begins_line));
        begins.then_some(sort)
    }

    fn begins_command(&self, token: &Token<'_>, begins_line: bool, at_margin: bool) -> bool {
        let is_command = token.kind == Kind::Word && begins_command(token.text);
        if at_margin && (is_command || is_prelude(token) || token.is_symbol("#")) {
            return true;
        }
        let follows_modifier = self.before.is_some_and(|b| b.belongs);
        let may_be_within = begins_line || follows_modifier;
        let is_scope = token.is_word("namespace") || token.is_word("section");
        self.depth == 0
            && (token.kind == Kind::Doc
                || (may_be_within && is_scope)
                || (follows_modifier && is_prelude(token)))
    }
}

/// Whether the documentation comment at the beginning of a text is a command by itself or belongs to one: a declaration
/// stands behind it, with its attributes and modifiers.
fn documents_command(mut rest: &[Token<'_>]) -> bool {
    while let [first, behind @ ..] = rest {
        rest = match first.kind {
            Kind::Doc if !is_modifier(first) => return true,
            _ if first.is_symbol("@[") => {
                let mut depth = 1_usize;
                let end = behind.iter().position(|token| {
                    depth = depth + usize::from(token.opens()) - usize::from(token.closes());
                    depth == 0
                });
                end.map_or(&[], |end| &behind[end + 1..])
            }
            _ if is_modifier(first) => behind,
            Kind::Word if begins_command(first.text) => return true,
            _ => return first.is_symbol("#") || is_prelude(first),
        };
    }
    true
}

fn is_modifier(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Doc => token.text.starts_with("/--"),
        Kind::Word => MODIFIERS.contains(&token.text),
        _ => token.is_symbol("@["),
    }
}

fn is_prelude(token: &Token<'_>) -> bool {
    is_modifier(token) || (token.kind == Kind::Word && WITHIN.contains(&token.text))
}

#[cfg(test)]
mod tests;
