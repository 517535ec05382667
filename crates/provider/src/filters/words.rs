//! The words of a tactic, on which filters are based.

use andor_core::language::Strings;
use andor_core::theorem::System;

/// A part of a tactic.
enum Piece<'a> {
    /// A string, a character literal or a comment.
    Hidden,
    /// A run of word characters, and the text before it.
    Word { before: &'a str, word: &'a str },
    /// Any other character.
    Other(char),
}

/// Splits a tactic into pieces. An unclosed piece extends to the end of the text, which no assistant accepts.
fn pieces(system: System, text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (before, rest) = text.split_at(at);
        let first = rest.chars().next()?;
        let (length, piece) = if let Some(length) = hidden(system, rest) {
            (length, Piece::Hidden)
        } else if begins_word(first) {
            let word = &rest[..length(system, rest)];
            (word.len(), Piece::Word { before, word })
        } else {
            (first.len_utf8(), Piece::Other(first))
        };
        at += length;
        Some(piece)
    })
}

/// The runs of word characters in a tactic, outside strings and comments, without those that cannot be tactics in
/// their position: fields of a term (`(h x).symm`) and metavariables (`?left`).
///
/// A run includes dots between its parts, and marks such as `?` and `!`: `Nat.le_trans`, `h.1.symm`, `simp?`. It
/// may begin with a number, after which an assistant may read a word: `do 3lia`.
pub(super) fn words(system: System, text: &str) -> impl Iterator<Item = &str> {
    pieces(system, text).filter_map(move |piece| match piece {
        Piece::Word { before, word } if !is_part_of_term(system, before) => Some(word),
        _ => None,
    })
}

/// A tactic with each string, character literal and comment replaced by a space.
pub(super) fn bare(system: System, text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for piece in pieces(system, text) {
        match piece {
            Piece::Hidden => bare.push(' '),
            Piece::Word { word, .. } => bare.push_str(word),
            Piece::Other(c) => bare.push(c),
        }
    }
    bare
}

/// Whether a text is a single word that can begin a tactic.
pub fn is_word(text: &str) -> bool {
    let is_in_word = |c: char| begins_word(c) || matches!(c, '\'' | '?' | '!');
    text.starts_with(begins_name)
        && text.split('.').all(|part| part.starts_with(begins_word) && part.chars().all(is_in_word))
}

/// Whether a character other than a digit can begin a word.
pub(super) fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn begins_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_in_word(system: System, c: char) -> bool {
    begins_word(c) || c == '\'' || system.language().lexis.marks.contains(&c)
}

/// The length of the word at the beginning of a text.
fn length(system: System, text: &str) -> usize {
    let part = |text: &str| text.find(|c| !is_in_word(system, c)).unwrap_or(text.len());
    let mut end = part(text);
    while let Some(next) = text[end..].strip_prefix('.').filter(|next| next.starts_with(begins_word)) {
        end += 1 + part(next);
    }
    end
}

/// Whether the text directly after `before` is a field or a metavariable.
fn is_part_of_term(system: System, before: &str) -> bool {
    let ends_term = |term: &str| term.ends_with([')', ']', '}', '⟩', '»']);
    system.language().lexis.has_fields
        && (before.ends_with('?') || before.strip_suffix('.').is_some_and(ends_term))
}

/// The length of the comment, string or character literal at the beginning of a text.
fn hidden(system: System, text: &str) -> Option<usize> {
    let lexis = &system.language().lexis;
    let block = lexis.block_comment.filter(|[open, _]| text.starts_with(open));
    match (block, lexis.strings) {
        (Some(marks), strings) => Some(comment(text, marks, strings == Some(Strings::Doubled))),
        (None, _) if lexis.line_comment.is_some_and(|begin| text.starts_with(begin)) => {
            Some(text.find('\n').unwrap_or(text.len()))
        }
        (None, Some(strings)) if text.starts_with('"') => Some(string(text, strings)),
        _ if lexis.has_characters => character(text),
        _ => None,
    }
}

/// The length of a comment, including nested comments and, where they hide what closes it, strings.
fn comment(text: &str, [open, close]: [&str; 2], holds_strings: bool) -> usize {
    let (mut at, mut depth) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with(open) {
            (at, depth) = (at + open.len(), depth + 1);
        } else if rest.starts_with(close) {
            (at, depth) = (at + close.len(), depth - 1);
            if depth == 0 {
                break;
            }
        } else if holds_strings && c == '"' {
            at += string(rest, Strings::Doubled);
        } else {
            at += c.len_utf8();
        }
    }
    at
}

/// The length of a string. A doubled quote stands for one, which is equivalent to two adjacent strings for our purpose.
fn string(text: &str, strings: Strings) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' if strings == Strings::Escaped => {
                chars.next();
            }
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal, such as `'"'`.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let first = inner.chars().next()?;
    let skipped = first.len_utf8() + if first == '\\' { inner[1..].chars().next()?.len_utf8() } else { 0 };
    let close = inner[skipped..].find('\'')?;
    // An escape may have several characters.
    (close == 0 || first == '\\').then_some(1 + skipped + close + 1)
}

#[cfg(test)]
mod tests {
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;
    use andor_system_synthetic::SYNTHETIC;

    use super::*;

    #[test]
    fn words_by_system() {
        let cases: &[(System, &str, &[&str])] = &[
            (ROCQ, "intros; lia", &["intros", "lia"]),
            (ROCQ, "constructor; [lia|auto]", &["constructor", "lia", "auto"]),
            (ROCQ, "rewrite !H, ?Nat.add_0_r in *", &["rewrite", "H", "Nat.add_0_r", "in"]),
            (ROCQ, "rewrite!H", &["rewrite", "H"]),
            (ROCQ, "apply/eqP", &["apply", "eqP"]),
            (ROCQ, "do 3lia", &["do", "3lia"]),
            (ROCQ, "do ?lia", &["do", "lia"]),
            (ROCQ, "now exists (x'), y1.", &["now", "exists", "x'", "y1"]),
            (ROCQ, "x.(f) a...", &["x", "f", "a"]),
            (MINI, "simp <;> omega", &["simp", "omega"]),
            (MINI, "· simp", &["simp"]),
            (MINI, "·simp", &["simp"]),
            (MINI, ".simp", &["simp"]),
            (MINI, "all_goals\n  simp", &["all_goals", "simp"]),
            (MINI, "exact (by simp)", &["exact", "by", "simp"]),
            (MINI, "first | ring | omega", &["first", "ring", "omega"]),
            (MINI, "simp? [simp_lemma, Nat.simp]", &["simp?", "simp_lemma", "Nat.simp"]),
            (MINI, "exact h.1.symm", &["exact", "h.1.symm"]),
            (MINI, "exact (h x).symm", &["exact", "h", "x"]),
            (MINI, "exact ⟨h⟩.2.symm", &["exact", "h"]),
            (MINI, "refine ⟨?left, ?_⟩", &["refine"]),
            (MINI, "rw [← h₁, α.β']", &["rw", "h₁", "α.β'"]),
            (MINI, "simp!", &["simp!"]),
            (SYNTHETIC, "t3", &["t3"]),
            (SYNTHETIC, "t1-- t2 (* t3", &["t1", "t2", "t3"]),
            (LEAN4, "simp «x y»", &["simp", "x", "y"]),
        ];
        for (system, text, expected) in cases {
            assert_eq!(words(*system, text).collect::<Vec<_>>(), *expected, "{system} {text:?}");
        }
    }

    #[test]
    fn comments_and_strings_hide_words() {
        let cases: &[(System, &str, &[&str])] = &[
            (ROCQ, "auto (* lia (* nia *) lra *) easy", &["auto", "easy"]),
            (ROCQ, "lia(*a*)", &["lia"]),
            (ROCQ, "idtac \"lia \"\"nia\"\" \"; auto", &["idtac", "auto"]),
            (ROCQ, "idtac \"(*\"; lia; idtac \"*)\"", &["idtac", "lia", "idtac"]),
            (ROCQ, "auto (* \"*)\" lia *) easy", &["auto", "easy"]),
            (ROCQ, "idtac \"\\\"; lia", &["idtac", "lia"]),
            (ROCQ, "a -- b /- c", &["a", "b", "c"]),
            (ROCQ, "a (* b", &["a"]),
            (MINI, "skip /- simp /- rfl -/ omega -/ done", &["skip", "done"]),
            (MINI, "skip -- simp\ndone", &["skip", "done"]),
            (MINI, "skip /- \" -/ simp", &["skip", "simp"]),
            (MINI, "a (* b *)", &["a", "b"]),
            (MINI, "a /- b", &["a"]),
            (LEAN4, "exact f \"simp \\\" rfl\" h", &["exact", "f", "h"]),
            (LEAN4, "exact f '\"'; simp; exact g '\"'", &["exact", "f", "simp", "exact", "g"]),
            (LEAN4, "exact f '\\'' '\\u{22}'; simp", &["exact", "f", "simp"]),
            (LEAN4, "exact f' h' 'a' 'β'", &["exact", "f'", "h'"]),
            (LEAN4, "exact f \"", &["exact", "f"]),
        ];
        for (system, text, expected) in cases {
            assert_eq!(words(*system, text).collect::<Vec<_>>(), *expected, "{system} {text:?}");
        }
    }

    #[test]
    fn a_bare_tactic_has_no_strings_and_comments() {
        let cases = [
            (ROCQ, "idtac \"lia\"; (* nia *)lra", "idtac  ;  lra"),
            (LEAN4, "cases' h' with ?_ 'a' -- why\nsimp", "cases' h' with ?_    \nsimp"),
            (SYNTHETIC, "t1 (* t2 *)", "t1 (* t2 *)"),
        ];
        for (system, text, expected) in cases {
            assert_eq!(bare(system, text), expected, "{system} {text:?}");
        }
    }

    #[test]
    fn what_is_one_word() {
        for text in ["simp", "simp_all", "exact?", "refine'", "Lia.lia", "t3", "_x", "λx"] {
            assert!(is_word(text), "{text}");
        }
        for text in
            ["", " ", "simp ", "a b", "a;b", "case-analysis", "3lia", "'", "?x", "\"a\"", "a.", "(*a*)"]
        {
            assert!(!is_word(text), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_an_end(text in "[a-z0-9.'\"\\\\?!(*)/\n⟩é_-]{0,40}") {
            for system in System::all() {
                for word in words(system, &text) {
                    proptest::prop_assert!(word.starts_with(begins_word), "{system} {word:?}");
                }
            }
        }
    }
}
