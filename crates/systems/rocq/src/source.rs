//! Finds theorems in a source file.

use std::ops::Range;

use super::commands::outlasts_proof;
use super::lexer::{Kind as Lexeme, code, in_word, without_comments};
use super::sentence::{Sentence, SentenceError, split};

/// A theorem in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTheorem {
    /// Its name at the end of the file, qualified by its modules.
    pub name: String,
    /// The others that the same sentence states, behind `with`.
    pub also: Vec<String>,
    /// Where its statement has the name; `None` for `Goal` and others that are not named there.
    pub named: Option<Range<usize>>,
    /// The byte offset of its statement.
    pub start: usize,
    /// The byte offset of the end of its statement, including the period.
    pub end: usize,
    /// The byte offset at which its tactics begin, after the sentences between the statement and them if they say anything:
    /// `Proof using x`, `Proof with t`, settings. They belong to the theorem. Otherwise the end of the statement.
    pub opened: usize,
    /// The byte offset of the end of its proof, including the period; of the next statement or the end of the text if
    /// the proof has no end.
    pub proof_end: usize,
    /// How its proof ends.
    pub ending: ProofEnding,
    /// Where it says which section variables it depends on, if it does.
    pub using: Option<Using>,
    /// Whether it is in a section.
    pub in_section: bool,
    /// Whether it has a name at the end of the file: not inside a module type, a functor or a module that hides it.
    pub reachable: bool,
    /// The sentences that close its sections and modules, innermost first.
    pub closers: String,
}

/// Where a theorem says which section variables it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Using {
    /// In the attribute of its statement, `#[using="x"]`.
    Attribute,
    /// After `Proof using`: this text.
    Command(String),
}

/// How a proof ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofEnding {
    /// `Qed`, `Save` or `Proof term`: the proof is opaque.
    Opaque,
    /// `Defined`.
    Transparent,
    /// `Admitted`, or no end.
    Open,
    /// `Abort`: the theorem does not exist.
    Aborted,
}

impl SourceTheorem {
    /// Whether it states this, by itself or with others.
    pub(super) fn states(&self, name: &str) -> bool {
        self.name == name || self.also.iter().any(|also| also == name)
    }

    /// Whether its proof is finished.
    pub fn finished(&self) -> bool {
        matches!(self.ending, ProofEnding::Opaque | ProofEnding::Transparent)
    }
}

/// Keywords that begin a theorem.
const STATEMENTS: &[&str] = &[
    "Theorem",
    "Lemma",
    "Fact",
    "Remark",
    "Corollary",
    "Proposition",
    "Property",
    "Example",
    "Definition",
    "Instance",
    "Fixpoint",
    "CoFixpoint",
    "Goal",
];
/// Modifiers that may precede such a keyword.
const MODIFIERS: &[&str] =
    &["Local", "Global", "Program", "Polymorphic", "Monomorphic", "Cumulative", "NonCumulative", "Private"];

/// Keywords that begin an inductive type.
const FAMILIES: &[&str] = &["Inductive", "CoInductive", "Variant", "Record", "Structure", "Class"];

/// An inductive type that names its universes: the first one declared by a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceFamily {
    /// Its name at the end of the file.
    pub(super) name: String,
    /// The byte offset of its declaration.
    pub(super) start: usize,
}

/// A proof that is not finished, of something that is no theorem to be searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untaken {
    /// The byte offset of the sentence that opens it.
    pub start: usize,
    /// The first words of that sentence.
    pub what: String,
    /// Why it is not taken.
    pub why: &'static str,
}

/// The declarations of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// All theorems with tactic proofs, finished or not.
    pub theorems: Vec<SourceTheorem>,
    /// Other proofs that are not finished.
    pub untaken: Vec<Untaken>,
    /// The names of theorems given by a term that have a name at the end of the file.
    given: Vec<String>,
    /// The inductive types that name their universes and have a name at the end of the file.
    pub(super) families: Vec<SourceFamily>,
}

/// All theorems of a file with tactic proofs, finished or not.
pub fn theorems(text: &str) -> Result<Vec<SourceTheorem>, SentenceError> {
    Ok(outline(text)?.theorems)
}

/// The names, at the end of the file, of theorems given by a term, such as `Example two : 1 + 1 = 2 := eq_refl.`
pub fn given_by_terms(text: &str) -> Result<Vec<String>, SentenceError> {
    Ok(outline(text)?.given)
}

/// The declarations of a file.
pub fn outline(text: &str) -> Result<Outline, SentenceError> {
    let mut found: Vec<SourceTheorem> = Vec::new();
    let mut untaken = Other::default();
    let mut families: Vec<SourceFamily> = Vec::new();
    let mut given: Vec<String> = Vec::new();
    let mut open: Vec<Scope> = Vec::new();
    let mut goals = 0;
    // Whether the last theorem's proof is still open.
    let mut in_proof = false;
    for Sentence { start, text: written } in split(text)? {
        let code = without_comments(written);
        let sentence = Sentence { start, text: &code };
        let does = command(sentence.text);
        let words = words(does);
        let first = words.first().copied().unwrap_or_default();
        untaken.read(&sentence, first, in_proof);
        if let (true, Some(last)) = (in_proof, found.last_mut()) {
            if opens(text, last, &sentence) {
                last.opened = sentence.start + sentence.text.len();
            }
            last.proof_end = sentence.start + sentence.text.len();
            let ending = match first {
                "Qed" | "Save" => Some(ProofEnding::Opaque),
                "Defined" => Some(ProofEnding::Transparent),
                "Admitted" => Some(ProofEnding::Open),
                "Abort" => Some(ProofEnding::Aborted),
                "Proof" => match does["Proof".len()..].trim_start() {
                    rest if rest.starts_with('.') || begins_with_word(rest, "with") => None,
                    rest if begins_with_word(rest, "using") => {
                        last.using = Some(Using::Command(clause(rest).to_owned()));
                        None
                    }
                    _ => Some(ProofEnding::Opaque),
                },
                _ => None,
            };
            if let Some(ending) = ending {
                last.ending = ending;
                let is_goal = text[last.start..].starts_with("Goal");
                goals += usize::from(is_goal && ending != ProofEnding::Aborted);
                in_proof = false;
            }
        }
        match first {
            "Section" => {
                open.extend(words.get(1).map(|n| Scope { name: (*n).to_owned(), kind: Kind::Section }))
            }
            "Module" if !is_given(does, &words) => {
                let skip = ["Type", "Import", "Export"];
                let name = words[1..].iter().find(|w| !skip.contains(w));
                let abstracted = words.get(1) == Some(&"Type") || has_parameters(does) || is_sealed(does);
                let kind = if abstracted { Kind::Abstract } else { Kind::Module };
                open.extend(name.map(|n| Scope { name: (*n).to_owned(), kind }));
            }
            "End" => {
                open.pop();
            }
            _ => {
                let reachable = open.iter().all(|s| s.kind != Kind::Abstract);
                if let (true, Some(name)) = (reachable, family_name(sentence.text)) {
                    families.push(SourceFamily { name: qualified(name, &open), start: sentence.start });
                }
                if let (true, Some(name)) = (reachable, given_name(sentence.text)) {
                    given.push(qualified(name, &open));
                }
                if let Some(mut name) = statement_name(without_control(sentence.text)) {
                    if let ("Goal", Some(earlier)) = (first, goals.checked_sub(1usize)) {
                        name += &earlier.to_string();
                    }
                    if let (true, Some(last)) = (in_proof, found.last_mut()) {
                        last.proof_end = sentence.start;
                    }
                    in_proof = true;
                    found.push(theorem(&sentence, &name, &open));
                }
            }
        }
    }
    untaken.end();
    Ok(Outline { theorems: found, untaken: untaken.found, given, families })
}

/// Whether a sentence of a proof stands before its tactics and says something: nothing but such sentences stands before it.
fn opens(text: &str, theorem: &SourceTheorem, sentence: &Sentence<'_>) -> bool {
    let is_setting = |sentence: &str| {
        let first = words(sentence).first().copied().unwrap_or_default();
        match first {
            "Proof" => {
                let rest = sentence["Proof".len()..].trim_start();
                rest.starts_with("using") || rest.starts_with("with")
            }
            _ => outlasts_proof(sentence),
        }
    };
    let between = split(&text[theorem.end..sentence.start]).unwrap_or_default();
    is_setting(sentence.text) && between.iter().all(|s| s.text == "Proof." || is_setting(s.text))
}

/// Notices proofs of other things than theorems.
#[derive(Default)]
struct Other {
    found: Vec<Untaken>,
    /// The last sentence that may have opened a proof, if no theorem did.
    last: Option<Untaken>,
    /// Whether its proof has begun.
    is_open: bool,
}

impl Other {
    fn read(&mut self, sentence: &Sentence<'_>, first: &str, in_theorem: bool) {
        let is_proof = first == "Proof";
        let is_end = matches!(first, "Qed" | "Save" | "Defined" | "Admitted" | "Abort");
        if in_theorem || statement_name(sentence.text).is_some() {
            self.end();
            self.last = None;
        } else if is_proof || is_end {
            self.is_open = is_proof || first == "Admitted";
            if is_end {
                self.end();
            }
        } else if !self.is_open && sentence.text.starts_with(|c: char| c.is_uppercase() || c == '#') {
            let what: Vec<&str> = sentence.text.split_whitespace().take(3).collect();
            let what = what.join(" ").trim_end_matches(['.', ':', ' ']).to_owned();
            let why = why_not(&words(without_attributes(sentence.text).unwrap_or(sentence.text)));
            self.last = Some(Untaken { start: sentence.start, what, why });
        }
    }

    /// The proof is over, or the file.
    fn end(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.found.extend(self.last.take());
        }
    }
}

/// Why an unfinished proof of a sentence with these words is no theorem to be searched for.
fn why_not(words: &[&str]) -> &'static str {
    match words.iter().find(|word| !MODIFIERS.contains(word)).copied() {
        Some("Let") => "what `Let` declares has no name at the end of the file; state it by `Lemma`",
        Some("Next" | "Obligation" | "Final" | "Solve") => {
            "it is an obligation of a program, whose statement is not in the file; state it as a lemma before the program"
        }
        Some("Add") => "its statement is not in the file; state an instance of `Proper` instead",
        Some("Fixpoint" | "CoFixpoint") => "it states several theorems at once; state them one by one",
        _ => "andor does not know what it states; state it by `Lemma`",
    }
}

/// Whether a module is defined by `:=` rather than by the following sentences. `with` has a `:=` of its own.
fn is_given(module: &str, words: &[&str]) -> bool {
    module.matches(":=").count() > words.iter().filter(|w| **w == "with").count()
}

/// Whether a module has parameters: brackets before it says what type it has.
fn has_parameters(module: &str) -> bool {
    let mut before = module.split("<:").next().unwrap_or(module).chars();
    before.find(|c| matches!(c, '(' | ':')) == Some('(')
}

/// Whether a module is sealed by a module type: `M : T` rather than `M <: T`.
fn is_sealed(module: &str) -> bool {
    module.replace("<:", "").replace(":=", "").contains(':')
}

struct Scope {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Section,
    Module,
    /// A module type, a functor, or a sealed module.
    Abstract,
}

/// A name qualified by its modules.
fn qualified(name: &str, open: &[Scope]) -> String {
    let modules = open.iter().filter(|s| s.kind != Kind::Section).map(|s| s.name.as_str());
    modules.chain([name]).collect::<Vec<_>>().join(".")
}

fn theorem(sentence: &Sentence<'_>, name: &str, open: &[Scope]) -> SourceTheorem {
    SourceTheorem {
        name: qualified(name, open),
        also: stated_with(sentence.text).into_iter().map(|name| qualified(name, open)).collect(),
        named: stated(without_control(sentence.text)).flatten().map(|name| {
            let start = sentence.start + name.as_ptr().addr() - sentence.text.as_ptr().addr();
            start..start + name.len()
        }),
        start: sentence.start,
        end: sentence.start + sentence.text.len(),
        opened: sentence.start + sentence.text.len(),
        proof_end: sentence.start + sentence.text.len(),
        ending: ProofEnding::Open,
        using: has_using(without_control(sentence.text)).then_some(Using::Attribute),
        in_section: open.iter().any(|s| s.kind == Kind::Section),
        reachable: open.iter().all(|s| s.kind != Kind::Abstract),
        closers: open.iter().rev().map(|s| format!("End {}.\n", s.name)).collect(),
    }
}

/// The variables after `using`: up to the period, or to a tactic after `with`.
fn clause(using: &str) -> &str {
    let rest = using["using".len()..].trim_end_matches('.');
    rest.split(" with ").next().unwrap_or(rest).trim()
}

/// A sentence without leading attributes.
pub(super) fn without_attributes(sentence: &str) -> Option<&str> {
    let mut text = sentence.trim_start();
    while text.starts_with("#[") {
        let mut in_string = false;
        let end = text.find(|c: char| {
            in_string ^= c == '"';
            c == ']' && !in_string
        });
        text = text[end? + 1..].trim_start();
    }
    Some(text)
}

/// Whether the attributes of a sentence say which section variables it depends on.
fn has_using(sentence: &str) -> bool {
    let rest = without_attributes(sentence).unwrap_or_default();
    let attributes = &sentence[..sentence.len() - rest.len()];
    // Every other piece is a string.
    let mut code = attributes.split('"').step_by(2);
    code.any(|piece| {
        piece.trim_end().strip_suffix('=').is_some_and(|name| name.trim_end().ends_with("using"))
    })
}

/// A sentence without what says how it runs, where it does run: `Time`, `Timeout 5`.
fn without_control(sentence: &str) -> &str {
    let mut text = sentence.trim_start();
    while let Some(word) =
        ["Time", "Timeout", "Instructions"].iter().find(|word| begins_with_word(text, word))
    {
        text = text[word.len()..].trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    }
    text
}

/// What a sentence does: that, without attributes, and without modifiers if it opens a section or a module.
fn command(sentence: &str) -> &str {
    let text = without_control(sentence);
    let bare = without_attributes(text).map(without_control).unwrap_or(text);
    let mut opening = bare;
    while let Some(word) = MODIFIERS.iter().find(|word| begins_with_word(opening, word)) {
        opening = opening[word.len()..].trim_start();
    }
    let is_opening = ["Section", "Module"].iter().any(|word| begins_with_word(opening, word));
    if is_opening { opening } else { bare }
}

fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(in_word))
}

/// The name of the inductive type declared by a sentence, if it names its universes. Types that leave them to Rocq
/// are ignored.
fn family_name(sentence: &str) -> Option<&str> {
    let mut words = words(without_attributes(sentence)?).into_iter().skip_while(|w| MODIFIERS.contains(w));
    let is_family = FAMILIES.contains(&words.next()?) && sentence.contains("@{");
    is_family.then(|| words.next())?
}

/// The name of the theorem in a statement; `None` if the sentence states no theorem with a tactic proof.
pub fn statement_name(sentence: &str) -> Option<String> {
    stated(sentence).map(|name| name.unwrap_or("Unnamed_thm").to_owned())
}

/// The same, as it is written; the inner `None` is that of `Goal`.
fn stated(sentence: &str) -> Option<Option<&str>> {
    let text = without_attributes(sentence)?;
    let words = words(text);
    let at = words.iter().position(|w| !MODIFIERS.contains(w))?;
    let keyword = words[at];
    // Obligations that `Program` solves itself leave nothing to prove.
    let is_program = words[..at].contains(&"Program") && !matches!(keyword, "Lemma" | "Theorem");
    let is_mutual = matches!(keyword, "Fixpoint" | "CoFixpoint") && words.contains(&"with");
    if !STATEMENTS.contains(&keyword) || is_program || is_mutual || defines(text) {
        return None;
    }
    if keyword == "Goal" {
        return Some(None);
    }
    // Unnamed theorems get names that depend on everything before.
    let is_named = text.split_once(keyword).is_some_and(|(_, rest)| !rest.trim_start().starts_with(':'));
    words.get(at + 1).filter(|_| is_named).map(|name| Some(*name))
}

/// The names that a statement gives to others behind `with`. The word belongs to a `match` or to functions that are defined
/// together, too.
fn stated_with(sentence: &str) -> Vec<&str> {
    let (mut depth, mut matches, mut found, mut functions) = (0i32, 0usize, Vec::new(), Vec::new());
    let pieces = code(sentence).unwrap_or_default();
    for (at, piece) in pieces.iter().enumerate() {
        match (piece.kind, piece.text) {
            (Lexeme::Symbol, "(" | "[" | "{") => depth += 1,
            (Lexeme::Symbol, ")" | "]" | "}") => depth -= 1,
            (Lexeme::Word, _) if depth > 0 => {}
            (Lexeme::Word, "match") => matches += 1,
            (Lexeme::Word, "fix" | "cofix") => functions.push(found.len()),
            // Those since then were functions.
            (Lexeme::Word, "for") => found.truncate(functions.pop().unwrap_or(found.len())),
            (Lexeme::Word, "with") if matches > 0 => matches -= 1,
            (Lexeme::Word, "with") => found.extend(pieces.get(at + 1).map(|next| next.text)),
            _ => {}
        }
    }
    found
}

/// The name of a theorem given by a term. Before 9.0 only `Example` allows this.
fn given_name(sentence: &str) -> Option<&str> {
    const THEOREMS: [&str; 8] =
        ["Theorem", "Lemma", "Fact", "Remark", "Corollary", "Proposition", "Property", "Example"];
    let text = without_attributes(sentence)?;
    let mut words = words(text).into_iter().skip_while(|w| MODIFIERS.contains(w));
    let is_given = words.next().is_some_and(|keyword| THEOREMS.contains(&keyword)) && defines(text);
    is_given.then(|| words.next()).flatten().filter(|_| has_type(text))
}

/// Whether there is a colon outside brackets, before any value.
fn has_type(text: &str) -> bool {
    let mut depth = 0i32;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b':' if depth == 0 => return bytes.peek() != Some(&b'='),
            _ => {}
        }
    }
    false
}

/// Whether a sentence gives a value with `:=` outside brackets, so that nothing is left to prove. Each `let` in the
/// statement has a `:=` too.
fn defines(text: &str) -> bool {
    let (mut depth, mut lets) = (0i32, 0usize);
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || b"_'".contains(b));
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'l' if depth == 0 && bytes[i..].starts_with(b"let") => {
                let alone = !is_word(i + 3) && i.checked_sub(1).is_none_or(|before| !is_word(before));
                lets += usize::from(alone);
            }
            b':' if depth == 0 && bytes.get(i + 1) == Some(&b'=') => match lets.checked_sub(1) {
                Some(fewer) => lets = fewer,
                None => return true,
            },
            _ => {}
        }
    }
    false
}

/// The words of a sentence: runs of letters, digits, `_` and `'`.
fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !in_word(c)).filter(|w| !w.is_empty()).collect()
}

#[cfg(test)]
mod tests;
