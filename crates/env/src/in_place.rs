//! A text file with pieces replaced, everything else byte for byte as it was.

use std::ops::Range;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A piece of a text, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The bytes, in the text with `\n` line ends.
    pub(super) range: Range<usize>,
    /// What takes their place, with `\n` line ends.
    pub(super) text: String,
}

impl Edit {
    /// The same for a text that begins at a byte of the other.
    pub(super) fn within(&self, start: usize) -> Self {
        let at = |byte: usize| byte.saturating_sub(start);
        Self { range: at(self.range.start)..at(self.range.end), text: self.text.clone() }
    }
}

/// Whether two of these edits change the same bytes.
pub(super) fn overlap(edits: &[Edit]) -> bool {
    let mut ranges: Vec<(usize, usize)> =
        edits.iter().map(|edit| (edit.range.start, edit.range.end)).collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

/// The text with pieces replaced. An edit that [overlaps](overlap) one before it, or is not in the text, is left out.
pub(super) fn replaced(text: &str, edits: &[Edit]) -> String {
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

/// The content of a file whose text, without a byte order mark and with `\n` line ends, has pieces replaced. New lines end
/// as most others in the file do.
pub(super) fn replaced_in_file(content: &str, edits: &[Edit]) -> String {
    let (mark, rest) = match content.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", content),
    };
    // Where the line ends with a return stand in the other text.
    let returns = rest.match_indices("\r\n").enumerate().map(|(before, (at, _))| at - before);
    let returns: Vec<usize> = returns.collect();
    let place = |at: usize| at + returns.partition_point(|&line_end| line_end < at);
    let ends_in_returns = 2 * returns.len() > rest.matches('\n').count();
    let edit = |edit: &Edit| {
        let text = if ends_in_returns { edit.text.replace('\n', "\r\n") } else { edit.text.clone() };
        Edit { range: place(edit.range.start)..place(edit.range.end), text }
    };
    mark.to_owned() + &replaced(rest, &edits.iter().map(edit).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, piece: &str, by: &str) -> Edit {
        let start = text.find(piece).unwrap();
        Edit { range: start..start + piece.len(), text: by.to_owned() }
    }

    #[test]
    fn line_ends_and_the_byte_order_mark_stay() {
        let text = "é\n\tone\n\ntwo\nthree";
        let edits = [edit(text, "two", "2\n3"), edit(text, "one\n", "uno\n")];
        assert_eq!(replaced(text, &edits), "é\n\tuno\n\n2\n3\nthree");
        for (content, expected) in [
            ("é\r\n\tone\r\n\r\ntwo\r\nthree", "é\r\n\tuno\r\n\r\n2\r\n3\r\nthree"),
            ("\u{feff}é\n\tone\n\ntwo\nthree", "\u{feff}é\n\tuno\n\n2\n3\nthree"),
            ("é\r\n\tone\n\ntwo\r\nthree", "é\r\n\tuno\n\n2\n3\r\nthree"),
        ] {
            assert_eq!(replaced_in_file(content, &edits), expected, "{content:?}");
        }
    }

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

    #[test]
    fn any_piece_is_found_in_a_file_with_returns() {
        let content = "a\r\nb\r\n\r\nc\nd\r\n";
        let text = content.replace("\r\n", "\n");
        for start in 0..=text.len() {
            for end in start..=text.len() {
                let edits = [Edit { range: start..end, text: "X".to_owned() }];
                let found = replaced_in_file(content, &edits).replace("\r\n", "\n");
                assert_eq!(found, replaced(&text, &edits), "{start}..{end}");
            }
        }
    }
}
