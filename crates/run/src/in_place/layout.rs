//! Where a proof goes in its file, and how it is laid out there.

use std::ops::Range;

use andor_core::theorem::System;
use andor_dataset::SourcePlace;
use andor_engine::written::{Fill, WrittenProof};
use andor_env::lean::lexer::readable;
use andor_env::outline::Place;

use super::edit::Edit;

/// The ways to put a proof into the text of its file, the best first: only the holes of an unfinished proof are filled; or
/// the whole proof is replaced.
pub(super) fn ways(text: &str, place: &SourcePlace, proof: &WrittenProof, system: System) -> Vec<Vec<Edit>> {
    let (filled, whole) = match system {
        System::Rocq => (rocq::filled(text, place, proof), rocq::whole(place, proof)),
        System::Lean4 | System::Mini | System::Synthetic => {
            (lean::filled(text, place, proof), lean::whole(place, proof))
        }
    };
    filled.into_iter().chain([whole]).collect()
}

/// The byte of a place.
fn byte_of(text: &str, Place { line, column }: Place) -> Option<usize> {
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
    use super::*;

    pub(super) fn filled(text: &str, place: &SourcePlace, proof: &WrittenProof) -> Option<Vec<Edit>> {
        let Range { start, end } = place.proof.clone();
        let whole = [Fill { place: None, script: proof.whole.clone() }];
        let fills = match &proof.fills {
            Some(fills) => &fills[..],
            None if !has_tactics(&text[start..end]) => &whole,
            None => return None,
        };
        let mut imports = &proof.imports[..];
        let mut edits = Vec::new();
        let mut last = String::new();
        for Fill { place, script } in fills {
            let script = with_imports(std::mem::take(&mut imports), script);
            match place {
                Some(place) => {
                    let at = byte_of(text, *place)?;
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
        edits.push(ended(text, start..end, &last));
        Some(edits)
    }

    /// The tactics behind the imports that they need.
    fn with_imports(imports: &[String], script: &str) -> String {
        imports.iter().map(String::as_str).chain(lines(script)).map(|line| format!("{line}\n")).collect()
    }

    /// Whether a proof has sentences beside its first and its last.
    fn has_tactics(proof: &str) -> bool {
        let words = proof.split_whitespace();
        words.into_iter().any(|word| !matches!(word, "Proof." | "Admitted." | "Abort."))
    }

    /// The end of a proof by `Qed`, with tactics before it.
    fn ended(text: &str, proof: Range<usize>, tactics: &str) -> Edit {
        let open = text[proof.clone()].trim_end();
        let end = ["Admitted.", "Abort."].iter().find_map(|end| open.strip_suffix(end));
        let is_closed = ["Qed.", "Defined.", "Save."].iter().any(|end| open.ends_with(end));
        let kept = end.unwrap_or(open).trim_end();
        let from = proof.start + kept.len();
        let mut written = String::new();
        if kept.trim().is_empty() {
            written += "\nProof.";
        }
        if !tactics.is_empty() {
            written += &format!("\n  {}", laid_out(tactics, "  "));
        }
        let indent: String =
            before(text, proof.start + open.len()).chars().take_while(|c| c.is_whitespace()).collect();
        match is_closed {
            true => Edit { range: from..from, text: String::new() },
            false => Edit { range: from..proof.start + open.len(), text: format!("{written}\n{indent}Qed.") },
        }
    }

    pub(super) fn whole(place: &SourcePlace, proof: &WrittenProof) -> Vec<Edit> {
        let tactics = with_imports(&proof.imports, &proof.whole);
        let text = format!("\nProof.\n  {}\nQed.", laid_out(&tactics, "  "));
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
                    Some(vec![fill(text, start + hole.start, "sorry".len(), &proof.whole)])
                }
                _ => None,
            };
        };
        let edit = |Fill { place, script }: &Fill| {
            let at = byte_of(text, (*place)?)?;
            let length = ["sorry", "admit", "?_"].iter().find(|hole| text[at..].starts_with(**hole))?.len();
            Some(fill(text, at, length, script))
        };
        fills.iter().map(edit).collect()
    }

    fn is_hole_or_opening(word: &str) -> bool {
        matches!(word, "sorry" | "by" | ":=" | ":" | "=")
    }

    /// A hole that is filled: a tactic, or a term behind `:=`. Several tactics behind a word that opens a block get lines of
    /// their own.
    fn fill(text: &str, at: usize, length: usize, script: &str) -> Edit {
        let line = before(text, at);
        let column = line.chars().count();
        let above = text[..at].trim_end();
        let is_term = above.ends_with(":=");
        let opens = !line.trim().is_empty() && ["by", "=>", ":="].iter().any(|word| above.ends_with(word));
        let bullets = |c: char| c.is_whitespace() || matches!(c, '·' | '.' | '{' | '⟨');
        let block = if line.trim().is_empty() {
            column
        } else {
            column - line.trim_start_matches(bullets).chars().count() + 2
        };
        let indent = " ".repeat(if opens || is_term { block } else { column });
        let laid_out = laid_out(script, &indent);
        if lines(script).len() == 1 {
            let by = if is_term { "by " } else { "" };
            return Edit { range: at..at + length, text: format!("{by}{laid_out}") };
        }
        if !opens && !is_term {
            return Edit { range: at..at + length, text: laid_out };
        }
        // No blank is left at the end of the line.
        let by = if is_term { " by" } else { "" };
        Edit { range: above.len()..at + length, text: format!("{by}\n{indent}{laid_out}") }
    }

    pub(super) fn whole(place: &SourcePlace, proof: &WrittenProof) -> Vec<Edit> {
        let text = format!(" := by\n  {}", laid_out(&proof.whole, "  "));
        // A blank before the old proof would be one too many.
        vec![Edit { range: place.proof.clone(), text }]
    }
}
