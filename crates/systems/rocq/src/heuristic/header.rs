//! Extracts lemmas with their proofs, tactics, and rewriting bases from a theorem's header.

use std::collections::HashSet;

/// A lemma that the header states.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lemma {
    /// Its name at the end of the header.
    pub(super) name: String,
    /// The text after the name.
    pub(super) statement: String,
    /// The sentences of its proof, without bullets and braces; a proof term becomes one `exact`.
    pub(super) proof: Vec<String>,
    /// Whether the proof is a single chain of sentences, without bullets and braces.
    pub(super) linear: bool,
}

/// A tactic that the header defines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Abbreviation {
    pub(super) name: String,
    pub(super) n_arguments: usize,
    /// The number of its uses in the header's proofs.
    pub(super) n_uses: usize,
}

/// The contents of the header, in order.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) lemmas: Vec<Lemma>,
    pub(super) abbreviations: Vec<Abbreviation>,
    /// Names of databases filled by `Hint Rewrite`.
    pub(super) rewrite_bases: Vec<String>,
}

const KEYWORDS: &[&str] = &["Theorem", "Lemma", "Fact", "Remark", "Corollary", "Proposition", "Property"];
/// Modifiers that do not matter here.
const QUALIFIERS: &[&str] =
    &["Local", "Global", "Program", "Polymorphic", "Monomorphic", "#[local]", "#[global]"];

/// Parses a header. Unrecognised parts are skipped.
pub(super) fn read(header: &str) -> Header {
    let text = without_comments(header);
    let mut found = Header::default();
    // The open modules, with the number of lemmas before each.
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut in_proof = false;
    for sentence in sentences(&text) {
        let sentence = unqualified(sentence);
        let (keyword, rest) = first_word(sentence);
        match keyword {
            "Qed" | "Defined" | "Save" => in_proof = false,
            // What is not proved proves nothing, and its proof shows no habit.
            "Admitted" | "Abort" if in_proof => {
                in_proof = false;
                found.lemmas.pop();
            }
            _ if KEYWORDS.contains(&keyword) => {
                let (name, statement) = first_word(rest);
                in_proof = true;
                found.lemmas.push(Lemma {
                    name: name.to_owned(),
                    statement: statement.to_owned(),
                    proof: Vec::new(),
                    linear: true,
                });
            }
            _ if in_proof => {
                if let Some(lemma) = found.lemmas.last_mut() {
                    in_proof = !proof_sentence(sentence, lemma);
                }
            }
            "Module" => open.push((first_word(rest).0.to_owned(), found.lemmas.len())),
            "End" => {
                let name = first_word(rest).0;
                if let Some(depth) = open.iter().rposition(|(module, _)| module == name) {
                    let first = open[depth].1;
                    open.truncate(depth);
                    for lemma in &mut found.lemmas[first..] {
                        lemma.name = format!("{name}.{}", lemma.name);
                    }
                }
            }
            "Ltac" => abbreviation(rest, &mut found),
            "Hint" if rest.starts_with("Rewrite") => {
                let bases = rest.rsplit_once(':').map_or("", |(_, bases)| bases);
                for base in bases.split_whitespace() {
                    if !found.rewrite_bases.iter().any(|b| b == base) {
                        found.rewrite_bases.push(base.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    for lemma in &found.lemmas {
        for abbreviation in &mut found.abbreviations {
            let uses = |sentence: &&String| words(sentence).any(|w| w == abbreviation.name);
            abbreviation.n_uses += lemma.proof.iter().filter(uses).count();
        }
    }
    found
}

/// The libraries that a header imports before its first section or module, each by the last part of its name.
pub(super) fn imports(header: &str) -> HashSet<String> {
    let text = without_comments(header);
    let mut imported = HashSet::new();
    // An import ends with the section or module around it.
    for sentence in sentences(&text).take_while(|s| !matches!(first_word(s).0, "Section" | "Module")) {
        let mut words = sentence.split_whitespace().skip_while(|word| *word != "Require");
        let begins = sentence.starts_with("From ") || sentence.starts_with("Require ");
        if begins && words.next().is_some() && matches!(words.next(), Some("Import" | "Export")) {
            imported.extend(words.map(|name| name.rsplit('.').next().unwrap_or(name).to_owned()));
        }
    }
    imported
}

/// `name x y := …`, or `name := fun x y => …`
fn abbreviation(definition: &str, found: &mut Header) {
    let Some((left, body)) = definition.split_once(":=") else { return };
    let mut left = left.split_whitespace();
    let Some(name) = left.next() else { return };
    let bound = match body.trim_start().strip_prefix("fun ") {
        Some(function) => function.split("=>").next().unwrap_or_default().split_whitespace().count(),
        None => 0,
    };
    found.abbreviations.retain(|a| a.name != name);
    found.abbreviations.push(Abbreviation {
        name: name.to_owned(),
        n_arguments: left.count() + bound,
        n_uses: 0,
    });
}

/// Adds a sentence to a lemma's proof; returns whether it is the whole proof.
fn proof_sentence(sentence: &str, lemma: &mut Lemma) -> bool {
    const LONGEST: usize = 160;
    let mut is_term = false;
    let tactic = match first_word(sentence) {
        ("Proof", "") => return false,
        ("Proof", rest) if rest.starts_with("with") || rest.starts_with("using") => return false,
        ("Proof", term) => {
            is_term = true;
            format!("exact ({term})")
        }
        _ => {
            let bare = sentence.trim_start_matches(|c: char| "-+*{}".contains(c) || c.is_whitespace());
            lemma.linear &= bare.len() == sentence.len();
            bare.to_owned()
        }
    };
    let tactic = tactic.split_whitespace().collect::<Vec<_>>().join(" ");
    let begins = tactic.chars().next().is_some_and(|c| c.is_lowercase() || c == '(');
    if begins && tactic.len() <= LONGEST && !tactic.starts_with("all:") {
        lemma.proof.push(tactic);
    } else if !tactic.is_empty() {
        lemma.linear = false;
    }
    is_term
}

/// The header with each comment replaced by a space.
fn without_comments(header: &str) -> String {
    let mut text = String::with_capacity(header.len());
    let (mut depth, mut in_string) = (0_usize, false);
    let mut rest = header;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if !in_string && rest.starts_with("(*") {
            (depth, taken) = (depth + 1, 2);
        } else if !in_string && depth > 0 && rest.starts_with("*)") {
            (depth, taken) = (depth - 1, 2);
            text.push(' ');
        } else {
            in_string ^= c == '"';
            if depth == 0 {
                text.push(c);
            }
        }
        rest = &rest[taken..];
    }
    text
}

/// The sentences of a text without comments, trimmed, without their full stops.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut in_string = false;
    let mut places = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = places.next() {
            in_string ^= c == '"';
            let ends = places.peek().is_none_or(|(_, next)| next.is_whitespace());
            if c == '.' && ends && !in_string {
                let sentence = text[start..at].trim();
                start = at + 1;
                return Some(sentence);
            }
        }
        None
    })
}

fn unqualified(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some(after) = QUALIFIERS.iter().find_map(|q| rest.strip_prefix(q)) {
        if !after.starts_with(char::is_whitespace) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// The first word of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|w| !w.is_empty())
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imported_libraries_are_found() {
        let header = "(* Require Import No. *) From Coq Require Import List Lia.\nRequire Export Coq.ZArith.ZArith.\n\
            Require Lra. From Coq Require Nia. Definition x := Require Import No2. Section S. Require Import No3.";
        let imported = imports(header);
        let mut imported: Vec<&str> = imported.iter().map(String::as_str).collect();
        imported.sort_unstable();
        assert_eq!(imported, ["Lia", "List", "ZArith"]);
    }

    #[test]
    fn a_lemma_without_a_proof_is_left_out() {
        let header = "Lemma a : P. Proof. auto. Qed. Lemma b : Q. Proof. split. - admit. - admit. Admitted.\n\
            Lemma c : R. Abort. Lemma d : S. Admitted. Admitted. Lemma e : T. Proof (f).";
        let names: Vec<String> = read(header).lemmas.into_iter().map(|lemma| lemma.name).collect();
        assert_eq!(names, ["a", "e"]);
    }

    #[test]
    fn a_header_holds_lemmas_with_proofs_tactics_and_bases() {
        let header = "(* Lemma no : False. *) Require Import List.\n\
            #[local] Lemma app_nil l : l ++ nil = l.\nProof.\n  induction l. - crush l. - now\n rewrite IHl. Qed.\n\
            Module M. Theorem\n  cut : forall x:nat, le x 0 -> x < 1. Proof (fun x => x). Ltac lost := idtac.\n\
            Local Ltac crush x := destruct x; simpl.\nLtac both := fun a b => crush a; crush b.\nEnd M.\n\
            Hint Rewrite app_nil : lists other.";
        let found = read(header);
        let proofs: Vec<(&str, Vec<&str>, bool)> = (found.lemmas.iter())
            .map(|l| (l.name.as_str(), l.proof.iter().map(String::as_str).collect(), l.linear))
            .collect();
        assert_eq!(
            proofs,
            [
                ("app_nil", vec!["induction l", "crush l", "now rewrite IHl"], false),
                ("M.cut", vec!["exact ((fun x => x))"], true)
            ]
        );
        assert_eq!(found.lemmas[0].statement, "l : l ++ nil = l");
        let tactics: Vec<(&str, usize, usize)> =
            found.abbreviations.iter().map(|a| (a.name.as_str(), a.n_arguments, a.n_uses)).collect();
        assert_eq!(tactics, [("lost", 0, 0), ("crush", 1, 1), ("both", 2, 0)]);
        assert_eq!(found.rewrite_bases, ["lists", "other"]);
    }
}
