//! Finished proofs in the files that state their theorems: what a reader of sources ([`crate::source::Source`]) needs to place them.

use std::ops::Range;

use andor_core::theorem::ExtraImport;

use crate::outline::{Gap, Place};

/// A proof as text for a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenProof {
    /// Imports that its tactics need.
    pub imports: Vec<ExtraImport>,
    /// All tactics.
    pub whole: String,
    /// If the theorem's own unfinished proof holds: what fills the holes that it leaves.
    pub fills: Option<Vec<Fill>>,
}

/// The proof of a goal that an unfinished proof leaves open. One hole may leave several goals open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fill {
    /// Where the hole is in the file; `None` if the goal is left open at the end.
    pub gap: Option<Gap>,
    /// The tactics.
    pub script: String,
}

/// Where a theorem is in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The bytes of its statement.
    pub statement: Range<usize>,
    /// The bytes that stand for its proof, up to the end of its command.
    pub proof: Range<usize>,
}

/// A piece of a text, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes, in the text with `\n` line ends.
    pub range: Range<usize>,
    /// What takes their place, with `\n` line ends.
    pub text: String,
}

impl Edit {
    /// The same for a text that begins at a byte of the other.
    #[must_use]
    pub fn within(&self, start: usize) -> Self {
        let at = |byte: usize| byte.saturating_sub(start);
        Self { range: at(self.range.start)..at(self.range.end), text: self.text.clone() }
    }
}

/// Whether two of these edits change the same bytes.
pub fn overlap(edits: &[Edit]) -> bool {
    let mut ranges: Vec<(usize, usize)> =
        edits.iter().map(|edit| (edit.range.start, edit.range.end)).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

/// The text with pieces replaced. An edit that [overlaps](overlap) one before it, or is not in the text, is left out.
pub fn replaced(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut result, mut at) = (String::new(), 0);
    for edit in sorted {
        let Some(kept) = text.get(at..edit.range.start).filter(|_| text.is_char_boundary(edit.range.end))
        else {
            continue;
        };
        result += kept;
        result += &edit.text;
        at = edit.range.end;
    }
    result + text.get(at..).unwrap_or_default()
}

/// The proofs of each hole, in the order of the file, those at the end last.
pub fn by_gap(fills: &[Fill]) -> Vec<(Option<Gap>, Vec<&str>)> {
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
pub fn indent(text: &str, at: usize) -> String {
    let start = at - before(text, at).len();
    text[start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

/// The byte of a place.
pub fn byte_of(text: &str, Place { line, column }: Place) -> Option<usize> {
    let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let of_line = text.get(start..)?.split('\n').next()?;
    let within = of_line.char_indices().map(|(at, _)| at).chain([of_line.len()]).nth(column - 1)?;
    Some(start + within)
}

/// The lines of a script, with the least indentation of all taken away from each.
pub fn lines(script: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines = script.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let least = lines.clone().map(indent).min().unwrap_or_default();
    lines.map(|line| &line[least..]).collect()
}

/// The script with each line but the first behind an indentation.
pub fn laid_out(script: &str, indent: &str) -> String {
    lines(script).join(&format!("\n{indent}"))
}

/// The text of the line before a byte.
pub fn before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    &text[start..at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_overlap_are_seen_and_do_no_harm() {
        let edit = |start: usize, end: usize| Edit { range: start..end, text: "X".to_owned() };
        for (edits, expected, is_apart) in [
            (vec![edit(1, 3), edit(1, 3)], "aXde", false),
            (vec![edit(1, 3), edit(2, 4)], "aXde", false),
            (vec![edit(3, 4), edit(1, 3)], "aXXe", true),
            (vec![edit(2, 2), edit(2, 3)], "abXXde", true),
            (vec![edit(4, 9)], "abcde", true),
        ] {
            assert_eq!(replaced("abcde", &edits), expected, "{edits:?}");
            assert_eq!(overlap(&edits), !is_apart, "{edits:?}");
        }
        assert_eq!(replaced("aé", &[edit(0, 2)]), "aé");
    }
}
