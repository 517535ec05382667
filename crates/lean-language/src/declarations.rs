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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is found in a text, as name, command and statement.
    fn found(text: &str) -> Vec<(Sort, String, &str, &str, bool)> {
        let brief = |d: SourceTheorem| {
            (
                d.sort,
                d.name.unwrap_or_default(),
                &text[d.command.start..d.start],
                text[d.start..d.end].trim_end(),
                d.finished,
            )
        };
        declarations(text).unwrap().into_iter().map(brief).collect()
    }

    #[test]
    fn comments_inside_a_declaration_begin_no_other() {
        let text = "structure S where\n  /-- A field. -/\n  a : Nat\ninductive T\n/-- One. -/\n| one\n\
                    theorem a : 1 = 1 ∧ 2 = 2 := by\n  constructor\n  · let rec\n      /-- d -/\n      foo : 1 = 1 := rfl\n    exact foo\n  · sorry\n\
                    theorem b : 1 = 1 := ⟨k⟩\nwhere\n  /-- d -/\n  k : 1 = 1 := by sorry\n\
                    /-- e -/ @[simp] /-- f -/ private theorem c : 1 = 1 := rfl\n/-- g -/\ninstance : Foo := ⟨⟩\n/-! About. -/";
        let brief: Vec<(String, &str, bool)> =
            found(text).into_iter().map(|(_, name, before, _, finished)| (name, before, finished)).collect();
        assert_eq!(
            brief,
            [
                ("a".into(), "", false),
                ("b".into(), "", false),
                ("c".into(), "/-- e -/ @[simp] /-- f -/ private ", true),
                (String::new(), "/-- g -/\n", true)
            ]
        );
    }

    #[test]
    fn theorems_are_found_where_they_stand() {
        use Sort::{Definition, Instance, Theorem};
        let text = "/-! About -/\nimport Mathlib\nnamespace A.B\nsection\nvariable (n : Nat)\n\
                    /-- One. -/\n@[simp] protected theorem one : n = n := by\n  sorry\n\
                    open Nat in\nset_option maxRecDepth 100 in\nprivate lemma two (h : 1 = 1 := rfl) :\n    let x := 1; x = x := rfl\n\
                    end\nomit [Foo] in theorem _root_.C.three : True := sorry\nexample : True := by simp; sorry\n\
                    noncomputable def d : Nat := sorry\ninstance : Foo Nat where\n  bar := sorry\n\
                    theorem four : Nat → True\n  | 0 => trivial\n  | _ => trivial\n#check four\nend A.B\ntheorem five : True";
        assert_eq!(
            found(text),
            [
                (Theorem, "A.B.one".into(), "/-- One. -/\n@[simp] protected ", "theorem one : n = n", false),
                (
                    Theorem,
                    "A.B.two".into(),
                    "open Nat in\nset_option maxRecDepth 100 in\nprivate ",
                    "lemma two (h : 1 = 1 := rfl) :\n    let x := 1; x = x",
                    true
                ),
                (Theorem, "C.three".into(), "omit [Foo] in ", "theorem _root_.C.three : True", false),
                (Theorem, "A.B._example_1".into(), "", "example : True", false),
                (Definition, "A.B.d".into(), "noncomputable ", "def d : Nat", false),
                (Instance, String::new(), "", "instance : Foo Nat", false),
                (Theorem, "A.B.four".into(), "", "theorem four : Nat → True", true),
                (Theorem, "five".into(), "", "theorem five : True", false),
            ]
        );
        let all = declarations(text).unwrap();
        assert_eq!(all[0].closers, "end\nend A.B\n");
        assert_eq!(all[7].closers, "");
    }

    #[test]
    fn scopes_close_as_they_were_opened() {
        let all = declarations(
            "namespace A\nnamespace B\nnoncomputable section S\ntheorem a : p := sorry\nend S\nend A.B\n\
             mutual\ntheorem b : p := sorry\nend\ntheorem c : p := sorry\n",
        )
        .unwrap();
        let brief: Vec<_> =
            all.iter().map(|d| (d.name.as_deref().unwrap(), d.closers.as_str(), d.in_mutual)).collect();
        assert_eq!(
            brief,
            [("A.B.a", "end S\nend B\nend A\n", false), ("b", "end\n", true), ("c", "", false)]
        );
        assert_eq!(open_scopes("namespace X\nsection\nopen Y").qualified("z"), "X.z");
    }

    #[test]
    fn a_sorry_counts_where_it_is_code() {
        for (text, finished) in [
            ("theorem t : p := by\n  -- sorry\n  exact h", true),
            ("theorem t : p := by\n  trace \"sorry\"\n  exact h /- sorry -/", true),
            ("theorem t : p := by\n  exact sorry_not", true),
            ("theorem t : p := ⟨h, sorry⟩", false),
            ("theorem t : p := by\n  have h : q := by\n    sorry\n  exact h", false),
            ("theorem t : p := by", false),
            ("theorem t : p :=", false),
            ("theorem t : p where\n", false),
            ("theorem t : (n : Nat) → p\n  | 0 => h\n  | _ => sorry", false),
        ] {
            assert_eq!(declarations(text).unwrap()[0].finished, finished, "{text}");
        }
        let text = "abbrev a := sorry -- sorry\ndef b := \"sorry\"\ndef c : Nat → Nat | 0 => sorry\ntheorem d : p := sorry";
        assert_eq!(holes(text), 2);
        assert_eq!(declarations("theorem t : p := /- sorry"), Err(Unclosed { what: "comment", at: 17 }));
    }

    #[test]
    fn equations_keep_their_line_break() {
        let text = "theorem t : (n : Nat) → p\n  | 0 => h\n  | _ => sorry\n";
        let found = declarations(text).unwrap();
        assert_eq!(&text[found[0].end..found[0].command.end], "\n  | 0 => h\n  | _ => sorry");
    }

    #[test]
    fn what_stands_behind_a_proof_is_not_of_it() {
        let text = "theorem a : p ∧ q := ⟨h, sorry⟩\nwhere\n  /-- d -/\n  k : r := t\n\
                    theorem b : p := by\n  exact k\nwhere k : p := by sorry\n\
                    theorem c : (n : Nat) → p\n  | 0 => sorry\n  | n + 1 => c n\ntermination_by n => n\ndecreasing_by omega\n\
                    theorem d : p where\n  left := sorry\n";
        let brief: Vec<(&str, &str, bool, bool)> = declarations(text)
            .unwrap()
            .into_iter()
            .map(|d| {
                (
                    &text[d.proof.clone()],
                    text[d.proof.end..d.command.end].trim(),
                    d.gives_up,
                    d.gives_up_behind,
                )
            })
            .collect();
        assert_eq!(
            brief,
            [
                (":= ⟨h, sorry⟩", "where\n  /-- d -/\n  k : r := t", true, false),
                (":= by\n  exact k", "where k : p := by sorry", false, true),
                (
                    "\n  | 0 => sorry\n  | n + 1 => c n",
                    "termination_by n => n\ndecreasing_by omega",
                    true,
                    false
                ),
                ("where\n  left := sorry", "", true, false),
            ]
        );
    }

    #[test]
    fn imports_are_those_at_the_beginning() {
        let text = "/- A. -/\nmodule\npublic import Mathlib.Data.Nat\nimport all «A b».C\nimport Aesop\nopen Nat\nimport No";
        assert_eq!(imports(text), ["Mathlib.Data.Nat", "«A b».C", "Aesop"]);
        assert!(imports("theorem t : p").is_empty());
    }

    #[test]
    fn names_are_found_in_code() {
        let places = places_of_names("foo -- foo\nexact N.foo.symm \"foo\" food");
        assert_eq!(places["foo"], [0, 17]);
        assert_eq!(places["symm"], [17]);
    }

    proptest! {
        #[test]
        fn what_is_found_lies_in_the_text(
            words in prop::collection::vec(
                "theorem t|lemma|example|def d|instance|:=|by|sorry|namespace A|section|end|mutual|open B in|@\\[|\\]|private|/--|-/|\\(|\\)|\\||=>|where|let x|δ|\n|\n  |#|in",
                0..30,
            )
        ) {
            let text = words.join(" ").replace("\n ", "\n");
            let mut end = 0;
            for d in declarations(&text).unwrap_or_default() {
                prop_assert!(end <= d.command.start && d.command.start <= d.start && d.start <= d.end && d.end <= d.command.end);
                prop_assert!(text.get(d.start..d.end).is_some() && text.get(d.command.clone()).is_some());
                end = d.command.end;
            }
        }
    }
}
