//! Pieces of files replaced, everything else byte for byte as it was.

use andor_env::in_place::{Edit, replaced};

const BYTE_ORDER_MARK: &str = "\u{feff}";

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
