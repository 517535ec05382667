//! The escape filter, as far as it is the same for all systems: what no text may contain that is to be tried as a
//! tactic, before any worker sees it.
//!
//! A filter is no judge. It keeps a tactic in its place, so that a finished script is what was tried, and spares
//! workers what cannot be a tactic; whether the script proves the theorem is for the checker to say.

use std::ops::Range;

/// The longest tactic, in bytes. People's tactics stay below a tenth of it; what is longer is a model that repeats
/// itself, would swell every trace, and has broken the readers of proof assistants before.
pub const MAX_BYTES: usize = 32 << 10;

/// Why a text is refused. Places are bytes of the text, for a tactic without white space at its ends.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Nothing but white space and comments.
    #[error("the text is empty; write one tactic")]
    Empty,
    /// Longer than [`MAX_BYTES`].
    #[error("the text has {0} bytes; a tactic has at most {MAX_BYTES}")]
    TooLong(usize),
    /// A control character other than a tab or the end of a line.
    #[error("control character U+{:04X} at byte {at}; leave it out", u32::from(*.character))]
    Control {
        /// The character.
        character: char,
        /// Where it stands.
        at: usize,
    },
    /// A character that shows nothing, or changes the order in which others are shown.
    #[error("invisible character U+{:04X} at byte {at}; leave it out", u32::from(*.character))]
    Invisible {
        /// The character.
        character: char,
        /// Where it stands.
        at: usize,
    },
    /// White space other than blanks, tabs and ends of lines. Some assistants take it for a part of a name.
    #[error("unusual white space U+{:04X} at byte {at}; write a blank", u32::from(*.character))]
    WhiteSpace {
        /// The character.
        character: char,
        /// Where it stands.
        at: usize,
    },
    /// A character that looks like one of ASCII that has a meaning.
    #[error("`{character}` (U+{:04X}) at byte {at} looks like `{like}`; write `{like}`", u32::from(*.character))]
    LookAlike {
        /// The character.
        character: char,
        /// What it looks like.
        like: char,
        /// Where it stands.
        at: usize,
    },
    /// A word of ASCII letters and letters of another script that look like some.
    #[error(
        "`{word}` at byte {at} mixes Latin letters with `{character}` (U+{:04X}), which looks like one; \
         use one script", u32::from(*.character)
    )]
    MixedScripts {
        /// The word.
        word: String,
        /// Its first letter of another script.
        character: char,
        /// Where the word begins.
        at: usize,
    },
    /// A comment or string that is not closed.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// A bracket without a partner.
    #[error("`{bracket}` at byte {at} has no partner; balance the brackets")]
    Unbalanced {
        /// The bracket.
        bracket: char,
        /// Where it stands.
        at: usize,
    },
    /// A tactic ends before the text does.
    #[error("the tactic ends at byte {at}, and there is more; write one tactic")]
    Several {
        /// Where it ends.
        at: usize,
    },
    /// What begins so is not a tactic, but leads to one.
    #[error("the text begins with {what}; write the tactic alone, it is tried on the goal at hand")]
    Lead {
        /// What it begins with, for example `a bullet`.
        what: &'static str,
    },
    /// It begins a command.
    #[error("`{word}` at byte {at} begins a command that {does}; a tactic is none")]
    Command {
        /// The word.
        word: String,
        /// What such commands do.
        does: &'static str,
        /// Where it stands.
        at: usize,
    },
    /// It leaves a goal unproved and says that it is proved.
    #[error("`{word}` at byte {at} gives up a goal; prove it, or leave it open")]
    GivesUp {
        /// The word.
        word: String,
        /// Where it stands.
        at: usize,
    },
    /// Something that the system does not have.
    #[error("{what} at byte {at}: there are none here")]
    Foreign {
        /// What it is.
        what: &'static str,
        /// Where it stands.
        at: usize,
    },
    /// A command of a file that reaches outside the file.
    #[error("`{command}` at byte {at} {effect}; no proof needs it")]
    Outside {
        /// The command.
        command: String,
        /// What it does.
        effect: &'static str,
        /// Where it stands.
        at: usize,
    },
    /// A word that begins a sentence and is neither a command nor a tactic, as far as is known.
    #[error(
        "`{word}` at byte {at} begins no command that is known, and might do anything; \
         if it is a tactic, put it in parentheses"
    )]
    Unknown {
        /// The word.
        word: String,
        /// Where it stands.
        at: usize,
    },
    /// An option of which nobody knows what it does.
    #[error("`{command}` at byte {at}: no such option is known, and it might do anything; leave it out")]
    UnknownOption {
        /// The command that sets or unsets it.
        command: String,
        /// Where it stands.
        at: usize,
    },
    /// What switches a check of the kernel off, or has it believe a rule that it would not.
    #[error("`{what}` at byte {at} switches a check of the kernel off; nothing is proved without it")]
    Unchecked {
        /// The command or attribute.
        what: String,
        /// Where it stands.
        at: usize,
    },
    /// A string that could make a symbol of what begins a comment, so that comments could not be told from code.
    #[error(
        "the string at byte {at} contains `(*`, which a notation could make a symbol of; put a blank between"
    )]
    CommentInString {
        /// Where the string begins.
        at: usize,
    },
    /// A comment right behind what could take its first character for a part of a symbol, so that it would be none.
    #[error(
        "the comment at byte {at} may be read as a symbol, together with what stands before it; put a blank between"
    )]
    CommentAfterSymbol {
        /// Where the comment begins.
        at: usize,
    },
}

/// A comment or string that is not closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {what} at byte {at} is not closed; close it")]
pub struct Unclosed {
    /// `comment` or `string`.
    pub what: &'static str,
    /// Where it begins.
    pub at: usize,
}

/// Refuses texts that are too long for a tactic.
pub(crate) fn length(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_BYTES { Err(Refusal::TooLong(text.len())) } else { Ok(()) }
}

/// Refuses control characters, and characters that show nothing or reorder what is shown. In a tactic they have no
/// place, be it in code, comments or strings.
pub(crate) fn characters(text: &str, part: Range<usize>) -> Result<(), Refusal> {
    let known = |c: &char| matches!(c, ' '..='~' | '\n' | '\t');
    for (offset, character) in text[part.clone()].char_indices().filter(|(_, c)| !known(c)) {
        let at = part.start + offset;
        // Lines may end as they do on Windows.
        let ends_line = character == '\r' && text[at + 1..].starts_with('\n');
        if character.is_control() && !ends_line {
            return Err(Refusal::Control { character, at });
        }
        if is_invisible(character) {
            return Err(Refusal::Invisible { character, at });
        }
    }
    Ok(())
}

/// Refuses white space in code that is not blank, tab or the end of a line.
pub(crate) fn white_space(text: &str, code: Range<usize>) -> Result<(), Refusal> {
    let unusual = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r');
    match text[code.clone()].char_indices().find(|(_, c)| unusual(*c)) {
        Some((at, character)) => Err(Refusal::WhiteSpace { character, at: code.start + at }),
        None => Ok(()),
    }
}

/// Refuses look-alikes of ASCII in code, which is to be neither comment nor string.
///
/// Letters of other scripts and mathematical symbols pass; so do words of one script, whichever it is.
pub(crate) fn look_alikes(text: &str, code: Range<usize>) -> Result<(), Refusal> {
    let part = &text[code.clone()];
    if part.is_ascii() {
        return Ok(());
    }
    for (at, character) in part.char_indices() {
        if let Some(like) = looks_like(character) {
            return Err(Refusal::LookAlike { character, like, at: code.start + at });
        }
    }
    let mut at = code.start;
    for word in part.split_inclusive(|c: char| !in_word(c)) {
        let has_ascii = word.contains(|c: char| c.is_ascii_alphabetic());
        if let Some(character) = word.chars().find(|c| has_ascii && resembles_latin(*c)) {
            let word = word.trim_end_matches(|c: char| !in_word(c)).to_owned();
            return Err(Refusal::MixedScripts { word, character, at });
        }
        at += word.len();
    }
    Ok(())
}

/// Refuses brackets without a partner. `brackets` are those of a text, each with its place.
pub(crate) fn balanced(brackets: impl IntoIterator<Item = (char, usize)>) -> Result<(), Refusal> {
    const PAIRS: &[(char, char)] = &[('(', ')'), ('[', ']'), ('{', '}'), ('⟨', '⟩')];
    let mut open: Vec<(char, usize)> = Vec::new();
    for (bracket, at) in brackets {
        if PAIRS.iter().any(|(opening, _)| *opening == bracket) {
            open.push((bracket, at));
        } else if let Some((opening, _)) = PAIRS.iter().find(|(_, closing)| *closing == bracket)
            && open.pop().is_none_or(|(last, _)| last != *opening)
        {
            return Err(Refusal::Unbalanced { bracket, at });
        }
    }
    open.pop().map_or(Ok(()), |(bracket, at)| Err(Refusal::Unbalanced { bracket, at }))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

/// Whether a character shows nothing or reorders what is shown: Unicode's `Default_Ignorable_Code_Point` and
/// `Bidi_Control`, noncharacters, and those for private use, which look as anybody likes.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

/// Punctuation that looks like one of ASCII that gives a text its structure: ends of sentences, brackets, quotes,
/// separators, and what comments, bullets and attributes begin with. From Unicode's `confusables.txt` (UTS #39).
///
/// Mathematical signs are not here, though some are in that table: `∣ − ∗ ∕ ∙ ·` mean something of their own.
const PUNCTUATION: &[(char, &str)] = &[
    ('.', "\u{2024}\u{2025}\u{2026}\u{3002}\u{ff61}\u{6d4}\u{701}\u{702}\u{a4ff}"),
    (',', "\u{201a}\u{60c}\u{66b}\u{ff64}\u{3001}\u{a4fe}"),
    (';', "\u{37e}\u{61b}\u{204f}"),
    (
        ':',
        "\u{2d0}\u{2f8}\u{589}\u{5c3}\u{703}\u{704}\u{1361}\u{16ec}\u{1803}\u{1809}\u{205a}\u{2236}\u{a789}\u{a4fd}\u{fe13}\u{fe30}",
    ),
    ('\'', "\u{2b9}\u{2bb}\u{2bc}\u{2bd}\u{2c8}\u{374}\u{55a}\u{5f3}\u{2018}\u{2019}\u{201b}"),
    ('"', "\u{2ba}\u{2ee}\u{5f4}\u{201c}\u{201d}\u{201e}\u{201f}\u{301d}\u{301e}\u{301f}"),
    ('(', "\u{207d}\u{208d}\u{2768}\u{2772}\u{3014}\u{fd3e}\u{fe35}"),
    (')', "\u{207e}\u{208e}\u{2769}\u{2773}\u{3015}\u{fd3f}\u{fe36}"),
    ('[', "\u{3010}\u{3016}\u{fe47}"),
    (']', "\u{3011}\u{3017}\u{fe48}"),
    ('{', "\u{2774}\u{fe37}"),
    ('}', "\u{2775}\u{fe38}"),
    ('|', "\u{1c0}\u{ffe8}"),
    ('!', "\u{1c3}\u{203c}"),
    ('-', "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2043}\u{fe31}\u{fe32}"),
    ('*', "\u{204e}\u{20f0}"),
    ('/', "\u{2044}\u{29f8}"),
];

/// The character of ASCII that one looks like, if it has a meaning.
fn looks_like(c: char) -> Option<char> {
    // Fullwidth forms stand in the order of ASCII.
    if ('\u{ff01}'..='\u{ff5e}').contains(&c) {
        return char::from_u32(u32::from(c) - 0xff01 + u32::from('!'));
    }
    // So do, in another one, small forms.
    if let small @ 0xfe50..=0xfe6b = u32::from(c) {
        return ",,. ;:?!-(){}()#&*+-<>= \\$%@".chars().nth((small - 0xfe50) as usize);
    }
    PUNCTUATION.iter().find(|(_, all)| all.contains(c)).map(|(like, _)| *like)
}

/// Whether a letter is of a script of which many letters look like Latin ones, or is such a letter of another
/// script, of which the others serve mathematics.
fn resembles_latin(c: char) -> bool {
    matches!(c,
        // Cyrillic; Armenian; Cherokee; Coptic; Lisu; Deseret; Roman numbers.
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}'
        | '\u{531}'..='\u{588}'
        | '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}'
        | '\u{2c80}'..='\u{2cff}'
        | '\u{a4d0}'..='\u{a4ff}'
        | '\u{10400}'..='\u{1044f}'
        | '\u{2160}'..='\u{2188}'
        // Greek letters that nobody uses for their own sake, as they cannot be told from Latin ones.
        | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ' | 'ο'
        // Letters of phonetics.
        | 'ɑ' | 'ɡ' | 'ı' | 'ȷ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screened(text: &str) -> Result<(), Refusal> {
        length(text)?;
        characters(text, 0..text.len())?;
        white_space(text, 0..text.len())?;
        look_alikes(text, 0..text.len())
    }

    #[test]
    fn mathematics_and_other_scripts_pass() {
        for text in [
            "intro α' hₙ x₁ β_2 h'",
            "exact ⟨∀ x ∈ ℕ, ∃ y ∈ ℤ, y ≤ x, ‹p›, «a b»⟩",
            "· exact a ∣ b − c ∗ d • e ∘ f ↔ ¬ g ≠ ⊢ ⟦x⟧ ⦃y⦄",
            "exact hα.le_of_Σ δx εs μν λx Δt 𝓝 𝟙 ℓ",
            "сумма числа_1 größe naïve été λόγος ΑΒΓ",
            "a\n\tb\r\nc",
        ] {
            assert_eq!(screened(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        for c in ['\0', '\u{1b}', '\r', '\u{b}', '\u{c}', '\u{7f}', '\u{85}', '\u{9b}'] {
            assert_eq!(screened(&format!("ab{c}c")), Err(Refusal::Control { character: c, at: 2 }), "{c:?}");
        }
        for c in "\u{ad}\u{200b}\u{200d}\u{202e}\u{2066}\u{2028}\u{feff}\u{e0041}\u{fe0f}\u{3164}".chars() {
            assert_eq!(
                screened(&format!("ab{c}c")),
                Err(Refusal::Invisible { character: c, at: 2 }),
                "{c:?}"
            );
        }
        for c in ['\u{a0}', '\u{2003}', '\u{3000}', '\u{202f}', '\u{1680}'] {
            assert_eq!(
                screened(&format!("ab{c}c")),
                Err(Refusal::WhiteSpace { character: c, at: 2 }),
                "{c:?}"
            );
        }
    }

    #[test]
    fn what_looks_like_punctuation_is_refused_and_named() {
        let alike = [
            ('.', "․。．﹒｡"),
            (';', "\u{37e}；﹔"),
            (':', "∶：﹕"),
            ('(', "（﹙"),
            (')', "）﹚"),
            ('[', "［"),
            ('{', "｛﹛"),
            ('"', "“”＂"),
            ('\'', "‘’＇\u{374}"),
            ('a', "ａ"),
            ('#', "＃﹟"),
            ('-', "–—‐"),
            ('@', "﹫＠"),
        ];
        for (like, all) in alike {
            for character in all.chars() {
                let found = screened(&format!("ab{character}c"));
                assert_eq!(found, Err(Refusal::LookAlike { character, like, at: 2 }), "{character}");
            }
        }
    }

    #[test]
    fn words_of_two_scripts_are_refused() {
        for (text, word, character) in [
            ("exact аdmit", "аdmit", 'а'),
            ("(Ρrint)", "Ρrint", 'Ρ'),
            ("a.sоrry.b", "sоrry", 'о'),
            ("Ꭰef x", "Ꭰef", 'Ꭰ'),
            ("hօ", "hօ", 'օ'),
            ("Ⅼoad", "Ⅼoad", 'Ⅼ'),
        ] {
            let at = text.find(word).unwrap();
            let word = word.to_owned();
            assert_eq!(screened(text), Err(Refusal::MixedScripts { word, character, at }), "{text}");
        }
    }

    #[test]
    fn lengths_and_brackets_count() {
        assert_eq!(length(&"a".repeat(MAX_BYTES)), Ok(()));
        assert_eq!(length(&"a".repeat(MAX_BYTES + 1)), Err(Refusal::TooLong(MAX_BYTES + 1)));
        let check = |text: &str| balanced(text.char_indices().map(|(at, c)| (c, at)));
        assert_eq!(check("([{⟨⟩}])()"), Ok(()));
        assert_eq!(check("([)]"), Err(Refusal::Unbalanced { bracket: ')', at: 2 }));
        assert_eq!(check("(a))"), Err(Refusal::Unbalanced { bracket: ')', at: 3 }));
        assert_eq!(check("a(("), Err(Refusal::Unbalanced { bracket: '(', at: 2 }));
    }
}
