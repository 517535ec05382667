//! Tests whether the two comparisons of level 2 agree, and whether both accept a different statement: honest
//! submissions of the cheat corpus are mutated at a random place, and verified by both.

use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_config::Config;
use andor_core::rng::{Purpose, stream};
use andor_engine::registry;
use andor_env::checker::{Claim, Verdict};
use andor_env::source;
use andor_system_rocq::{Opinions, Rocq, sentence};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use serde::Serialize;
use tokio::task::JoinSet;

use super::BenchError;
use super::cheats::{Cheat, Trick};

/// A mutated submission, and its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Mutant {
    /// The entry of the corpus.
    pub entry: String,
    /// Its number, which together with the seed reproduces it.
    pub number: usize,
    /// The changed sentence, before and after.
    pub change: [String; 2],
    /// Whether that sentence states the theorem.
    pub states: bool,
    /// The outcome.
    pub outcome: MutantOutcome,
    /// The reason for rejection, and who rejected it.
    pub message: String,
}

/// The outcome for a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantOutcome {
    /// It does not compile, or is rejected before the comparison.
    Refused,
    /// Both comparisons reject it.
    Rejected,
    /// Both accept it: the change is in a proof, or in something irrelevant to the statement.
    Accepted,
    /// Rocq accepts it, but the comparison of compiled files does not.
    OnlyRocq,
    /// The comparison of compiled files accepts it, but Rocq does not.
    OnlyFiles,
    /// It could not be verified.
    Infrastructure,
}

impl MutantOutcome {
    /// Every outcome.
    pub const ALL: [Self; 6] = [
        Self::Refused,
        Self::Rejected,
        Self::Accepted,
        Self::OnlyRocq,
        Self::OnlyFiles,
        Self::Infrastructure,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused before they are compared",
            Self::Rejected => "rejected by both",
            Self::Accepted => "accepted by both",
            Self::OnlyRocq => "accepted by Rocq alone",
            Self::OnlyFiles => "accepted by the compiled files alone",
            Self::Infrastructure => "not judged",
        }
    }
}

/// Verifies `count` mutants, and calls `each` after every one.
pub async fn run(
    entries: &[Cheat],
    count: usize,
    seed: u64,
    jobs: usize,
    mut each: impl FnMut(&Mutant),
) -> Result<(), BenchError> {
    let mut subjects = Vec::new();
    for entry in entries.iter().filter(|entry| entry.system == ROCQ) {
        let Trick::File(claim) = &entry.twin else { continue };
        let config =
            Config { allowed_axioms: source::expanded_axioms(&entry.allow_axioms), ..Config::default() };
        subjects.push((
            entry.id(),
            claim.clone(),
            Arc::new(Rocq::new((&registry::settings(&config)).into())),
        ));
    }
    let (mut next, mut running) = (0, JoinSet::new());
    loop {
        while next < count && running.len() < jobs.max(1) && !subjects.is_empty() {
            let (entry, claim, rocq) = subjects[next % subjects.len()].clone();
            let number = next;
            next += 1;
            running.spawn(async move { one(entry, claim, &rocq, number, seed).await });
        }
        let Some(mutant) = running.join_next().await else { return Ok(()) };
        each(&mutant.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
    }
}

async fn one(entry: String, claim: Claim, rocq: &Rocq, number: usize, seed: u64) -> Mutant {
    let mut random = stream(seed.wrapping_add(number as u64), Purpose::Candidates);
    let (submission, change) = mutate(&claim.submission, &mut random);
    let states = claim.theorems.iter().any(|theorem| is_statement(&change[0], theorem));
    let (outcome, message) = match rocq.opinions(&Claim { submission, ..claim }).await {
        Ok(Opinions { rocq: Ok(()), files: Ok(()) }) => (MutantOutcome::Accepted, String::new()),
        Ok(Opinions { rocq: Ok(()), files: Err(message) }) => (MutantOutcome::OnlyRocq, message),
        Ok(Opinions { rocq: Err(message), files: Ok(()) }) => (MutantOutcome::OnlyFiles, message),
        Ok(Opinions { rocq: Err(message), files: Err(_) }) => (MutantOutcome::Rejected, message),
        Err(Verdict::Infrastructure { error, .. }) => (MutantOutcome::Infrastructure, error.to_string()),
        Err(verdict) => (MutantOutcome::Refused, format!("{verdict:?}")),
    };
    Mutant { entry, number, change, states, outcome, message }
}

/// Whether a sentence states a theorem.
fn is_statement(sentence: &str, theorem: &str) -> bool {
    let short = theorem.rsplit('.').next().unwrap_or(theorem);
    let mut words = sentence.split_whitespace();
    words.next().is_some_and(|word| STATING.contains(&word))
        && words.next().is_some_and(|word| word.trim_end_matches(':') == short)
}

const STATING: &[&str] = &["Theorem", "Lemma", "Definition", "Example"];

/// Groups of words that are replaced by one another.
const ALIKE: &[&[&str]] = &[
    &["+", "*", "-"],
    &["=", "<>", "<=", "<"],
    &["/\\", "\\/", "->", "<->"],
    &["True", "False"],
    &["forall", "exists"],
    &["nat", "bool", "Prop", "Set", "Type"],
    &["Qed", "Defined", "Admitted"],
    &["Parameter", "Axiom", "Parameter Inline", "Definition"],
    &["Inductive", "CoInductive", "Variant", "Record"],
    &["Module", "Module Type", "Declare Module"],
    &[": T", "<: T", ""],
    &["0", "1", "2", "7"],
];

/// Sentences that change the meaning of what follows.
const SETTINGS: &[&str] = &[
    "Set Primitive Projections.",
    "Set Universe Polymorphism.",
    "Set Implicit Arguments.",
    "Open Scope bool_scope.",
    "Unset Elimination Schemes.",
    "Notation \"x + y\" := (x - y).",
    "Definition nat := bool.",
    "Axiom absurd : False.",
];

/// A file with one sentence changed, removed, repeated, swapped with the next or preceded by another; and the
/// sentence before and after.
fn mutate(text: &str, random: &mut impl Rng) -> (String, [String; 2]) {
    let mut sentences: Vec<String> = sentence::split(text)
        .unwrap_or_default()
        .into_iter()
        .map(|sentence| sentence.text.trim().to_owned())
        .collect();
    if sentences.is_empty() {
        return (text.to_owned(), [String::new(), String::new()]);
    }
    let at = random.random_range(0..sentences.len());
    let before = sentences[at].clone();
    let after = match random.random_range(0..10) {
        0 => String::new(),
        1 => format!("{before} {before}"),
        2 if at + 1 < sentences.len() => {
            sentences.swap(at, at + 1);
            sentences[at].clone()
        }
        3 => format!("{} {before}", SETTINGS.choose(random).expect("there are some")),
        4 => aliased(&before, &sentences, random),
        _ => replaced(&before, text, random),
    };
    sentences[at].clone_from(&after);
    (sentences.join("\n"), [before, after])
}

/// A module redefined as an alias of another module in the file.
fn aliased(sentence: &str, all: &[String], random: &mut impl Rng) -> String {
    let name = |sentence: &str| {
        let rest = sentence.strip_prefix("Module ")?;
        Some(rest.split(|c: char| !c.is_alphanumeric()).next()?.to_owned())
    };
    let modules: Vec<String> = all.iter().filter_map(|s| name(s)).collect();
    match (name(sentence), modules.choose(random)) {
        (Some(name), Some(other)) => format!("Module {name} := {other}. Module {name}'."),
        _ => format!("{sentence} {sentence}"),
    }
}

/// A sentence with one word replaced by a similar one, or by another word of the file.
fn replaced(sentence: &str, text: &str, random: &mut impl Rng) -> String {
    let mut places: Vec<(usize, &str, &[&str])> = Vec::new();
    for family in ALIKE {
        for word in family.iter().filter(|word| !word.is_empty()) {
            let found = sentence.match_indices(word);
            places.extend(
                found.filter(|(at, _)| stands_alone(sentence, *at, word)).map(|(at, _)| (at, *word, *family)),
            );
        }
    }
    let words: Vec<&str> = text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let mut at = 0;
    for word in sentence.split_inclusive(|c: char| !is_word(c)) {
        let bare = word.trim_end_matches(|c: char| !is_word(c));
        if !bare.is_empty() {
            places.push((at, bare, &words));
        }
        at += word.len();
    }
    let Some(&(at, word, family)) = places.choose(random) else { return String::new() };
    let other = family.choose(random).copied().unwrap_or_default();
    format!("{}{other}{}", &sentence[..at], &sentence[at + word.len()..])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

/// Whether the word or symbol is not part of a longer one.
fn stands_alone(text: &str, at: usize, word: &str) -> bool {
    let (before, after) = (&text[..at], &text[at + word.len()..]);
    match word.starts_with(is_word) {
        true => !before.ends_with(is_word) && !after.starts_with(is_word),
        false => before.ends_with(' ') && after.starts_with(' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_differs_in_one_place_and_comes_again_from_its_seed() {
        let text = "Module A. Definition n := 2. End A.\nTheorem goal : forall k : nat, A.n + k = k + 2.\nProof. auto. Qed.";
        let mut different = 0;
        for seed in 0..200 {
            let [first, again] = [(), ()].map(|()| mutate(text, &mut stream(seed, Purpose::Candidates)));
            assert_eq!(first, again, "seed {seed}");
            different += usize::from(first.1[0] != first.1[1]);
        }
        assert!(different > 150, "{different} of 200");
        assert!(is_statement("Theorem goal : True.", "M.goal") && !is_statement("Proof.", "goal"));
    }
}
