//! Where a proof goes in its file, and how it is laid out there.

use std::collections::BTreeSet;
use std::ops::Range;

use andor_core::theorem::{ExtraImport, System};
use andor_dataset::SourcePlace;
use andor_engine::written::{Fill, WrittenProof};
use andor_env::lean::lexer::readable;
use andor_env::outline::{Gap, Place};

use super::edit::{Edit, replaced};

/// A way to put a proof into a file.
pub(super) struct Way {
    /// The edits.
    pub(super) edits: Vec<Edit>,
    /// Whether the whole proof is replaced.
    pub(super) is_whole: bool,
    /// The imports that are put at the top of the file, and where.
    pub(super) imports: Option<Edit>,
    /// What to do to the file without the proof to see whether its imports change anything in it: those in a proof hold on
    /// behind it, too.
    pub(super) effect: Option<Edit>,
}

/// The ways to put a proof into the text of its file, the best first: only the holes of an unfinished proof are filled, or
/// the whole proof is replaced; each without imports, because the file may have them, with those at the top of the file, and
/// with them in the proof.
pub(super) fn ways(text: &str, place: &SourcePlace, proof: &WrittenProof, system: System) -> Vec<Way> {
    let without = WrittenProof { imports: Vec::new(), ..proof.clone() };
    let is_rocq = system == System::Rocq;
    let imports: Vec<String> = proof.imports.iter().map(|import| import.line.clone()).collect();
    let ways = |is_whole: bool, proof: &WrittenProof, is_at_top: bool| {
        let edits = match (is_whole, is_rocq) {
            (false, true) => rocq::filled(text, place, proof)?,
            (false, false) => lean::filled(text, place, proof)?,
            (true, true) => rocq::whole(text, place, proof),
            (true, false) => lean::whole(text, place, proof),
        };
        let has_imports = is_rocq && !imports.is_empty();
        let at_top = (has_imports && is_at_top).then(|| rocq::at_top(text, &imports));
        let in_proof = has_imports && !is_at_top && !proof.imports.is_empty();
        let in_proof = in_proof.then(|| rocq::behind_statement(place, &imports));
        Some(Way { edits, is_whole, imports: at_top.clone(), effect: at_top.or(in_proof) })
    };
    let all = [false, true].into_iter().flat_map(|is_whole| match imports.is_empty() {
        true => vec![ways(is_whole, proof, false)],
        false => {
            let at_top = is_rocq.then(|| ways(is_whole, &without, true)).flatten();
            vec![ways(is_whole, &without, false), at_top, ways(is_whole, proof, false)]
        }
    });
    all.flatten().collect()
}

/// The indentation of the line of a byte.
fn indent(text: &str, at: usize) -> String {
    let start = at - before(text, at).len();
    text[start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

/// The byte of a place.
pub(super) fn byte_of(text: &str, Place { line, column }: Place) -> Option<usize> {
    let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let of_line = text.get(start..)?.split('\n').next()?;
    let within = of_line.char_indices().map(|(at, _)| at).chain([of_line.len()]).nth(column - 1)?;
    Some(start + within)
}

/// The lines of a script, with the least indentation of all taken away from each.
fn lines(script: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = script.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let least = lines.clone().map(indent).min().unwrap_or_default();
    lines.map(|line| &line[least..]).collect()
}

/// The script with each line but the first behind an indentation.
fn laid_out(script: &str, indent: &str) -> String {
    lines(script).join(&format!("\n{indent}"))
}

/// The text of the line before a byte.
fn before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    &text[start..at]
}

mod rocq {
    use andor_env::outline::{Block, Item, Pick, Tactic, Targets, What};
    use andor_env::rocq::outline::outline;
    use andor_env::rocq::sentence::{Sentence, bullet, split};

    use super::*;

    pub(super) fn filled(text: &str, place: &SourcePlace, proof: &WrittenProof) -> Option<Vec<Edit>> {
        let Range { start, end } = place.proof.clone();
        let mut fills = match &proof.fills {
            Some(fills) => fills.clone(),
            None => vec![Fill { gap: only_hole(text, start..end)?, script: proof.whole.clone() }],
        };
        // The first in the file has the imports, if it is a tactic of its own.
        fills.sort_by_key(|fill| (fill.gap.is_none(), fill.gap));
        let mut imports = &proof.imports[..];
        let mut edits = Vec::new();
        let mut last = String::new();
        let taken = bullets(&text[start..end]);
        for Fill { gap, script } in fills {
            if let Some(Gap { place, is_inside: true }) = gap {
                if !imports.is_empty() {
                    return None;
                }
                let at = byte_of(text, place)?;
                let length = ["admit", "give_up"].iter().find(|hole| text[at..].starts_with(**hole))?.len();
                edits.push(Edit { range: at..at + length, text: joined(&outline(&script).block)? });
                continue;
            }
            let script = with_imports(std::mem::take(&mut imports), &rebulleted(&script, &taken));
            match gap {
                Some(Gap { place, .. }) => {
                    let at = byte_of(text, place)?;
                    let length =
                        ["admit.", "give_up."].iter().find(|hole| text[at..].starts_with(**hole))?.len();
                    let line = before(text, at);
                    let is_bullet = |c: char| matches!(c, ' ' | '\t' | '-' | '+' | '*' | '{');
                    let indent = line.len() - line.trim_start_matches(is_bullet).len();
                    let indent: String =
                        line[..indent].chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
                    edits.push(Edit { range: at..at + length, text: laid_out(&script, &indent) });
                }
                None if last.is_empty() => last = script,
                None => return None,
            }
        }
        edits.push(ended(text, place, &last));
        // An `admit` for which no goal is left, as behind `Unshelve`, would stay.
        let of_proof = edits.iter().map(|edit| edit.within(start));
        let filled = replaced(&text[start..end], &of_proof.collect::<Vec<_>>());
        (!outline(&filled).has_holes()).then_some(edits)
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
    pub(super) fn behind_statement(place: &SourcePlace, lines: &[String]) -> Edit {
        let start = place.proof.start;
        Edit { range: start..start, text: format!("\n{}\n", lines.join("\n")) }
    }

    /// The bullets in a proof.
    fn bullets(proof: &str) -> BTreeSet<&str> {
        let is_bullet = |text: &&str| text.chars().all(|c| matches!(c, '-' | '+' | '*'));
        split(proof).unwrap_or_default().into_iter().map(|sentence| sentence.text).filter(is_bullet).collect()
    }

    /// A script with other bullets than those taken, since a bullet within one of its kind would end it.
    fn rebulleted(script: &str, taken: &BTreeSet<&str>) -> String {
        let own: Vec<String> = (0..).map(bullet).take(bullets(script).len()).collect();
        let free: Vec<String> =
            (0..).map(bullet).filter(|bullet| !taken.contains(bullet.as_str())).take(own.len()).collect();
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
        let holes = || outline.block.iter().filter(|item| matches!(item.what, What::Hole { .. }));
        match holes().count() {
            _ if outline.has_tactics() => None,
            0 => Some(None),
            1 => {
                let line = text[..proof.start].matches('\n').count() + 1;
                let column = before(text, proof.start).chars().count() + 1;
                let place = |hole: &Item| hole.place.within(Place { line, column });
                holes().next().map(|hole| Some(Gap { place: place(hole), is_inside: false }))
            }
            _ => None,
        }
    }

    /// Whether a statement ends by opening its proof, as with `Proof using x.`
    fn opens(statement: &str) -> bool {
        split(statement).unwrap_or_default().iter().any(|sentence| sentence.text.starts_with("Proof"))
    }

    /// The end of a proof by `Qed`, with tactics before it.
    fn ended(text: &str, place: &SourcePlace, tactics: &str) -> Edit {
        let proof = place.proof.clone();
        let open = text[proof.clone()].trim_end();
        let end = ["Admitted.", "Abort."].iter().find(|end| open.ends_with(**end));
        let kept = open[..open.len() - end.map_or(0, |end| end.len())].trim_end();
        let to = proof.start + open.len();
        if ["Qed.", "Defined.", "Save."].iter().any(|end| open.ends_with(end)) {
            return Edit { range: to..to, text: String::new() };
        }
        if let (true, Some(end)) = (tactics.is_empty(), end) {
            return Edit { range: to - end.len()..to, text: "Qed.".to_owned() };
        }
        let indent = indent(text, place.statement.start);
        let is_opened = !kept.trim().is_empty() || opens(&text[place.statement.clone()]);
        let opening = if is_opened { String::new() } else { format!("\n{indent}Proof.") };
        let inner = format!("{indent}  ");
        let tactics = match tactics {
            "" => String::new(),
            tactics => format!("\n{inner}{}", laid_out(tactics, &inner)),
        };
        let from = proof.start + kept.len();
        Edit { range: from..to, text: format!("{opening}{tactics}\n{indent}Qed.") }
    }

    pub(super) fn whole(text: &str, place: &SourcePlace, proof: &WrittenProof) -> Vec<Edit> {
        let tactics = with_imports(&proof.imports, &proof.whole);
        let indent = indent(text, place.statement.start);
        let is_opened = opens(&text[place.statement.clone()]);
        let opening = if is_opened { String::new() } else { format!("\n{indent}Proof.") };
        let inner = format!("{indent}  ");
        let text = format!("{opening}\n{inner}{}\n{indent}Qed.", laid_out(&tactics, &inner));
        vec![Edit { range: place.proof.clone(), text }]
    }
}

mod lean {
    use super::*;

    pub(super) fn filled(text: &str, place: &SourcePlace, proof: &WrittenProof) -> Option<Vec<Edit>> {
        let Range { start, end } = place.proof.clone();
        let Some(fills) = &proof.fills else {
            // Without a tactic of its own, its only hole is the proof.
            let tokens = readable(&text[start..end]).0;
            let mut holes = tokens.iter().filter(|token| token.is_word("sorry"));
            return match (holes.next(), holes.next()) {
                (Some(hole), None) if tokens.iter().all(|t| is_hole_or_opening(t.text)) => {
                    Some(vec![fill(text, start + hole.start..start + hole.end(), &proof.whole, false)])
                }
                _ => None,
            };
        };
        let edit = |Fill { gap, script }: &Fill| {
            let Gap { place, is_inside } = (*gap)?;
            let at = byte_of(text, place)?;
            Some(fill(text, at..at + hole(&text[at..])?, script, is_inside))
        };
        fills.iter().map(edit).collect()
    }

    /// The length of the hole that a text begins with, which may be `exact sorry`.
    fn hole(text: &str) -> Option<usize> {
        let word = ["exact", "refine", "apply"].iter().find_map(|word| text.strip_prefix(word));
        let hole = word.unwrap_or(text).trim_start();
        let word = ["sorry", "admit", "?_"].iter().find(|word| hole.starts_with(**word))?;
        Some(text.len() - hole.len() + word.len())
    }

    fn is_hole_or_opening(word: &str) -> bool {
        matches!(word, "sorry" | "by" | ":=" | ":" | "=")
    }

    /// A hole that is filled: a tactic, or a term. Several tactics behind a word that opens a block get lines of their own.
    fn fill(text: &str, hole: Range<usize>, script: &str, is_inside: bool) -> Edit {
        let line = before(text, hole.start);
        let column = line.chars().count();
        let above = text[..hole.start].trim_end();
        let ends_in = |words: &[&str]| words.iter().any(|word| above.ends_with(word));
        let is_term = is_inside || above.ends_with(":=");
        let is_whole_term = is_term && ends_in(&[":=", "from"]);
        let opens = !line.trim().is_empty() && ends_in(&["by", "=>", ":=", "from"]);
        let bullets = |c: char| c.is_whitespace() || matches!(c, '·' | '.' | '{' | '⟨');
        let block = if line.trim().is_empty() {
            column
        } else {
            column - line.trim_start_matches(bullets).chars().count() + 2
        };
        let indent = " ".repeat(if opens || is_term { block } else { column });
        let laid_out = laid_out(script, &indent);
        let is_one = lines(script).len() == 1;
        if is_term && !is_whole_term {
            // Other terms of the same brackets may follow.
            let is_alone =
                above.ends_with(['⟨', '(', ',']) && text[hole.end..].trim_start().starts_with(['⟩', ')']);
            let by = if is_one { format!("by {laid_out}") } else { format!("by\n{indent}{laid_out}") };
            return Edit { range: hole, text: if is_alone { by } else { format!("({by})") } };
        }
        if is_one {
            let by = if is_term { "by " } else { "" };
            return Edit { range: hole, text: format!("{by}{laid_out}") };
        }
        if !opens && !is_term {
            return Edit { range: hole, text: laid_out };
        }
        // No blank is left at the end of the line.
        let by = if is_term { " by" } else { "" };
        Edit { range: above.len()..hole.end, text: format!("{by}\n{indent}{laid_out}") }
    }

    pub(super) fn whole(text: &str, place: &SourcePlace, proof: &WrittenProof) -> Vec<Edit> {
        let blank = if text[..place.proof.start].ends_with(char::is_whitespace) { "" } else { " " };
        let text = format!("{blank}:= by\n  {}", laid_out(&proof.whole, "  "));
        vec![Edit { range: place.proof.clone(), text }]
    }
}
