//! Extracts a theorem from its file with the context that it needs.

use andor_system_rocq::ROCQ;
use std::borrow::Cow;
use std::collections::HashSet;

use andor_core::theorem::Theorem;
use andor_system_rocq::sentence::{SentenceError, split};
use andor_system_rocq::source::{SourceTheorem, theorems};
use serde::Serialize;

/// How much of the file precedes a theorem of the corpus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub enum Category {
    /// Imports and settings only.
    #[serde(rename = "A")]
    Imports,
    /// Everything except other theorems and what depends on them.
    #[serde(rename = "L")]
    Definitions,
    /// Everything.
    #[serde(rename = "P")]
    Prefix,
}

impl Category {
    /// All categories, the smallest context first.
    pub const ALL: [Self; 3] = [Self::Imports, Self::Definitions, Self::Prefix];

    /// The letter used in rows.
    pub fn letter(self) -> char {
        match self {
            Self::Imports => 'A',
            Self::Definitions => 'L',
            Self::Prefix => 'P',
        }
    }
}

/// Keywords of theorems that enter the corpus; definitions by tactics and instances do not.
const THEOREMS: &[&str] = &["Theorem", "Lemma", "Fact", "Remark", "Corollary", "Proposition", "Property"];
/// Keywords of imports and settings.
const SETTINGS: &[&str] = &["Require", "From", "Import", "Export", "Open", "Set", "Unset"];
/// Keywords that open and close scopes.
const SCOPES: &[&str] = &["Section", "Module", "End"];
/// Modifiers that may precede these keywords.
const MODIFIERS: &[&str] =
    &["Local", "Global", "Program", "Polymorphic", "Monomorphic", "local", "global", "export"];

/// A parsed file.
#[derive(Debug)]
pub(super) struct Source {
    text: String,
    /// All theorems and definitions by tactics.
    proofs: Vec<SourceTheorem>,
}

impl Source {
    pub(super) fn new(text: String) -> Result<Self, SentenceError> {
        let proofs = theorems(&text)?;
        Ok(Self { text, proofs })
    }

    /// The indices of the theorems with finished proofs.
    pub(super) fn finished(&self) -> impl Iterator<Item = usize> {
        let wanted = |&at: &usize| self.proofs[at].finished() && self.is_theorem(&self.proofs[at]);
        (0..self.proofs.len()).filter(wanted)
    }

    /// The theorem at an index.
    pub(super) fn theorem(&self, at: usize) -> &SourceTheorem {
        &self.proofs[at]
    }

    /// The proof of the theorem at an index.
    pub(super) fn proof(&self, at: usize) -> &str {
        self.text[self.proofs[at].end..self.proofs[at].proof_end].trim()
    }

    /// The theorem in the contexts in which its proof may work, the smallest first. Sentences that mention a missing
    /// name are left out; whether the proof really works is for the checker to decide.
    pub(super) fn excerpts(&self, at: usize, id: &str) -> Result<Vec<(Category, Theorem)>, SentenceError> {
        let theorem = &self.proofs[at];
        let surroundings = self.surroundings(theorem)?;
        let own = &self.text[theorem.start..theorem.proof_end];
        let excerpt = |category: Category| {
            let (header, missing) = match category {
                Category::Imports => (&surroundings.settings, Some(&surroundings.declared)),
                Category::Definitions => (&surroundings.definitions, Some(&surroundings.dropped)),
                Category::Prefix => (&surroundings.prefix, None),
            };
            if missing.is_some_and(|names| mentions(own, names)) {
                return None;
            }
            let alone = category == Category::Imports;
            let name = if alone { theorem.name.rsplit('.').next() } else { Some(&*theorem.name) };
            let stated = Theorem {
                id: id.to_owned(),
                name: name.unwrap_or_default().to_owned(),
                system: ROCQ,
                header: header.clone(),
                statement: self.text[theorem.start..theorem.end].to_owned(),
                footer: if alone { String::new() } else { theorem.closers.clone() },
                extra_imports: Vec::new(),
            };
            Some((category, stated))
        };
        Ok(Category::ALL.into_iter().filter_map(excerpt).collect())
    }

    fn is_theorem(&self, proof: &SourceTheorem) -> bool {
        first_word(&self.text[proof.start..proof.end]).is_some_and(|word| THEOREMS.contains(&word))
    }

    /// The context that precedes a theorem. Module signatures given by `<:` are removed: Rocq checks them at the end
    /// of the module, which here comes too early.
    fn surroundings(&self, theorem: &SourceTheorem) -> Result<Surroundings<'_>, SentenceError> {
        let prefix = &self.text[..theorem.start];
        let mut found = Surroundings::default();
        let sentences = split(prefix)?;
        let (mut rest, mut at) = (&sentences[..], 0);
        while let Some(sentence) = rest.first() {
            let proof = self.proofs.iter().find(|p| p.start == sentence.start);
            let end = proof.map_or(sentence.start + sentence.text.len(), |p| p.proof_end);
            let length = rest.iter().take_while(|s| s.start < end).count();
            let text = without_promise(&self.text[sentence.start..end]);
            found.prefix += &self.text[at..sentence.start];
            found.prefix += &text;
            (rest, at) = (&rest[length..], end);
            found.declared.extend(declared(sentence.text));
            let first = first_word(sentence.text).unwrap_or_default();
            let is_setting = SETTINGS.contains(&first);
            if is_setting && !mentions(&text, &found.declared) {
                found.settings += &format!("{text}\n");
            }
            let is_theorem = proof.is_some_and(|p| self.is_theorem(p));
            let is_scope = SCOPES.contains(&first);
            if is_theorem || (!is_scope && !is_setting && mentions(&text, &found.dropped)) {
                found.dropped.extend(declared(sentence.text));
            } else {
                found.definitions += &format!("{text}\n");
            }
        }
        found.prefix += &prefix[at..];
        Ok(found)
    }
}

/// The header of a module without its `<:` signatures.
fn without_promise(sentence: &str) -> Cow<'_, str> {
    match sentence.split_once("<:") {
        Some((module, _)) if first_word(sentence) == Some("Module") && !sentence.contains(":=") => {
            Cow::Owned(format!("{}.", module.trim_end()))
        }
        _ => Cow::Borrowed(sentence),
    }
}

/// The context that precedes a theorem.
#[derive(Default)]
struct Surroundings<'a> {
    settings: String,
    definitions: String,
    prefix: String,
    /// The names declared in the file.
    declared: HashSet<&'a str>,
    /// Names that are theorems or depend on one.
    dropped: HashSet<&'a str>,
}

/// Keywords of sentences that declare nothing.
const USES: &[&str] =
    &["End", "Hint", "Arguments", "Existing", "Bind", "Implicit", "Opaque", "Transparent", "Proof"];
/// Keywords of sentences that may declare several names.
const ASSUMPTIONS: &[&str] =
    &["Variables", "Variable", "Hypotheses", "Hypothesis", "Parameters", "Parameter", "Axioms", "Axiom"];
/// Keywords of sentences that declare constructors.
const FAMILIES: &[&str] = &["Inductive", "CoInductive", "Variant"];

/// The names that a sentence declares: those at its beginning, and constructors.
fn declared(sentence: &str) -> impl Iterator<Item = &str> {
    let first = first_word(sentence).unwrap_or_default();
    let declares =
        first.starts_with(char::is_uppercase) && !SETTINGS.contains(&first) && !USES.contains(&first);
    let head = sentence.split([':', '(', '{', '"']).next().unwrap_or_default();
    let names = words(head).skip_while(|w| MODIFIERS.contains(w)).skip(1).filter(move |_| declares);
    // In other declarations, arguments follow the name.
    let names = names.take(if ASSUMPTIONS.contains(&first) { usize::MAX } else { 1 });
    let parts = sentence.split('|').skip(1).filter(move |_| FAMILIES.contains(&first));
    names.chain(parts.filter_map(|part| words(part).next()))
}

fn mentions(text: &str, names: &HashSet<&str>) -> bool {
    words(text).any(|word| names.contains(word))
}

fn first_word(sentence: &str) -> Option<&str> {
    words(sentence).find(|word| !MODIFIERS.contains(word))
}

/// The words of a text: sequences of letters, digits, `_` and `'`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\''))).filter(|w| !w.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "Require Import Lists.List.\nSection S.\nLocal Open Scope nat_scope.\nVariable k : nat.\n\
                        Lemma one l two : l + two = two + l -> 1 = 1.\nProof. reflexivity. Qed.\nDefinition two := 2.\n\
                        Hint Resolve one : core.\nTheorem sum (l : nat) : 1 + 1 = 2. Proof. auto. Qed.\n\
                        Lemma uses : two = 2. Proof. reflexivity. Defined.\nLemma last : 1 = 1. Proof. exact (one 0 0 eq_refl). Qed.\nEnd S.";

    fn excerpts(at: usize) -> Vec<(Category, Theorem)> {
        Source::new(FILE.to_owned()).unwrap().excerpts(at, "id").unwrap()
    }

    #[test]
    fn a_theorem_is_tried_with_no_more_than_it_mentions() {
        let categories = |at| excerpts(at).iter().map(|(c, _)| c.letter()).collect::<String>();
        assert_eq!((0..4).map(categories).collect::<Vec<_>>(), ["ALP", "ALP", "LP", "P"]);
    }

    #[test]
    fn surroundings_are_cut_as_the_category_says() {
        let found = excerpts(2);
        let settings = "Require Import Lists.List.\nLocal Open Scope nat_scope.\n";
        assert_eq!((excerpts(1)[0].1.header.as_str(), excerpts(1)[0].1.footer.as_str()), (settings, ""));
        let definitions = "Require Import Lists.List.\nSection S.\nLocal Open Scope nat_scope.\n\
                           Variable k : nat.\nDefinition two := 2.\n";
        assert_eq!((found[0].1.header.as_str(), found[0].1.footer.as_str()), (definitions, "End S.\n"));
        assert_eq!(found[1].1.header, FILE[..FILE.find("Lemma uses").unwrap()]);
        assert_eq!(found[1].1.statement, "Lemma uses : two = 2.");
    }

    #[test]
    fn what_a_module_promises_does_not_keep_it_from_being_closed() {
        let file = "Module M\n <: T\n <: U.\nLemma a : 1 = 1 || 2. Proof. auto. Qed.\nLemma b : 1 = 1. Proof. auto. Qed.\nEnd M.";
        let found = Source::new(file.to_owned()).unwrap().excerpts(1, "id").unwrap();
        assert_eq!(found[1].1.header, "Module M.\n");
        assert!(found[2].1.header.starts_with("Module M.\nLemma a"));
        assert_eq!((found[2].1.name.as_str(), found[2].1.footer.as_str()), ("M.b", "End M.\n"));
        assert_eq!((found[0].1.name.as_str(), found[0].1.footer.as_str()), ("b", ""));
    }
}
