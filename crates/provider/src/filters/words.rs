//! The words of a tactic, which are what a filter goes by.

use andor_core::theorem::System;

/// A part of a tactic.
enum Piece<'a> {
    /// A string, a character or a comment.
    Hidden,
    /// A run of word characters, with all that stands before it.
    Word { before: &'a str, word: &'a str },
    /// Any other character.
    Other(char),
}

/// What a tactic consists of. What is not closed takes the rest of the text, which no assistant takes for a tactic.
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

/// The runs of word characters in a tactic, without those in strings and comments, and without those that can be no
/// tactic where they stand: in Lean fields of a term (`(h x).symm`) and metavariables (`?left`).
///
/// A run has the dots between its parts, and in Lean the marks `?` and `!`: `Nat.le_trans`, `h.1.symm`, `simp?`. A run may
/// begin with a number, behind which an assistant may see a word: `do 3lia`.
pub(super) fn words(system: System, text: &str) -> impl Iterator<Item = &str> {
    pieces(system, text).filter_map(move |piece| match piece {
        Piece::Word { before, word } if !is_part_of_term(system, before) => Some(word),
        _ => None,
    })
}

/// A tactic with a space in place of each string, character and comment.
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

/// Whether a text is one word that a tactic may begin with.
pub fn is_word(text: &str) -> bool {
    // Lean's words may have marks; otherwise they are those of the others.
    text.starts_with(begins_name) && words(System::Lean4, text).next() == Some(text)
}

/// Whether a word can begin with a character that is no digit.
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

/// The length of the word that a text begins with.
fn length(system: System, text: &str) -> usize {
    let part = |text: &str| text.find(|c| !is_in_word(system, c)).unwrap_or(text.len());
    let mut end = part(text);
    while let Some(next) = text[end..].strip_prefix('.').filter(|next| next.starts_with(begins_word)) {
        end += 1 + part(next);
    }
    end
}

/// Whether what follows a text at once is a field or a metavariable of Lean.
fn is_part_of_term(system: System, before: &str) -> bool {
    let ends_term = |term: &str| term.ends_with([')', ']', '}', '⟩', '»']);
    is_lean(system) && (before.ends_with('?') || before.strip_suffix('.').is_some_and(ends_term))
}

/// The length of the comment, string or character literal that a text begins with.
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

/// The length of a comment, which may hold others, and in Rocq strings.
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

/// The length of a string. In Lean a backslash escapes what follows; in Rocq a doubled quote is one within the string,
/// and reads as two strings side by side, which end at the same place.
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
    // An escape may be several characters long; anything else is one.
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
