//! Finding theorems in a source file.

use super::sentence::{Sentence, SentenceError, split};

/// A theorem in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTheorem {
    /// Its name as it is called at the end of the file: qualified by the modules around it.
    pub name: String,
    /// Where its statement begins, in bytes.
    pub start: usize,
    /// Where its statement ends, the period included.
    pub end: usize,
    /// Whether its proof is finished.
    pub finished: bool,
    /// Whether it can be called by its name at the end of the file: not from within a module type or functor.
    pub reachable: bool,
    /// The sentences that close the sections and modules around it, innermost first.
    pub closers: String,
}

/// Words that begin a theorem.
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
    "Goal",
];
/// Words that may stand before such a word.
const MODIFIERS: &[&str] =
    &["Local", "Global", "Program", "Polymorphic", "Monomorphic", "Cumulative", "Private"];

/// Every theorem of a file that is proved by tactics, or is to be.
pub fn theorems(text: &str) -> Result<Vec<SourceTheorem>, SentenceError> {
    let mut found: Vec<SourceTheorem> = Vec::new();
    let mut open: Vec<Scope> = Vec::new();
    let mut in_proof = false;
    for sentence in split(text)? {
        let words = words(sentence.text);
        match words.first().copied().unwrap_or_default() {
            "Qed" | "Defined" | "Save" if in_proof => {
                in_proof = false;
                if let Some(last) = found.last_mut() {
                    last.finished = true;
                }
            }
            "Admitted" | "Abort" => in_proof = false,
            "Section" => {
                open.extend(words.get(1).map(|n| Scope { name: (*n).to_owned(), kind: Kind::Section }))
            }
            "Module" if !sentence.text.contains(":=") => {
                let skip = ["Type", "Import", "Export"];
                let name = words[1..].iter().find(|w| !skip.contains(w));
                let abstracted = words.get(1) == Some(&"Type") || sentence.text.contains('(');
                let kind = if abstracted { Kind::Abstract } else { Kind::Module };
                open.extend(name.map(|n| Scope { name: (*n).to_owned(), kind }));
            }
            "End" => {
                open.pop();
            }
            _ => {
                if let Some(name) = statement_name(sentence.text) {
                    in_proof = true;
                    found.push(theorem(&sentence, &name, &open));
                }
            }
        }
    }
    Ok(found)
}

struct Scope {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Section,
    Module,
    /// A module type or a functor.
    Abstract,
}

fn theorem(sentence: &Sentence<'_>, name: &str, open: &[Scope]) -> SourceTheorem {
    let modules = open.iter().filter(|s| s.kind != Kind::Section).map(|s| s.name.as_str());
    SourceTheorem {
        name: modules.chain([name]).collect::<Vec<_>>().join("."),
        start: sentence.start,
        end: sentence.start + sentence.text.len(),
        finished: false,
        reachable: open.iter().all(|s| s.kind != Kind::Abstract),
        closers: open.iter().rev().map(|s| format!("End {}.\n", s.name)).collect(),
    }
}

/// The name that a statement gives to its theorem; `None` when the sentence states none that is to be
/// proved by tactics.
pub fn statement_name(sentence: &str) -> Option<String> {
    let mut text = sentence.trim_start();
    while text.starts_with("#[") {
        text = text[text.find(']')? + 1..].trim_start();
    }
    let words = words(text);
    let at = words.iter().position(|w| !MODIFIERS.contains(w))?;
    let keyword = words[at];
    if !STATEMENTS.contains(&keyword) || defines(text) {
        return None;
    }
    if keyword == "Goal" {
        return Some("Unnamed_thm".to_owned());
    }
    words.get(at + 1).map(|w| (*w).to_owned())
}

/// Whether a sentence gives a value with `:=` outside brackets, so that nothing is left to prove.
fn defines(text: &str) -> bool {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            // A `let` in the statement has one too.
            b':' if depth == 0 && bytes.get(i + 1) == Some(&b'=') => return !text[..i].contains("let "),
            _ => {}
        }
    }
    false
}

/// The words of a sentence: runs of letters, digits, `_` and `'`.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
    text.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_file_makes_the_search_for_theorems_panic(
            words in prop::collection::vec("Theorem|Module|Section|End|Qed|:=|:|#\\[|\\]|x|δ|\\.|\n|Definition|let", 0..30)
        ) {
            let _ = theorems(&words.join(" "));
        }
    }

    #[test]
    fn unfinished_theorems_are_found_with_their_surroundings() {
        let text = "Section S.\nVariable n : nat.\nLemma a : n = n. Proof. auto. Qed.\n\
                    Module M.\n#[local] Theorem b' (x : nat) : let y := x in y = x.\nProof.\nAdmitted.\nEnd M.\n\
                    Definition c := 3. Definition d : nat. exact 0. Defined.\nEnd S.\nExample e : 1 = 1.\nProof.";
        let found = theorems(text).unwrap();
        let brief: Vec<_> = found.iter().map(|t| (t.name.as_str(), t.finished, t.closers.as_str())).collect();
        let expected = [
            ("a", true, "End S.\n"),
            ("M.b'", false, "End M.\nEnd S.\n"),
            ("d", true, "End S.\n"),
            ("e", false, ""),
        ];
        assert_eq!(brief, expected);
        assert_eq!(
            &text[found[1].start..found[1].end],
            "#[local] Theorem b' (x : nat) : let y := x in y = x."
        );
    }
}
