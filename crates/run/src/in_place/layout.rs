//! Where a proof goes in its file, and how it is laid out there.

mod lean;
mod rocq;

use andor_system_rocq::ROCQ;
use std::ops::Range;

use andor_core::theorem::{ExtraImport, System};
use andor_dataset::SourcePlace;
use andor_engine::written::{Fill, WrittenProof};
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
    let is_rocq = system == ROCQ;
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

/// Whether a piece of a file that stands for a proof has more than what leaves it open: steps or comments of its author.
pub(super) fn has_content(text: &str, system: System) -> bool {
    let (outline, comments) = match system {
        _ if system == ROCQ => (andor_system_rocq::outline::outline(text), ["(*", "(*"]),
        _ => (andor_lean_language::outline::outline(text), ["--", "/-"]),
    };
    outline.has_tactics() || outline.unread.is_some() || comments.iter().any(|begin| text.contains(begin))
}

/// The proofs of each hole, in the order of the file, those at the end last.
fn by_gap(fills: &[Fill]) -> Vec<(Option<Gap>, Vec<&str>)> {
    let mut found: Vec<(Option<Gap>, Vec<&str>)> = Vec::new();
    for Fill { gap, script } in fills {
        match found.iter_mut().find(|(other, _)| other == gap) {
            Some((_, scripts)) => scripts.push(script),
            None => found.push((*gap, vec![script])),
        }
    }
    found.sort_by_key(|(gap, _)| (gap.is_none(), *gap));
    found
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
