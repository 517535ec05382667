//! Proofs in Lean's syntax in their files.

use std::ops::Range;

use andor_env::in_place::{Edit, Span, WrittenProof, before, by_gap, byte_of, laid_out, lines};
use andor_env::outline::{Gap, Place};

use crate::lexer::{Token, readable};
use crate::outline::outline;

/// Fills the holes of an unfinished proof ([`andor_env::source::Source::filled`]).
pub fn filled(text: &str, place: &Span, proof: &WrittenProof) -> Option<Vec<Edit>> {
    let Some(fills) = &proof.fills else {
        // Without a tactic of its own, its only hole is the proof.
        let Range { start, end } = place.proof.clone();
        let outline = outline(&text[start..end]);
        let [Gap { place: at, is_inside }] = outline.holes()[..] else { return None };
        let line = text[..start].matches('\n').count() + 1;
        let column = before(text, start).chars().count() + 1;
        let gap = Gap { place: at.within(Place { line, column }), is_inside };
        let is_all = !outline.has_tactics() && outline.unread.is_none();
        return is_all.then(|| fill(text, place, gap, &[&proof.whole])).flatten().map(|edit| vec![edit]);
    };
    by_gap(fills).into_iter().map(|(gap, scripts)| fill(text, place, gap?, &scripts)).collect()
}

/// Where the hole is that a text begins with, which may be `exact sorry`, and whether it is a term.
fn hole(text: &str) -> Option<(Range<usize>, bool)> {
    let tokens = readable(text).0;
    let is_hole = |token: &Token<'_>| ["sorry", "admit"].iter().any(|word| token.is_word(word));
    if text.starts_with("?_") {
        return Some((0..2, false));
    }
    let [first, rest @ ..] = &tokens[..] else { return None };
    if is_hole(first) {
        return Some((0..first.end(), false));
    }
    let is_use = ["exact", "refine", "apply"].iter().any(|word| first.is_word(word));
    let second = rest.first().filter(|_| is_use)?;
    let is_open = second.text == "?" && rest.get(1).is_some_and(|token| token.is_word("_"));
    let end = if is_open { second.end() + 1 } else { second.end() };
    // A comment between the two stays.
    let is_bare = text[first.end()..second.start].trim().is_empty();
    let found = if is_bare { (0..end, false) } else { (second.start..end, true) };
    (is_open || is_hole(second)).then_some(found)
}

/// The tactics that prove each of several goals, which may be their own, and whether these are several.
fn one_of(scripts: &[&str]) -> (String, bool) {
    let mut each: Vec<Vec<&str>> = Vec::new();
    for script in scripts.iter().map(|script| lines(script)) {
        if !each.contains(&script) {
            each.push(script);
        }
    }
    if let [only] = &each[..] {
        return (only.join("\n"), false);
    }
    if each.iter().all(|script| script.len() == 1) {
        return (format!("first | {}", each.concat().join(" | ")), true);
    }
    let mut text = "first".to_owned();
    for script in each {
        for (n, line) in script.iter().chain(&["done"]).enumerate() {
            text += if n == 0 { "\n  | " } else { "\n    " };
            text += line;
        }
    }
    (text, true)
}

/// Tactics behind which one tactic stands.
const ONE: &[&str] = &["<;>", "try", "all_goals", "any_goals"];

/// A hole that is filled: a tactic, or a term. Several tactics behind a word that opens a block get lines of their own.
fn fill(text: &str, place: &Span, gap: Gap, scripts: &[&str]) -> Option<Edit> {
    let at = byte_of(text, gap.place)?;
    let (hole, is_argument) = hole(text.get(at..place.proof.end)?)?;
    let hole = at + hole.start..at + hole.end;
    let (script, is_choice) = one_of(scripts);
    let line = before(text, hole.start);
    let column = line.chars().count();
    let above = text[..hole.start].trim_end();
    // What stands before it, without comments.
    let tokens = readable(text.get(place.proof.start..hole.start)?).0;
    let last = tokens.last().map_or("", |token| token.text);
    let is_term = gap.is_inside || is_argument || last == ":=";
    let is_whole_term = is_term && matches!(last, ":=" | "from");
    let opens =
        !line.trim().is_empty() && ["by", "=>", ":=", "from"].iter().any(|word| above.ends_with(word));
    let bullets = |c: char| c.is_whitespace() || matches!(c, '·' | '.' | '{' | '⟨');
    let block = if line.trim().is_empty() {
        column
    } else {
        column - line.trim_start_matches(bullets).chars().count() + 2
    };
    let is_one = lines(&script).len() == 1;
    if !is_term && (!is_one || is_choice) && ONE.contains(&last) {
        let laid_out = laid_out(&script, &" ".repeat(column + 1));
        return Some(Edit { range: hole, text: format!("({laid_out})") });
    }
    let indent = " ".repeat(if opens || is_term { block } else { column });
    let laid_out = laid_out(&script, &indent);
    if is_term && !is_whole_term {
        // Other terms of the same brackets may follow.
        let is_alone =
            matches!(last, "⟨" | "(" | ",") && text[hole.end..].trim_start().starts_with(['⟩', ')']);
        let by = if is_one { format!("by {laid_out}") } else { format!("by\n{indent}{laid_out}") };
        return Some(Edit { range: hole, text: if is_alone { by } else { format!("({by})") } });
    }
    if is_one {
        let by = if is_term { "by " } else { "" };
        return Some(Edit { range: hole, text: format!("{by}{laid_out}") });
    }
    if !opens && !is_term {
        return Some(Edit { range: hole, text: laid_out });
    }
    // No blank is left at the end of the line.
    let by = if is_term { " by" } else { "" };
    Some(Edit { range: above.len()..hole.end, text: format!("{by}\n{indent}{laid_out}") })
}

/// Replaces an unfinished proof ([`andor_env::source::Source::whole`]).
pub fn whole(text: &str, place: &Span, proof: &WrittenProof) -> Vec<Edit> {
    let blank = if text[..place.proof.start].ends_with(char::is_whitespace) { "" } else { " " };
    let text = format!("{blank}:= by\n  {}", laid_out(&proof.whole, "  "));
    vec![Edit { range: place.proof.clone(), text }]
}
