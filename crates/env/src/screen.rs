//! The escape filter shared by all systems: rejects texts that must not be tried as tactics before a worker sees
//! them.
//!
//! The filter is not a judge. It confines a tactic to its place, so that a finished script consists of what was
//! tried, and it spares workers texts that cannot be tactics; whether the script proves the theorem is for the
//! checker to decide.

use std::ops::Range;

use crate::outline::Place;

/// Length limit of a tactic, in bytes. Human-written tactics stay below a tenth of it; longer texts come from models
/// that repeat themselves, would bloat every trace, and have crashed parsers of proof assistants before.
pub const MAX_BYTES: usize = 32 << 10;

/// Why a text is rejected. Positions are byte offsets in the trimmed text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Only white space and comments.
    #[error("the text is empty; write one tactic")]
    Empty,
    /// Longer than [`MAX_BYTES`].
    #[error("the text has {0} bytes; the maximum for a tactic is {MAX_BYTES}")]
    TooLong(usize),
    /// A control character other than a tab or a line break.
    #[error("control character U+{:04X} at byte {at}; remove it", u32::from(*.character))]
    Control {
        /// The character.
        character: char,
        /// Its position.
        at: usize,
    },
    /// An invisible character, or one that changes the display order of others.
    #[error("invisible character U+{:04X} at byte {at}; remove it", u32::from(*.character))]
    Invisible {
        /// The character.
        character: char,
        /// Its position.
        at: usize,
    },
    /// White space other than blanks, tabs and line breaks. Some assistants read it as part of a name.
    #[error("unusual white space U+{:04X} at byte {at}; use an ordinary space", u32::from(*.character))]
    WhiteSpace {
        /// The character.
        character: char,
        /// Its position.
        at: usize,
    },
    /// A character that looks like a significant ASCII character.
    #[error("`{character}` (U+{:04X}) at byte {at} looks like `{like}`; write `{like}`", u32::from(*.character))]
    LookAlike {
        /// The character.
        character: char,
        /// The ASCII character.
        like: char,
        /// Its position.
        at: usize,
    },
    /// A word that mixes ASCII letters with similar letters of another script.
    #[error(
        "`{word}` at byte {at} mixes Latin letters with `{character}` (U+{:04X}), which looks like one; \
         use one script", u32::from(*.character)
    )]
    MixedScripts {
        /// The word.
        word: String,
        /// Its first letter of another script.
        character: char,
        /// The start of the word.
        at: usize,
    },
    /// An unclosed comment or string.
    #[error(transparent)]
    Unclosed(#[from] Unclosed),
    /// An unmatched bracket.
    #[error("unmatched `{bracket}` at byte {at}; balance the brackets")]
    Unbalanced {
        /// The bracket.
        bracket: char,
        /// Its position.
        at: usize,
    },
    /// The text continues after the end of a tactic.
    #[error("there is more text after the tactic ends at byte {at}; write one tactic")]
    Several {
        /// The end of the tactic.
        at: usize,
    },
    /// A prefix that may precede a tactic but is not part of one.
    #[error("the text begins with {what}; write only the tactic, which applies to the current goal")]
    Lead {
        /// The prefix, for example `a bullet`.
        what: &'static str,
    },
    /// It begins with a command.
    #[error("`{word}` at byte {at} begins a command that {does}; only tactics are allowed")]
    Command {
        /// The word.
        word: String,
        /// The effect of such commands.
        does: &'static str,
        /// Its position.
        at: usize,
    },
    /// It ends in the middle of a tactic, and would take in what follows.
    #[error("the text ends with `{what}` at byte {at}, which needs more text; complete the tactic")]
    Dangling {
        /// The word or symbol.
        what: String,
        /// Its position.
        at: usize,
    },
    /// A placeholder that leaves a goal unproved.
    #[error("`{word}` at byte {at} gives up a goal; prove it, or leave it open")]
    GivesUp {
        /// The word.
        word: String,
        /// Its position.
        at: usize,
    },
    /// A construct that the system does not support.
    #[error("{what} at byte {at}: not allowed here")]
    Foreign {
        /// The construct.
        what: &'static str,
        /// Its position.
        at: usize,
    },
    /// A command with effects outside the file.
    #[error("`{command}` at byte {at} {effect}; remove it")]
    Outside {
        /// The command.
        command: String,
        /// Its effect.
        effect: &'static str,
        /// Its position.
        at: usize,
    },
    /// A sentence that begins with a word that is not a known command or tactic.
    #[error(
        "`{word}` at byte {at} does not begin a known command, so its effect is unknown; \
         if it is a tactic, put it in parentheses"
    )]
    Unknown {
        /// The word.
        word: String,
        /// Its position.
        at: usize,
    },
    /// A command of an imported library.
    #[error(
        "`{word}` at byte {at} begins a command that the imported module `{module}` defines, so its effect is unknown; \
         write what it stands for, or use it in the challenge, too"
    )]
    Imported {
        /// The word.
        word: String,
        /// The module.
        module: String,
        /// Its position.
        at: usize,
    },
    /// An unknown option.
    #[error("`{command}` at byte {at}: unknown option, so its effect is unknown; remove it")]
    UnknownOption {
        /// The command that sets or unsets it.
        command: String,
        /// Its position.
        at: usize,
    },
    /// A command that disables a kernel check, or makes the kernel accept an unchecked rule.
    #[error("`{what}` at byte {at} turns off a kernel check, and proofs need every check; remove it")]
    Unchecked {
        /// The command or attribute.
        what: String,
        /// Its position.
        at: usize,
    },
    /// A string that could define a symbol containing the start of a comment, so that comments and code could not be
    /// told apart.
    #[error(
        "the string at byte {at} contains `(*`, which a notation could turn into a symbol; separate the two with a space"
    )]
    CommentInString {
        /// The start of the string.
        at: usize,
    },
    /// A comment whose first character could be read as part of a preceding symbol, so that it would not be a
    /// comment.
    #[error(
        "a comment may be read as part of the symbol before it; separate them with a space, or with two behind a quote"
    )]
    CommentAfterSymbol {
        /// The start of the comment.
        at: usize,
    },
}

impl Refusal {
    /// The place in the text that is rejected, if there is one.
    pub fn place(&self, text: &str) -> Option<Place> {
        let at = match self {
            Self::Control { at, .. }
            | Self::Invisible { at, .. }
            | Self::WhiteSpace { at, .. }
            | Self::LookAlike { at, .. }
            | Self::MixedScripts { at, .. }
            | Self::Unbalanced { at, .. }
            | Self::Several { at, .. }
            | Self::Command { at, .. }
            | Self::Dangling { at, .. }
            | Self::GivesUp { at, .. }
            | Self::Foreign { at, .. }
            | Self::Outside { at, .. }
            | Self::Unknown { at, .. }
            | Self::Imported { at, .. }
            | Self::UnknownOption { at, .. }
            | Self::Unchecked { at, .. }
            | Self::CommentInString { at, .. }
            | Self::CommentAfterSymbol { at, .. } => *at,
            Self::Unclosed(unclosed) => unclosed.at,
            Self::Empty | Self::TooLong(_) | Self::Lead { .. } => return None,
        };
        text.is_char_boundary(at).then(|| Place::of(text, at))
    }
}

/// An unclosed comment or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {what} at byte {at} is not closed")]
pub struct Unclosed {
    /// `comment` or `string`.
    pub what: &'static str,
    /// Its start.
    pub at: usize,
}

/// Rejects texts that are too long for a tactic.
pub fn length(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_BYTES { Err(Refusal::TooLong(text.len())) } else { Ok(()) }
}

/// Rejects control characters, invisible characters, and characters that change the display order, anywhere in a
/// tactic: in code, comments and strings.
pub fn characters(text: &str, part: Range<usize>) -> Result<(), Refusal> {
    let known = |c: &char| matches!(c, ' '..='~' | '\n' | '\t');
    for (offset, character) in text[part.clone()].char_indices().filter(|(_, c)| !known(c)) {
        let at = part.start + offset;
        // Windows line breaks are allowed.
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

/// Rejects unusual white space and look-alikes in the code of a text.
///
/// `notation` are the look-alikes that the system's libraries use as symbols of their own.
pub fn code(
    text: &str,
    mut parts: impl Iterator<Item = Range<usize>>,
    notation: &[char],
) -> Result<(), Refusal> {
    parts
        .try_for_each(|part| white_space(text, part.clone()).and_then(|()| look_alikes(text, part, notation)))
}

/// Rejects white space in code other than blanks, tabs and line breaks.
pub fn white_space(text: &str, code: Range<usize>) -> Result<(), Refusal> {
    let unusual = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r');
    match text[code.clone()].char_indices().find(|(_, c)| unusual(*c)) {
        Some((at, character)) => Err(Refusal::WhiteSpace { character, at: code.start + at }),
        None => Ok(()),
    }
}

/// Rejects look-alikes of ASCII characters in code, without comments and strings.
///
/// Letters of other scripts and mathematical symbols are accepted, and so are words in a single script.
fn look_alikes(text: &str, code: Range<usize>, notation: &[char]) -> Result<(), Refusal> {
    let part = &text[code.clone()];
    if part.is_ascii() {
        return Ok(());
    }
    for (at, character) in part.char_indices() {
        if let Some(like) = looks_like(character).filter(|_| !notation.contains(&character)) {
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

/// Rejects unmatched brackets. `brackets` lists the brackets of a text with their positions.
pub fn balanced(brackets: impl IntoIterator<Item = (char, usize)>) -> Result<(), Refusal> {
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

/// Whether a character is invisible or changes the display order: Unicode's `Default_Ignorable_Code_Point` and
/// `Bidi_Control`, noncharacters, and private-use characters, whose appearance is undefined.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

/// Look-alikes of structural ASCII punctuation: sentence ends, brackets, quotes, separators, and the first characters
/// of comments, bullets and attributes. From Unicode's `confusables.txt` (UTS #39).
///
/// Mathematical signs are excluded although some are in that table: `∣ − ∗ ∕ ∙ ·` have meanings of their own.
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

/// The significant ASCII character that a character looks like, if any.
fn looks_like(c: char) -> Option<char> {
    // Fullwidth forms are in ASCII order.
    if ('\u{ff01}'..='\u{ff5e}').contains(&c) {
        return char::from_u32(u32::from(c) - 0xff01 + u32::from('!'));
    }
    // Small forms have an order of their own.
    if let small @ 0xfe50..=0xfe6b = u32::from(c) {
        return ",,. ;:?!-(){}()#&*+-<>= \\$%@".chars().nth((small - 0xfe50) as usize);
    }
    PUNCTUATION.iter().find(|(_, all)| all.contains(c)).map(|(like, _)| *like)
}

/// Whether a letter belongs to a script with many look-alikes of Latin letters, or is such a letter in a script
/// otherwise used in mathematics.
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
        // Greek letters that cannot be distinguished from Latin ones.
        | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ' | 'ο'
        // Phonetic letters.
        | 'ɑ' | 'ɡ' | 'ı' | 'ȷ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screened(text: &str) -> Result<(), Refusal> {
        length(text)?;
        characters(text, 0..text.len())?;
        white_space(text, 0..text.len())?;
        look_alikes(text, 0..text.len(), &[])
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
