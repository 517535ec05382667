//! Proofs of Rocq in their files.

use std::collections::BTreeSet;
use std::ops::Range;

use andor_core::theorem::{ExtraImport, Theorem};
use andor_env::in_place::{
    Edit, Span, WrittenProof, before, by_gap, byte_of, indent, laid_out, lines, replaced,
};
use andor_env::outline::{Block, Gap, Pick, Place, Tactic, Targets, What};

use crate::checker::RocqChecker;
use crate::outline::outline;
use crate::sentence::{Sentence, bullet, split};

pub(super) fn filled(text: &str, place: &Span, proof: &WrittenProof) -> Option<Vec<Edit>> {
    let Range { start, end } = place.proof.clone();
    let fills = match &proof.fills {
        Some(fills) => by_gap(fills),
        None => vec![(only_hole(text, start..end)?, vec![proof.whole.as_str()])],
    };
    // The first in the file has the imports, if it is a tactic of its own.
    let mut imports = &proof.imports[..];
    let mut edits = Vec::new();
    let mut last = String::new();
    let taken = bullets(&text[start..end]);
    for (gap, scripts) in fills {
        match (gap, &scripts[..]) {
            (Some(Gap { place, is_inside: false }), [script]) => {
                let script = with_imports(std::mem::take(&mut imports), &rebulleted(script, &taken));
                edits.extend(sentences(text, byte_of(text, place)?..end, &script)?);
            }
            (Some(Gap { place, .. }), scripts) if imports.is_empty() => {
                let at = byte_of(text, place)?;
                let tactics = scripts.iter().map(|script| joined(&outline(script).block));
                let text_there = one_of(&tactics.collect::<Option<Vec<_>>>()?);
                edits.push(Edit { range: at..at + hole(&text[at..])?, text: text_there });
            }
            (None, [script]) => {
                last = with_imports(std::mem::take(&mut imports), &rebulleted(script, &taken));
            }
            (None, scripts) => {
                last = with_imports(std::mem::take(&mut imports), &bulleted(scripts, &taken));
            }
            _ => return None,
        }
    }
    edits.push(ended(text, place, &last));
    // An `admit` for which no goal is left, as behind `Unshelve`, would stay.
    let of_proof = edits.iter().map(|edit| edit.within(start));
    let filled = replaced(&text[start..end], &of_proof.collect::<Vec<_>>());
    (!outline(&filled).has_holes()).then_some(edits)
}

/// The length of the word that a text begins with, if that gives up a goal.
fn hole(text: &str) -> Option<usize> {
    ["admit", "give_up"].iter().find(|word| text.starts_with(**word)).map(|word| word.len())
}

/// Sentences in the place of one that only gives up a goal. What stands before its period stays.
fn sentences(text: &str, range: Range<usize>, script: &str) -> Option<Vec<Edit>> {
    let at = range.start;
    let word = at..at + hole(&text[range.clone()])?;
    let sentence = split(&text[range]).ok()?.first()?.text;
    let line = before(text, at);
    let is_bullet = |c: char| matches!(c, ' ' | '\t' | '-' | '+' | '*' | '{');
    let indent = line.len() - line.trim_start_matches(is_bullet).len();
    let indent: String = line[..indent].chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    let script = laid_out(script, &indent);
    if let Some(body) = script.strip_suffix('.').filter(|body| !body.ends_with('.')) {
        return Some(vec![Edit { range: word, text: body.to_owned() }]);
    }
    // It has a period of its own, or ends in a brace.
    let period = at + sentence.trim_end_matches('.').len()..at + sentence.len();
    Some(vec![Edit { range: word, text: script }, Edit { range: period, text: String::new() }])
}

/// A tactic that proves each of several goals, which may be their own.
fn one_of(tactics: &[String]) -> String {
    let mut each: Vec<&str> = Vec::new();
    for tactic in tactics {
        if !each.contains(&tactic.as_str()) {
            each.push(tactic);
        }
    }
    match each[..] {
        [only] => only.to_owned(),
        _ => format!("solve [ {} ]", each.join(" | ")),
    }
}

/// The proofs of several goals, each behind a bullet that is not taken.
fn bulleted(scripts: &[&str], taken: &BTreeSet<String>) -> String {
    let own = (0..).map(bullet).find(|bullet| !taken.contains(bullet)).unwrap_or_default();
    let mut taken = taken.clone();
    taken.insert(own.clone());
    let indent = " ".repeat(own.len() + 1);
    let behind = |script: &&str| format!("{own} {}", laid_out(&rebulleted(script, &taken), &indent));
    scripts.iter().map(behind).collect::<Vec<_>>().join("\n")
}

/// A script as one tactic, in parentheses if it joins several: `(a; [b | c])`. `None` if it cannot be one.
fn joined(block: &Block) -> Option<String> {
    let (mut tactics, mut proofs) = (Vec::new(), Vec::new());
    for item in block {
        match &item.what {
            What::Tactic(Tactic { text, on: Targets::First, parts: None }) if proofs.is_empty() => {
                tactics.push(text.clone());
            }
            What::Focus(Pick::First, block) => proofs.push(joined(block)?),
            _ => return None,
        }
    }
    if !proofs.is_empty() {
        tactics.push(format!("[ {} ]", proofs.join(" | ")));
    }
    let text = tactics.join("; ");
    Some(if text.contains(';') { format!("({text})") } else { text })
}

/// The tactics behind the imports that they need.
fn with_imports(imports: &[ExtraImport], script: &str) -> String {
    imports
        .iter()
        .map(|import| import.line.as_str())
        .chain(lines(script))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Lines of imports behind those that a file begins with.
pub(super) fn at_top(text: &str, lines: &[String]) -> Edit {
    let sentences = split(text).unwrap_or_default();
    let is_import = |sentence: &&Sentence<'_>| {
        let words: Vec<&str> = sentence.text.split_whitespace().take(3).collect();
        matches!(words[..], ["Require", ..] | ["From", _, "Require"] | ["Import" | "Export", ..])
    };
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    match sentences.iter().take_while(is_import).last() {
        Some(last) => {
            let end = last.start + last.text.len();
            Edit { range: end..end, text: format!("\n{}", lines.trim_end()) }
        }
        None => {
            let start = sentences.first().map_or(0, |first| first.start);
            Edit { range: start..start, text: lines }
        }
    }
}

/// Lines of imports behind the statement of a theorem.
pub(super) fn behind_statement(place: &Span, lines: &[String]) -> Edit {
    let start = place.proof.start;
    Edit { range: start..start, text: format!("\n{}\n", lines.join("\n")) }
}

/// The bullets in a proof.
fn bullets(proof: &str) -> BTreeSet<String> {
    let is_bullet = |text: &str| text.chars().all(|c| matches!(c, '-' | '+' | '*'));
    let texts = split(proof).unwrap_or_default().into_iter().map(|sentence| sentence.text);
    texts.filter(|text| is_bullet(text)).map(str::to_owned).collect()
}

/// A script with other bullets than those taken, since a bullet within one of its kind would end it.
fn rebulleted(script: &str, taken: &BTreeSet<String>) -> String {
    let own: Vec<String> = (0..).map(bullet).take(bullets(script).len()).collect();
    let free: Vec<String> =
        (0..).map(bullet).filter(|bullet| !taken.contains(bullet)).take(own.len()).collect();
    let edit = |sentence: Sentence<'_>| {
        let level = own.iter().position(|bullet| bullet == sentence.text)?;
        let range = sentence.start..sentence.start + sentence.text.len();
        Some(Edit { range, text: free[level].clone() })
    };
    let edits: Vec<Edit> = split(script).unwrap_or_default().into_iter().filter_map(edit).collect();
    replaced(script, &edits)
}

/// Where the only hole of a proof without tactics is: at an `admit`, or at its end.
fn only_hole(text: &str, proof: Range<usize>) -> Option<Option<Gap>> {
    let outline = outline(&text[proof.clone()]);
    if outline.has_tactics() {
        return None;
    }
    let line = text[..proof.start].matches('\n').count() + 1;
    let column = before(text, proof.start).chars().count() + 1;
    let start = Place { line, column };
    match outline.holes()[..] {
        [] => Some(None),
        [Gap { place, is_inside }] => Some(Some(Gap { place: place.within(start), is_inside })),
        _ => None,
    }
}

/// Whether a statement ends by opening its proof, as with `Proof using x.`
fn opens(statement: &str) -> bool {
    split(statement).unwrap_or_default().iter().any(|sentence| sentence.text.starts_with("Proof"))
}

/// The end of a proof by `Qed`, with tactics before it. What stands before its period stays.
fn ended(text: &str, place: &Span, tactics: &str) -> Edit {
    let start = place.proof.start;
    let open = text[place.proof.clone()].trim_end();
    let sentences = split(open).unwrap_or_default();
    let word = |sentence: &&Sentence<'_>| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = sentence.text.find(|c: char| !is_word(c)).unwrap_or(sentence.text.len());
        sentence.start..sentence.start + length
    };
    let last = sentences.last().as_ref().map(word).unwrap_or(open.len()..open.len());
    if matches!(&open[last.clone()], "Qed" | "Defined" | "Save") {
        let to = start + open.len();
        return Edit { range: to..to, text: String::new() };
    }
    let (last, period) = match &open[last.clone()] {
        "Admitted" | "Abort" => (last, ""),
        _ => (open.len()..open.len(), "."),
    };
    if tactics.is_empty() && period.is_empty() {
        return Edit { range: start + last.start..start + last.end, text: "Qed".to_owned() };
    }
    let kept = open[..last.start].trim_end();
    let indent = indent(text, place.statement.start);
    let is_opened = !kept.trim().is_empty() || opens(&text[place.statement.clone()]);
    let opening = if is_opened { String::new() } else { format!("\n{indent}Proof.") };
    let inner = format!("{indent}  ");
    let tactics = match tactics {
        "" => String::new(),
        tactics => format!("\n{inner}{}", laid_out(tactics, &inner)),
    };
    let range = start + kept.len()..start + last.end;
    Edit { range, text: format!("{opening}{tactics}\n{indent}Qed{period}") }
}

pub(super) fn whole(text: &str, place: &Span, proof: &WrittenProof) -> Vec<Edit> {
    let tactics = with_imports(&proof.imports, &proof.whole);
    let indent = indent(text, place.statement.start);
    let is_opened = opens(&text[place.statement.clone()]);
    let opening = if is_opened { String::new() } else { format!("\n{indent}Proof.") };
    let inner = format!("{indent}  ");
    let text = format!("{opening}\n{inner}{}\n{indent}Qed.", laid_out(&tactics, &inner));
    vec![Edit { range: place.proof.clone(), text }]
}

/// Words that begin what is given a value rather than a proof, unless its type is a proposition.
const GIVEN_VALUES: &[&str] = &["Definition", "Fixpoint", "CoFixpoint", "Instance", "Let"];

/// Whether a name stands for a value, because its type is no proposition, in a text that ends with its proof.
pub(super) async fn is_value(checker: &RocqChecker, theorem: &Theorem, proved: &str) -> bool {
    let has_sort = async |proposition: &str, other: &str| {
        let test = format!(
            "Goal True.\nProof.\nlet type := type of (@{}) in let sort := type of type in \
             match sort with Prop => {proposition} | SProp => {proposition} | _ => {other} end.\nexact I.\nQed.\n",
            theorem.name
        );
        checker.has_all(proved, &format!("{proved}\n{test}")).await.ok().flatten() == Some(true)
    };
    // Another dialect of tactics may not read the question, so that the word decides.
    match theorem.statement.split_whitespace().any(|word| GIVEN_VALUES.contains(&word)) {
        true => !has_sort("idtac", "fail 1").await,
        false => has_sort("fail 1", "idtac").await,
    }
}

/// Whether a file with imports still declares all that it declares without them; if it does not compile, whether this holds of
/// the part above a theorem. The tactics that the imports bring must be new there.
pub(super) async fn is_harmless(
    checker: &RocqChecker,
    file: &[String; 2],
    above: &[String; 2],
    imports: &[ExtraImport],
) -> bool {
    let new = imports.iter().flat_map(|import| &import.provides).enumerate();
    let new: String = new.map(|(n, tactic)| format!("Fail Ltac andor_tactic_{n} := {tactic}.\n")).collect();
    if checker.has_all(&above[0], &format!("{}\n{new}", above[0])).await.ok().flatten() != Some(true) {
        return false;
    }
    for [without, with] in [file, above] {
        // That it cannot be told is reason enough.
        match checker.has_all(without, with).await {
            Ok(Some(same)) => return same,
            Ok(None) => {}
            Err(_) => return false,
        }
    }
    false
}
