//! Finds lemmas by the symbols in their statements.
//!
//! `Search` runs at the end of the theorem's statement, once for each symbol, and prints names only: statements about a
//! common symbol such as `eq` would be tens of megabytes. The most promising names are then looked at more closely.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use andor_core::expr::Name;
use andor_core::lemma::{self, FoundLemma, Lemma};

use super::axioms::is_name;
use super::document::{Document, EXPLICIT};
use super::explicit;
use super::names::Names;
use andor_env::error::EnvError;

/// Symbols that most statements mention. They are searched for only if a goal has no others, but count in the ranking.
const COMMON: &[&str] = &["eq", "and", "or", "not", "iff", "ex", "True", "False", "all", "impl"];

/// Makes `Search` print names only.
const NAMES_ONLY: &str = "Set Search Output Name Only.";

/// Time limit of one search, in seconds.
const SECONDS: u32 = 5;

/// How many names are looked at more closely.
const CLOSELY: usize = 256;

/// What is found but does not help: definitions and what Rocq generates.
const NOT_LEMMAS: &str = "-is:Definition -is:Scheme -is:Instance";

/// The best lemmas about some symbols at the document's tip, none of them in `hidden`.
pub(super) async fn lookup(
    document: &mut Document,
    symbols: &[String],
    most: usize,
    hidden: &HashSet<String>,
) -> Result<Vec<Lemma>, EnvError> {
    let symbols: Vec<String> = symbols.iter().filter(|symbol| is_name(symbol)).cloned().collect();
    let names = names(document, &symbols, hidden).await?;
    let plain: Vec<String> = names.iter().map(|name| format!("Check @{name}.")).collect();
    let statements = document.ask_under(&[], &plain).await?;
    let settings: Vec<String> = EXPLICIT.iter().map(|(option, on)| set(option, *on)).collect();
    let explicit = document.ask_under(&settings, &plain).await?;
    let mut stated: Vec<(Lemma, BTreeSet<Name>)> = Vec::new();
    for ((name, plain), explicit) in names.into_iter().zip(statements).zip(explicit) {
        let (Some(statement), Some(explicit)) = (statement(&plain), statement(&explicit)) else { continue };
        let mentioned = match explicit::parse(explicit, &HashSet::new()) {
            Some(expr) => expr.constants().cloned().collect(),
            None => lemma::words(explicit).map(Name::from).collect(),
        };
        stated.push((Lemma { name, statement: statement.to_owned() }, mentioned));
    }
    // One constant may have several names.
    let sought: BTreeSet<Name> = symbols.iter().map(|symbol| symbol.as_str().into()).collect();
    let all: BTreeSet<Name> =
        stated.iter().flat_map(|(_, mentioned)| mentioned).chain(&sought).cloned().collect();
    let mut names = Names::default();
    names.find(document, all.into_iter().filter(|name| is_name(name)).collect()).await?;
    let canonical = |name: &Name| names.canonical(name).to_string();
    let found = stated
        .into_iter()
        .map(|(lemma, mentioned)| FoundLemma { lemma, symbols: mentioned.iter().map(canonical).collect() });
    let sought: BTreeSet<String> = sought.iter().map(canonical).collect();
    let found = lemma::best(found.collect(), &Vec::from_iter(sought), CLOSELY);
    let questions: Vec<String> = found.iter().map(|lemma| has_a_proof(&lemma.name)).collect();
    let answers = document.ask_under(&[], &questions).await?;
    let lemmas = found.into_iter().zip(answers).filter(|(_, answer)| !answer.is_empty());
    Ok(lemmas.map(|(lemma, _)| lemma).take(most).collect())
}

/// The names of the most promising objects.
async fn names(
    document: &mut Document,
    symbols: &[String],
    hidden: &HashSet<String>,
) -> Result<Vec<String>, EnvError> {
    let is_common = |symbol: &&String| COMMON.contains(&symbol.as_str());
    let mut sought: Vec<&String> = symbols.iter().filter(|symbol| !is_common(symbol)).collect();
    if sought.is_empty() {
        sought = symbols.iter().collect();
    }
    let searches = sought.iter().map(|symbol| format!("Timeout {SECONDS} Search {symbol} {NOT_LEMMAS}."));
    let answers = document.ask_under(&[NAMES_ONLY.to_owned()], &searches.collect::<Vec<_>>()).await?;
    let is_wanted = |name: &String| is_name(name) && !hidden.contains(name);
    let found: Vec<BTreeSet<String>> =
        answers.into_iter().map(|answer| answer.into_iter().filter(is_wanted).collect()).collect();
    Ok(in_turn(&found, CLOSELY))
}

/// The first names of those found for each symbol. A symbol counts the more the fewer objects mention it, and each has its
/// turn: else the objects of one would be left out whenever those of the others fill the list.
fn in_turn(found: &[BTreeSet<String>], most: usize) -> Vec<String> {
    let mut weights: BTreeMap<&str, f64> = BTreeMap::new();
    for names in found {
        for name in names {
            *weights.entry(name).or_default() += 1.0 / names.len() as f64;
        }
    }
    // Library authors give short names to what is general.
    let better = |a: &&str, b: &&str| {
        weights[b].total_cmp(&weights[a]).then(a.len().cmp(&b.len())).then_with(|| a.cmp(b))
    };
    let mut ranked: Vec<(usize, &str)> = Vec::new();
    for names in found {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_by(better);
        ranked.extend(names.into_iter().enumerate());
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut seen = HashSet::new();
    let names = ranked.into_iter().map(|(_, name)| name).filter(|name| seen.insert(*name));
    names.take(most).map(str::to_owned).collect()
}

/// A question that has an answer only if the type of an object is a proposition.
fn has_a_proof(name: &str) -> String {
    format!("Check ((fun (P : Prop) (_ : P) => P) _ (@{name})).")
}

fn set(option: &str, on: bool) -> String {
    format!("{} {option}.", if on { "Set" } else { "Unset" })
}

/// The statement in the answer to `Check`.
fn statement(answer: &[String]) -> Option<&str> {
    let (_, statement) = answer.first()?.split_once(" : ")?;
    Some(statement.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_symbol_is_left_out_for_another() {
        let about = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<String>>();
        let found = [about(&["both", "add_1", "add_02"]), about(&["both", "mul_1", "mul_02", "mul_003"])];
        assert_eq!(in_turn(&found, 3), ["both", "add_1", "mul_1"]);
        assert_eq!(in_turn(&found, 9), ["both", "add_1", "mul_1", "add_02", "mul_02", "mul_003"]);
    }
}
