//! Relevant lemmas of the theorem's header.
//!
//! Relevance is the cosine similarity between the weighted words of a statement and those of the goal, with higher
//! weights for rare words, as in document retrieval (Salton and Buckley 1988, "Term-weighting approaches in automatic
//! text retrieval").

use std::collections::{BTreeSet, HashMap};

use andor_core::goal::Goal;

use super::header::{Lemma, is_word};
use super::shape::{Shape, is_statement, shape};
use super::{Proposals, Situation};

/// Maximum number of proposed lemmas.
const MOST: usize = 8;
/// How many of the most relevant are also passed to automation and used forward.
const MOST_TOGETHER: usize = 3;

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    if matches!(s.goal.target.expr.as_ref().map(shape), Some(Shape::Pi { .. } | Shape::Let)) {
        return;
    }
    let relevant = relevant(s.goal, &s.header.lemmas, MOST);
    for (rank, lemma) in relevant.iter().enumerate() {
        let (name, later) = (&lemma.name, 0.2 * rank as f64);
        let rewrites = [" = ", "<->", " == "].iter().any(|sign| lemma.statement.contains(sign));
        out.add(-1.2 - later, format!("now apply {name}"));
        if rewrites {
            out.add(-1.25 - later, format!("now rewrite {name}"));
            out.add(-1.6 - later, format!("now rewrite <- {name}"));
        }
        out.add(-1.6 - later, format!("apply {name}"));
        out.add(-2.3 - later, format!("eapply {name}; eauto"));
        if rewrites {
            out.add(-1.7 - later, format!("rewrite {name}"));
            out.add(-2.7 - later, format!("rewrite <- {name}"));
        }
        if rank < MOST_TOGETHER {
            for hypothesis in s.goal.hypotheses.iter().filter(|h| is_statement(h)).take(3) {
                let place = &hypothesis.names[0];
                out.add(-2.9 - later, format!("apply {name} in {place}"));
                if rewrites {
                    out.add(-3.0 - later, format!("rewrite {name} in {place}"));
                }
            }
        }
    }
    let names: Vec<&str> = relevant.iter().take(MOST_TOGETHER).map(|l| l.name.as_str()).collect();
    if !names.is_empty() {
        out.add(-2.0, format!("eauto using {}", names.join(", ")));
        out.add(-3.3, format!("intuition eauto using {}", names.join(", ")));
    }
    // Several rewriting steps at once, each limited to one, since some equations could loop.
    let equations = relevant.iter().filter(|l| l.statement.contains(" = ")).take(4);
    let steps: Vec<String> = equations.map(|l| format!("try rewrite {}", l.name)).collect();
    if steps.len() > 1 {
        out.add(-2.2, format!("{}; auto; try lia", steps.join("; ")));
    }
}

/// The lemmas most similar to the goal's target, most relevant first; among equals the one stated last.
pub(super) fn relevant<'a>(goal: &Goal, lemmas: &'a [Lemma], most: usize) -> Vec<&'a Lemma> {
    let all_tokens: Vec<BTreeSet<&str>> = lemmas.iter().map(|l| tokens(&l.statement).collect()).collect();
    let mut frequency: HashMap<&str, usize> = HashMap::new();
    for token in all_tokens.iter().flatten() {
        *frequency.entry(token).or_default() += 1;
    }
    let n_lemmas = lemmas.len() as f64;
    let weight =
        |token: &str| frequency.get(token).map_or(0.0, |&n| (1.0 + n_lemmas / n as f64).ln().powi(2));
    let locals: BTreeSet<&str> = goal.locals().map(|(name, _)| name).collect();
    let mut wanted: BTreeSet<&str> = tokens(&goal.target.text).collect();
    wanted.retain(|token| !locals.contains(token));
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (place, tokens) in all_tokens.iter().enumerate() {
        let common: f64 = tokens.intersection(&wanted).map(|t| weight(t)).sum();
        let length = tokens.iter().map(|t| weight(t)).sum::<f64>().sqrt();
        if common > 0.0 {
            scored.push((common / length, place));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    scored.into_iter().take(most).map(|(_, place)| &lemmas[place]).collect()
}

/// The words and symbols of a statement, without single letters, which are variables, and without symbols of nearly
/// all statements.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    const COMMON: &[&str] = &["forall", "->", "Type", "Prop", "Set", "fun", "=>", "in", "let"];
    let is_symbol = |c: char| !is_word(c) && !c.is_whitespace() && !"(){}[],:;.\"".contains(c);
    let mut rest = text;
    let all = std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !is_word(c) && !is_symbol(c));
        let first = rest.chars().next()?;
        let same = move |c: char| if is_word(first) { is_word(c) } else { is_symbol(c) };
        let end = rest.find(|c: char| !same(c)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    });
    let is_variable = |token: &str| {
        let mut chars = token.chars();
        chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_ascii_digit() || c == '\'')
    };
    all.filter(move |token| !COMMON.contains(token) && !is_variable(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_of_a_statement_are_its_words_and_symbols_without_variables() {
        let found: Vec<&str> = tokens("l x' : forall x:nat, le x' 0 -> l ++ nil <= x").collect();
        assert_eq!(found, ["nat", "le", "0", "++", "nil", "<="]);
    }
}
