//! Coq's sentences: splitting a file, and telling whether a text is exactly one tactic sentence.
//!
//! The rules are those of Coq's own lexer as far as sentence ends go (reference, section 7.1): a sentence
//! ends at a period followed by white space or the end of the text, outside comments and strings; `...` ends
//! one too, `..` never does; bullets and braces are sentences of their own.

/// A sentence, by byte positions in the text it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sentence<'a> {
    /// Where it starts.
    pub start: usize,
    /// Its text, the final period included, white space and comments before it not.
    pub text: &'a str,
}

/// Why a text cannot be split or used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SentenceError {
    /// A comment is not closed.
    #[error("unclosed comment at byte {0}")]
    UnclosedComment(usize),
    /// A string is not closed.
    #[error("unclosed string at byte {0}")]
    UnclosedString(usize),
    /// The last sentence has no period.
    #[error("no final period after byte {0}")]
    NoPeriod(usize),
    /// There is nothing but white space and comments.
    #[error("empty")]
    Empty,
    /// A sentence ends before the text does.
    #[error("more than one sentence: the first ends at byte {0}")]
    SeveralSentences(usize),
    /// A bracket has no partner.
    #[error("unbalanced `{0}` at byte {1}")]
    Unbalanced(char, usize),
    /// A character that has no place in a tactic.
    #[error("character {0:?} at byte {1}")]
    ForbiddenCharacter(char, usize),
}

/// What the lexer distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    Space,
    Comment,
    String,
    /// A period or `...` that ends a sentence.
    End,
    /// Anything else, one character.
    Char(char),
}

/// The piece at `at` and the position after it.
fn piece(text: &str, at: usize) -> Result<Option<(Piece, usize)>, SentenceError> {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let after = at + first.len_utf8();
    Ok(Some(match first {
        c if c.is_whitespace() => (Piece::Space, after),
        '(' if rest.starts_with("(*") => (Piece::Comment, comment_end(text, at)?),
        '"' => (Piece::String, string_end(text, at)?),
        '.' => {
            let dots = rest.bytes().take_while(|&b| b == b'.').count();
            let end = at + dots;
            let ends = text[end..].chars().next().is_none_or(char::is_whitespace);
            // `..` belongs to recursive notations; longer runs than three do not occur.
            if ends && dots != 2 { (Piece::End, end) } else { (Piece::Char('.'), end) }
        }
        c => (Piece::Char(c), after),
    }))
}

fn comment_end(text: &str, start: usize) -> Result<usize, SentenceError> {
    let unclosed = || SentenceError::UnclosedComment(start);
    let (mut at, mut depth) = (start + 2, 1);
    while depth > 0 {
        let rest = text.get(at..).filter(|r| !r.is_empty()).ok_or_else(unclosed)?;
        if rest.starts_with("(*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with("*)") {
            (at, depth) = (at + 2, depth - 1);
        } else if rest.starts_with('"') {
            // Strings count inside comments.
            at = string_end(text, at)?;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    Ok(at)
}

fn string_end(text: &str, start: usize) -> Result<usize, SentenceError> {
    // A doubled quote is an escaped one, and reads as two strings side by side: the end is the same.
    let close = text[start + 1..].find('"').ok_or(SentenceError::UnclosedString(start))?;
    Ok(start + 1 + close + 1)
}

/// Splits a text into sentences.
pub fn split(text: &str) -> Result<Vec<Sentence<'_>>, SentenceError> {
    let mut sentences = Vec::new();
    let mut at = 0;
    while let Some((first, after)) = piece(text, at)? {
        if matches!(first, Piece::Space | Piece::Comment) {
            at = after;
            continue;
        }
        let end = match lone_sentence(text, at) {
            Some(end) => end,
            None => sentence_end(text, at)?,
        };
        sentences.push(Sentence { start: at, text: &text[at..end] });
        at = end;
    }
    Ok(sentences)
}

/// The end of a bullet, brace or focusing selector (`2: {`) at `at`.
fn lone_sentence(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    match first {
        '-' | '+' | '*' => Some(at + rest.bytes().take_while(|&b| b == first as u8).count()),
        '{' | '}' => Some(at + 1),
        '0'..='9' | '[' => {
            let (selector, after) = rest.split_once(':')?;
            let trimmed = selector.trim();
            let is_number = trimmed.bytes().all(|b| b.is_ascii_digit());
            let is_name = trimmed.starts_with('[') && trimmed.ends_with(']') && !trimmed.contains('.');
            let opens = after.trim_start().starts_with('{') && (is_number || is_name);
            opens.then(|| at + rest.find('{').expect("just seen") + 1)
        }
        _ => None,
    }
}

fn sentence_end(text: &str, start: usize) -> Result<usize, SentenceError> {
    let mut at = start;
    while let Some((piece, after)) = piece(text, at)? {
        if piece == Piece::End {
            return Ok(after);
        }
        at = after;
    }
    Err(SentenceError::NoPeriod(start))
}

/// Checks that a text is the body of exactly one tactic sentence and returns it without white space at its
/// ends and without a final period.
///
/// Brackets, comments and strings are balanced, no sentence ends within, nothing is invisible. Wrapped in
/// parentheses such a text can only be read as a tactic, never as a command.
pub fn tactic_body(text: &str) -> Result<&str, SentenceError> {
    let mut body = text.trim();
    if let Some(stripped) = body.strip_suffix('.')
        && !stripped.ends_with('.')
    {
        body = stripped.trim_end();
    }
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut seen_any = false;
    let mut at = 0;
    while let Some((piece, after)) = piece(body, at)? {
        match piece {
            Piece::Space if !body[at..after].contains([' ', '\n', '\t', '\r']) => {
                let c = body[at..].chars().next().expect("a piece is not empty");
                return Err(SentenceError::ForbiddenCharacter(c, at));
            }
            Piece::Space | Piece::Comment => {}
            Piece::String => seen_any = true,
            Piece::End => return Err(SentenceError::SeveralSentences(at)),
            Piece::Char(c) => {
                seen_any = true;
                match c {
                    '(' | '[' | '{' => open.push((c, at)),
                    ')' | ']' | '}' => {
                        let partner = match c {
                            ')' => '(',
                            ']' => '[',
                            _ => '{',
                        };
                        if open.pop().is_none_or(|(o, _)| o != partner) {
                            return Err(SentenceError::Unbalanced(c, at));
                        }
                    }
                    c if c.is_control() || is_invisible(c) => {
                        return Err(SentenceError::ForbiddenCharacter(c, at));
                    }
                    _ => {}
                }
            }
        }
        at = after;
    }
    match open.first() {
        Some(&(c, at)) => Err(SentenceError::Unbalanced(c, at)),
        None if !seen_any => Err(SentenceError::Empty),
        None => Ok(body),
    }
}

/// A tactic body in parentheses. The spaces keep a star at either end from making a comment.
pub(super) fn in_parentheses(body: &str) -> String {
    format!("( {body} )")
}

/// Characters that show nothing or reorder what is shown.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sentences_cover_the_text_in_order(text in "[.(*)\"{}:+ \n∀a-c0-2-]{0,40}|\\PC{0,30}") {
            if let Ok(sentences) = split(&text) {
                let mut end = 0;
                for sentence in sentences {
                    prop_assert!(sentence.start >= end);
                    prop_assert_eq!(&text[sentence.start..sentence.start + sentence.text.len()], sentence.text);
                    end = sentence.start + sentence.text.len();
                }
            }
        }

        #[test]
        fn a_tactic_body_makes_exactly_one_sentence(text in "[.(*)\"{}\\[\\]:+ \na-c∀]{0,30}") {
            if let Ok(body) = tactic_body(&text) {
                let sentence = format!("{}.", in_parentheses(body));
                prop_assert_eq!(split(&sentence).map(|s| s.len()), Ok(1));
            }
        }
    }

    fn texts(text: &str) -> Vec<&str> {
        split(text).unwrap().into_iter().map(|s| s.text).collect()
    }

    #[test]
    fn files_are_split_at_periods() {
        assert_eq!(
            texts("Require Import Nat.Foo. (* a. b *) Lemma x : 1.5 = a.b.\n Proof. auto...Qed."),
            ["Require Import Nat.Foo.", "Lemma x : 1.5 = a.b.", "Proof.", "auto...Qed."]
        );
        assert_eq!(texts("auto... Qed."), ["auto...", "Qed."]);
        assert_eq!(texts("Notation \"x . y\" := (f x ..  y)."), ["Notation \"x . y\" := (f x ..  y)."]);
    }

    #[test]
    fn bullets_and_braces_stand_alone() {
        assert_eq!(
            texts("split. -- auto. + { simpl. } 2: { lia. } [x]:{ a. } *b."),
            [
                "split.", "--", "auto.", "+", "{", "simpl.", "}", "2: {", "lia.", "}", "[x]:{", "a.", "}",
                "*", "b."
            ]
        );
        assert_eq!(texts("2: auto."), ["2: auto."]);
    }

    #[test]
    fn comments_nest_and_hide_strings() {
        assert_eq!(texts("(* (* \"*)\" *) . *) a."), ["a."]);
        assert_eq!(split("a. (* b"), Err(SentenceError::UnclosedComment(3)));
        assert_eq!(split("a \"b. c"), Err(SentenceError::UnclosedString(2)));
        assert_eq!(split("a. b"), Err(SentenceError::NoPeriod(3)));
        assert_eq!(texts("a \"b\"\"c. d\" e. f."), ["a \"b\"\"c. d\" e.", "f."]);
    }

    #[test]
    fn one_tactic_sentence_passes() {
        for ok in [
            "intros",
            "intros x. ",
            "destruct H as [x [y|z]]; simpl in *",
            "exists (S n)",
            "rewrite Nat.add_comm, <- H",
            "by move=> x; rewrite addnC",
            "idtac \"a. b\"",
            "apply (f (* a. b *) x)",
            "set (x := 1.5%R)",
            "exists (λ x)",
        ] {
            assert!(tactic_body(ok).is_ok(), "{ok}: {:?}", tactic_body(ok));
        }
        assert_eq!(tactic_body(" lia.\n"), Ok("lia"));
    }

    #[test]
    fn everything_else_does_not() {
        for bad in [
            "",
            "  (* only a comment *) ",
            ".",
            "idtac. Axiom bad : False. idtac",
            "idtac). Axiom bad : False. (idtac",
            "idtac)",
            "(idtac",
            "intros [x",
            "auto (* open",
            "idtac \"open",
            "auto.\nQed",
            "auto...",
            "intros\u{200b}x",
            "intros\u{202e}x",
            "intros\u{0}",
            "intros\u{a0}x",
        ] {
            assert!(tactic_body(bad).is_err(), "{bad:?}");
        }
    }
}
