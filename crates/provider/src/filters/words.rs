//! The words of a tactic, on which filters are based.

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
/// their position: in Lean, fields of a term (`(h x).symm`) and metavariables (`?left`).
///
/// A run includes dots between its parts, and in Lean the marks `?` and `!`: `Nat.le_trans`, `h.1.symm`, `simp?`. It
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
    // Lean's rules for words are the most permissive.
    text.starts_with(begins_name) && words(System::Lean4, text).next() == Some(text)
}

/// Whether a character other than a digit can begin a word.
pub(super) fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn begins_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_in_word(system: System, c: char) -> bool {
    let is_mark = matches!(c, '?' | '!') && is_lean(system);
    begins_word(c) || c == '\'' || is_mark
}

fn is_lean(system: System) -> bool {
    matches!(system, System::Lean4 | System::Mini)
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

/// Whether the text directly after `before` is a field or a metavariable in Lean.
fn is_part_of_term(system: System, before: &str) -> bool {
    let ends_term = |term: &str| term.ends_with([')', ']', '}', '⟩', '»']);
    is_lean(system) && (before.ends_with('?') || before.strip_suffix('.').is_some_and(ends_term))
}

/// The length of the comment, string or character literal at the beginning of a text.
fn hidden(system: System, text: &str) -> Option<usize> {
    match system {
        System::Rocq if text.starts_with("(*") => Some(comment(text, "(*", "*)", true)),
        System::Rocq if text.starts_with('"') => Some(string(text, false)),
        System::Lean4 | System::Mini if text.starts_with("/-") => Some(comment(text, "/-", "-/", false)),
        System::Lean4 | System::Mini if text.starts_with("--") => Some(text.find('\n').unwrap_or(text.len())),
        System::Lean4 | System::Mini if text.starts_with('"') => Some(string(text, true)),
        System::Lean4 | System::Mini => character(text),
        System::Rocq | System::Synthetic => None,
    }
}

/// The length of a comment, including nested comments and, in Rocq, strings.
fn comment(text: &str, open: &str, close: &str, holds_strings: bool) -> usize {
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
            at += string(rest, false);
        } else {
            at += c.len_utf8();
        }
    }
    at
}

/// The length of a string. In Lean a backslash escapes the next character; in Rocq a doubled quote stands for one,
/// which is equivalent to two adjacent strings for our purpose.
fn string(text: &str, escapes: bool) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' if escapes => {
                chars.next();
            }
            _ => {}
        }
    }
    text.len()
}

/// The length of one of Lean's character literals, such as `'"'`.
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
    use super::*;

    #[test]
    fn words_by_system() {
        use System::{Lean4, Mini, Rocq, Synthetic};
        let cases: &[(System, &str, &[&str])] = &[
            (Rocq, "intros; lia", &["intros", "lia"]),
            (Rocq, "constructor; [lia|auto]", &["constructor", "lia", "auto"]),
            (Rocq, "rewrite !H, ?Nat.add_0_r in *", &["rewrite", "H", "Nat.add_0_r", "in"]),
            (Rocq, "rewrite!H", &["rewrite", "H"]),
            (Rocq, "apply/eqP", &["apply", "eqP"]),
            (Rocq, "do 3lia", &["do", "3lia"]),
            (Rocq, "do ?lia", &["do", "lia"]),
            (Rocq, "now exists (x'), y1.", &["now", "exists", "x'", "y1"]),
            (Rocq, "x.(f) a...", &["x", "f", "a"]),
            (Mini, "simp <;> omega", &["simp", "omega"]),
            (Mini, "· simp", &["simp"]),
            (Mini, "·simp", &["simp"]),
            (Mini, ".simp", &["simp"]),
            (Mini, "all_goals\n  simp", &["all_goals", "simp"]),
            (Mini, "exact (by simp)", &["exact", "by", "simp"]),
            (Mini, "first | ring | omega", &["first", "ring", "omega"]),
            (Mini, "simp? [simp_lemma, Nat.simp]", &["simp?", "simp_lemma", "Nat.simp"]),
            (Mini, "exact h.1.symm", &["exact", "h.1.symm"]),
            (Mini, "exact (h x).symm", &["exact", "h", "x"]),
            (Mini, "exact ⟨h⟩.2.symm", &["exact", "h"]),
            (Mini, "refine ⟨?left, ?_⟩", &["refine"]),
            (Mini, "rw [← h₁, α.β']", &["rw", "h₁", "α.β'"]),
            (Mini, "simp!", &["simp!"]),
            (Synthetic, "t3", &["t3"]),
            (Synthetic, "t1-- t2 (* t3", &["t1", "t2", "t3"]),
            (Lean4, "simp «x y»", &["simp", "x", "y"]),
        ];
        for (system, text, expected) in cases {
            assert_eq!(words(*system, text).collect::<Vec<_>>(), *expected, "{system} {text:?}");
        }
    }

    #[test]
    fn comments_and_strings_hide_words() {
        use System::{Lean4, Mini, Rocq};
        let cases: &[(System, &str, &[&str])] = &[
            (Rocq, "auto (* lia (* nia *) lra *) easy", &["auto", "easy"]),
            (Rocq, "lia(*a*)", &["lia"]),
            (Rocq, "idtac \"lia \"\"nia\"\" \"; auto", &["idtac", "auto"]),
            (Rocq, "idtac \"(*\"; lia; idtac \"*)\"", &["idtac", "lia", "idtac"]),
            (Rocq, "auto (* \"*)\" lia *) easy", &["auto", "easy"]),
            (Rocq, "idtac \"\\\"; lia", &["idtac", "lia"]),
            (Rocq, "a -- b /- c", &["a", "b", "c"]),
            (Rocq, "a (* b", &["a"]),
            (Mini, "skip /- simp /- rfl -/ omega -/ done", &["skip", "done"]),
            (Mini, "skip -- simp\ndone", &["skip", "done"]),
            (Mini, "skip /- \" -/ simp", &["skip", "simp"]),
            (Mini, "a (* b *)", &["a", "b"]),
            (Mini, "a /- b", &["a"]),
            (Lean4, "exact f \"simp \\\" rfl\" h", &["exact", "f", "h"]),
            (Lean4, "exact f '\"'; simp; exact g '\"'", &["exact", "f", "simp", "exact", "g"]),
            (Lean4, "exact f '\\'' '\\u{22}'; simp", &["exact", "f", "simp"]),
            (Lean4, "exact f' h' 'a' 'β'", &["exact", "f'", "h'"]),
            (Lean4, "exact f \"", &["exact", "f"]),
        ];
        for (system, text, expected) in cases {
            assert_eq!(words(*system, text).collect::<Vec<_>>(), *expected, "{system} {text:?}");
        }
    }

    #[test]
    fn a_bare_tactic_has_no_strings_and_comments() {
        use System::{Lean4, Rocq, Synthetic};
        let cases = [
            (Rocq, "idtac \"lia\"; (* nia *)lra", "idtac  ;  lra"),
            (Lean4, "cases' h' with ?_ 'a' -- why\nsimp", "cases' h' with ?_    \nsimp"),
            (Synthetic, "t1 (* t2 *)", "t1 (* t2 *)"),
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
            for system in System::ALL {
                for word in words(system, &text) {
                    proptest::prop_assert!(word.starts_with(begins_word), "{system} {word:?}");
                }
            }
        }
    }
}
