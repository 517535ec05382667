//! Proofs changed at random: a line left out, doubled or swapped, a name or a word exchanged.

use std::io::Read;

use andor_mini::prover::Theory;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::lean::{Answer, answers};

/// A changed proof.
struct Mutant {
    /// The definitions that it needs.
    definitions: String,
    text: String,
    /// Lean's verdict when it was recorded.
    accepted: bool,
}

/// Mutants on which `mini` and Lean differ, and why.
const DIFFERENT: &[(&str, &str)] = &[];

fn mutants() -> Vec<Mutant> {
    let packed = include_bytes!("../../data/mutants.jsonl.gz");
    let mut lines = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut lines).unwrap();
    let mutant = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let definitions = line["definitions"].as_array().unwrap().iter();
        let definitions: Vec<&str> = definitions.map(|d| d.as_str().unwrap()).collect();
        Mutant {
            definitions: definitions.join("\n"),
            text: line["text"].as_str().unwrap().to_owned(),
            accepted: line["accepted"].as_bool().unwrap(),
        }
    };
    lines.lines().map(mutant).collect()
}

/// What `mini` says: nothing, or an error.
fn of_mini(mutant: &Mutant) -> Option<String> {
    let text = format!("{}\n{}", mutant.definitions, mutant.text);
    Theory::prelude().extended(&text).err().map(|error| error.to_string())
}

#[test]
fn both_accept_the_same_mutants() {
    let mutants = mutants();
    assert_eq!(mutants.len(), 1494);
    let texts: Vec<String> = mutants
        .iter()
        .enumerate()
        .map(|(at, m)| format!("namespace M{at}\n{}\n{}\nend M{at}", m.definitions, m.text))
        .collect();
    let leans = answers("", &texts);
    let mut wrong = Vec::new();
    for (mutant, lean) in mutants.iter().zip(&leans) {
        assert_eq!(lean.is_accepted(), mutant.accepted, "Lean changed its mind: {}", mutant.text);
        let mini = of_mini(mutant);
        let is_listed = DIFFERENT.iter().any(|(text, _)| *text == mutant.text);
        if (mini.is_none() == lean.is_accepted()) == is_listed {
            wrong.push(format!("{}\nmini: {mini:?}\nLean: {:?}", mutant.text, first(lean)));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

fn first(answer: &Answer) -> Option<&String> {
    answer.errors.first()
}
