//! Repeats the header's own proofs: theorems of a file often have similar proofs.
//!
//! Proofs of similar statements are tried again, also with the names in which the two theorems differ exchanged, as
//! in Tactician (Blaauwbroek, Urban and Geuvers 2020, "The Tactician").

use std::collections::HashMap;

use super::header::{Lemma, is_word, words};
use super::lemmas::relevant;
use super::shape::{Shape, locals_of_type, shape};
use super::{Proposals, Situation};

/// Maximum number of proofs of similar statements to try, whole and by sentence.
const MOST_PROOFS: usize = 6;
/// Maximum number of their sentences.
const MOST_SENTENCES: usize = 10;
/// Maximum number of the most frequent sentences in the header's proofs.
const MOST_FREQUENT: usize = 5;
/// Maximum number of tactics defined in the header.
const MOST_TACTICS: usize = 5;

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let quantified = matches!(s.goal.target.expr.as_ref().map(shape), Some(Shape::Pi { .. } | Shape::Let));
    again(s, quantified, out);
    frequent(s, out);
    abbreviations(s, quantified, out);
    for (index, base) in s.header.rewrite_bases.iter().rev().take(3).enumerate() {
        let later = 0.2 * index as f64;
        let intros = if quantified { "intros; " } else { "" };
        out.add(-2.0 - later, format!("{intros}autorewrite with {base} in *; auto"));
    }
}

/// Proofs of similar statements, whole and by sentence.
fn again(s: &Situation<'_>, quantified: bool, out: &mut Proposals) {
    let mut n_sentences = 0;
    for (rank, lemma) in relevant(s.goal, &s.header.lemmas, MOST_PROOFS).into_iter().enumerate() {
        let later = 0.2 * rank as f64;
        let exchanges = exchanges(lemma, &s.theorem.name);
        if lemma.linear && (1..=6).contains(&lemma.proof.len()) {
            for (log_prior, chain) in chains(lemma, quantified) {
                if let Some(analogue) = exchange(&chain, &exchanges) {
                    out.add(log_prior + 0.15 - later, analogue);
                }
                out.add(log_prior - later, chain);
            }
        }
        for sentence in &lemma.proof {
            if n_sentences == MOST_SENTENCES {
                break;
            }
            n_sentences += 1;
            if let Some(analogue) = exchange(sentence, &exchanges) {
                out.add(-1.7 - later, analogue);
            }
            out.add(-1.9 - later, sentence.clone());
        }
    }
}

/// A proof as a single tactic; after introductions, without its own.
fn chains(lemma: &Lemma, quantified: bool) -> Vec<(f64, String)> {
    let introduces = |sentence: &str| sentence == "intros" || sentence.starts_with("intros ");
    let all = lemma.proof.join("; ");
    match (&lemma.proof[..], quantified) {
        ([first, rest @ ..], false) if introduces(first) && !rest.is_empty() => vec![(-1.1, rest.join("; "))],
        ([first, ..], true) if !first.starts_with("intro") => {
            vec![(-1.1, all.clone()), (-1.2, format!("intros; {all}"))]
        }
        _ => vec![(-1.1, all)],
    }
}

/// The components in which the names of two theorems differ; empty if they have different structures.
fn exchanges<'a>(lemma: &'a Lemma, name: &'a str) -> Vec<(&'a str, &'a str)> {
    const MOST_DIFFERENCES: usize = 2;
    let last = lemma.name.rsplit('.').next().unwrap_or(&lemma.name);
    let (theirs, ours): (Vec<&str>, Vec<&str>) = (last.split('_').collect(), name.split('_').collect());
    let differ: Vec<_> = theirs.iter().copied().zip(ours.iter().copied()).filter(|(a, b)| a != b).collect();
    let alike =
        theirs.len() == ours.len() && differ.len() <= MOST_DIFFERENCES && differ.len() < ours.len().max(2);
    if alike { differ } else { Vec::new() }
}

/// A tactic with components of names exchanged; `None` if nothing changes.
fn exchange(tactic: &str, exchanges: &[(&str, &str)]) -> Option<String> {
    if exchanges.is_empty() {
        return None;
    }
    let part = |part: &str| exchanges.iter().find(|(from, _)| *from == part).map(|(_, to)| (*to).to_owned());
    let word = |word: &str| {
        let parts = word.split('_').map(|p| part(p).unwrap_or_else(|| p.to_owned()));
        parts.collect::<Vec<_>>().join("_")
    };
    let mut changed = String::with_capacity(tactic.len());
    let mut rest = tactic;
    while let Some(first) = rest.chars().next() {
        let in_word = is_word(first);
        let end = rest.find(|c| is_word(c) != in_word).unwrap_or(rest.len());
        match in_word {
            true => changed += &word(&rest[..end]),
            false => changed += &rest[..end],
        }
        rest = &rest[end..];
    }
    (changed != tactic).then_some(changed)
}

/// The most frequent sentences of the header's proofs.
fn frequent(s: &Situation<'_>, out: &mut Proposals) {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for sentence in s.header.lemmas.iter().flat_map(|l| &l.proof) {
        *uses.entry(sentence).or_default() += 1;
    }
    let mut often: Vec<(&str, usize)> = uses.into_iter().filter(|(_, n)| *n > 1).collect();
    often.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    for (rank, (sentence, _)) in often.into_iter().take(MOST_FREQUENT).enumerate() {
        out.add(-1.9 - 0.2 * rank as f64, sentence);
    }
}

/// Tactics defined in the header, most used first.
fn abbreviations(s: &Situation<'_>, quantified: bool, out: &mut Proposals) {
    let mut all: Vec<_> = s.header.abbreviations.iter().rev().collect();
    all.sort_by_key(|a| std::cmp::Reverse(a.n_uses));
    for (rank, tactic) in all.into_iter().take(MOST_TACTICS).enumerate() {
        let later = 0.2 * rank as f64 + if tactic.n_uses == 0 { 0.6 } else { 0.0 };
        let name = &tactic.name;
        match tactic.n_arguments {
            0 => {
                out.add(-1.2 - later, name.clone());
                let intros = if quantified { "intros; " } else { "" };
                out.add(-1.6 - later, format!("{intros}{name}; simpl in *; intuition (auto; try lia)"));
            }
            1 => {
                for local in arguments(s) {
                    out.add(-1.5 - later, format!("{name} {local}; auto"));
                }
            }
            _ => {}
        }
    }
}

/// Possible arguments of a tactic: objects in the target.
fn arguments<'a>(s: &'a Situation<'_>) -> Vec<&'a str> {
    let target = &s.goal.target.text;
    let types = ["nat", "Z", "N", "positive", "bool", "list"];
    let known = types.into_iter().flat_map(|ty| locals_of_type(s.goal, ty));
    known.filter(|local| words(target).any(|w| w == *local)).take(3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::header::read;

    #[test]
    fn a_proof_is_carried_over_by_the_parts_in_which_names_differ() {
        let header = read("Lemma inj_lt p q : p < q. Proof. unfold lt. now rewrite inj_lt_eq, lt_iff. Qed.");
        let found = exchanges(&header.lemmas[0], "inj_le");
        assert_eq!(found, [("lt", "le")]);
        let chain = &chains(&header.lemmas[0], false)[0].1;
        assert_eq!(exchange(chain, &found).as_deref(), Some("unfold le; now rewrite inj_le_eq, le_iff"));
        assert_eq!(exchanges(&header.lemmas[0], "other"), []);
        assert_eq!(exchange("auto", &found), None);
    }
}
