//! Lemmas that were looked up.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::goal::{Goal, Term};

/// How many symbols of a goal lemmas are looked up by.
const MAX_SYMBOLS: usize = 12;

/// A lemma, as the assistant prints it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lemma {
    /// Its name.
    pub name: String,
    /// Its statement, on one line.
    pub statement: String,
}

/// A lemma with the symbols that its statement mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundLemma {
    /// The lemma.
    pub lemma: Lemma,
    /// Each symbol once.
    pub symbols: BTreeSet<String>,
}

/// The symbols by which to look up lemmas for a goal, sorted: the constants of its target, and then of its hypotheses, at
/// most twelve. The symbols of a term known only by its text are its words.
pub fn symbols(goal: &Goal) -> Vec<String> {
    let locals: BTreeSet<&str> = goal.locals().map(|(name, _)| name).collect();
    let hypotheses = goal.hypotheses.iter().flat_map(|h| std::iter::once(&h.ty).chain(&h.body));
    let mut found = BTreeSet::new();
    for term in std::iter::once(&goal.target).chain(hypotheses) {
        for symbol in mentioned(term).filter(|symbol| !locals.contains(symbol)) {
            if found.len() < MAX_SYMBOLS {
                found.insert(symbol.to_owned());
            }
        }
    }
    found.into_iter().collect()
}

fn mentioned(term: &Term) -> Box<dyn Iterator<Item = &str> + '_> {
    match &term.expr {
        Some(expr) => Box::new(expr.constants().map(AsRef::as_ref)),
        None => Box::new(words(&term.text)),
    }
}

/// The names in a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '.'));
    words
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The best lemmas about some symbols, best first, at most `most`: those that mention more of the symbols and fewer others,
/// then the shorter ones, then by name. Lemmas that mention none are left out, and further names of an equal statement.
///
/// The order is by the weight of the symbols in common, relative to that of all symbols of both (the weighted Jaccard
/// index). A symbol weighs the less the more of the lemmas mention it, so that equality counts for little.
pub fn best(found: Vec<FoundLemma>, symbols: &[String], most: usize) -> Vec<Lemma> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for symbol in found.iter().flat_map(|found| &found.symbols) {
        *counts.entry(symbol).or_default() += 1;
    }
    let weight =
        |symbol: &str| (1.0 + found.len() as f64 / counts.get(symbol).map_or(1.0, |&n| n as f64)).ln();
    let wanted: BTreeSet<&str> = symbols.iter().map(String::as_str).collect();
    let share = |found: &FoundLemma| {
        let others = found.symbols.iter().map(String::as_str).filter(|symbol| !wanted.contains(symbol));
        let common = wanted.iter().filter(|symbol| found.symbols.contains(**symbol));
        let all = wanted.iter().copied().chain(others);
        common.map(|symbol| weight(symbol)).sum::<f64>() / all.map(weight).sum::<f64>()
    };
    let mut ranked: Vec<(f64, &Lemma)> =
        found.iter().map(|found| (share(found), &found.lemma)).filter(|(share, _)| *share > 0.0).collect();
    ranked.sort_by(|(a, x), (b, y)| {
        let by_length = || x.statement.len().cmp(&y.statement.len());
        let by_name = || x.name.len().cmp(&y.name.len()).then_with(|| x.name.cmp(&y.name));
        b.total_cmp(a).then_with(by_length).then_with(by_name)
    });
    let mut statements = HashSet::new();
    let lemmas = ranked.into_iter().map(|(_, lemma)| lemma);
    lemmas.filter(|lemma| statements.insert(&lemma.statement)).take(most).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Hypothesis;

    #[test]
    fn lemmas_about_more_of_the_symbols_come_first() {
        let found = |name: &str, symbols: &[&str], statement: &str| FoundLemma {
            lemma: Lemma { name: name.to_owned(), statement: statement.to_owned() },
            symbols: symbols.iter().map(|&s| s.to_owned()).collect(),
        };
        let all = vec![
            found("other", &["x", "y"], "x y"),
            found("one", &["rev"], "rev"),
            found("three_and_more", &["app", "eq", "length", "rev"], "more"),
            found("c_three", &["app", "eq", "rev"], "longer"),
            found("b_three", &["app", "eq", "rev"], "equal"),
            found("a_three", &["app", "eq", "rev"], "short"),
            found("Other.a_three", &["app", "eq", "rev"], "short"),
        ];
        let symbols = ["app", "eq", "rev"].map(str::to_owned);
        let names = |most| best(all.clone(), &symbols, most).into_iter().map(|l| l.name).collect::<Vec<_>>();
        assert_eq!(names(9), ["a_three", "b_three", "c_three", "three_and_more", "one"]);
        assert_eq!(names(2), ["a_three", "b_three"]);
        assert_eq!(names(0), Vec::<String>::new());
    }

    #[test]
    fn what_many_lemmas_mention_counts_for_little() {
        let found = |name: &str, symbols: &str| FoundLemma {
            lemma: Lemma { name: name.to_owned(), statement: format!("{name:>9}") },
            symbols: symbols.split(' ').map(str::to_owned).collect(),
        };
        let mut all = vec![found("rare", "twice small"), found("exact", "eq nat twice")];
        all.extend((0..20).map(|n| found(&format!("common{n:02}"), &format!("eq nat f{n}"))));
        let symbols = ["eq", "nat", "twice"].map(str::to_owned);
        let best: Vec<String> = best(all, &symbols, 3).into_iter().map(|lemma| lemma.name).collect();
        assert_eq!(best, ["exact", "rare", "common00"]);
    }

    #[test]
    fn the_symbols_of_a_text_are_its_words_but_for_hypotheses() {
        let hypothesis = Hypothesis { names: vec!["n".to_owned()], ty: Term::textual("Nat"), body: None };
        let target = Term::textual("List.length (n :: l'.) = n + 1");
        let goal = Goal { hypotheses: vec![hypothesis], target, ..Goal::default() };
        assert_eq!(symbols(&goal), ["List.length", "Nat", "l'"]);
        let many: Vec<String> = (10..99).map(|n| format!("x{n}")).collect();
        let goal = Goal { target: Term::textual(many.join(" ")), ..Goal::default() };
        assert_eq!(symbols(&goal), many[..MAX_SYMBOLS]);
    }
}
