//! Words that are refused wherever they stand in the code of a file, also in what looks like a string, a character or
//! a quoted name. Lean may read those differently, since a symbol of a library may end in a quote or in `r`, and
//! interpolated strings contain code.

use super::words;
use andor_env::screen::Refusal;
use andor_lean_language::keywords::{PLAIN_COMMANDS, PRINTING_COMMANDS, begins_command, hash_commands};
use andor_lean_language::lexer::{Kind, Token, in_name, is_new_letter};

/// Words that are refused in literals only: elsewhere, what follows them is read.
const READ_IN_CODE: &[&str] = &["set_option", "attribute", "unsafe"];

/// Checks the code of a file, that is, everything but its comments.
pub(super) fn check(text: &str, all: &[Token<'_>]) -> Result<(), Refusal> {
    let mut end = 0;
    for (index, first) in all.iter().enumerate() {
        if first.start < end || first.kind == Kind::Doc {
            continue;
        }
        // Tokens without space between them may be divided in another way.
        let mut last = first;
        for next in &all[index + 1..] {
            if next.start > last.end() || next.kind == Kind::Doc {
                break;
            }
            last = next;
        }
        end = last.end();
        words_of(text, first.start, end, all)?;
    }
    Ok(())
}

fn words_of(text: &str, start: usize, end: usize, all: &[Token<'_>]) -> Result<(), Refusal> {
    let part = &text[start..end];
    let is_divided = |c: char| !in_name(c) || is_new_letter(c);
    let mut at = start;
    for word in part.split(is_divided) {
        // Where a word makes no sense, Lean goes on behind its first character, and behind a number in any case.
        let mut before = None;
        for (from, c) in word.char_indices() {
            refused(&word[from..], before.is_some_and(char::is_alphabetic), at + from, all)?;
            before = Some(c);
        }
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    for (hash, _) in part.match_indices('#') {
        let behind = &part[hash + 1..];
        let command = hash_commands().filter(|command| behind.starts_with(command)).max_by_key(|c| c.len());
        if let Some(command) = command.filter(|command| !PRINTING_COMMANDS.contains(command)) {
            let effect = "does more than print";
            return Err(Refusal::Outside { command: format!("#{command}"), effect, at: start + hash });
        }
    }
    if let Some(list) = part.match_indices("@[").find(|(list, _)| !is_token(all, start + list)) {
        let effect = "is a list of attributes in a literal, which Lean could read as code";
        return Err(Refusal::Outside { command: "@[".to_owned(), effect, at: start + list.0 });
    }
    Ok(())
}

/// Refuses a word, which may be the end of another one.
fn refused(word: &str, is_ending: bool, at: usize, all: &[Token<'_>]) -> Result<(), Refusal> {
    let is_command = begins_command(word) && !PLAIN_COMMANDS.contains(&word);
    let is_allowed = match is_command || words::RUNNING.contains(&word) {
        _ if READ_IN_CODE.contains(&word) => is_token(all, at),
        true => is_ending && words::ENDINGS.contains(&word),
        false => true,
    };
    match is_allowed {
        true => Ok(()),
        false => Err(Refusal::Outside { command: word.to_owned(), effect: words::RUNS, at }),
    }
}

/// Whether a token begins here, and is no literal.
fn is_token(all: &[Token<'_>], at: usize) -> bool {
    let index = all.binary_search_by_key(&at, |token| token.start);
    index.is_ok_and(|index| matches!(all[index].kind, Kind::Word | Kind::Symbol))
}
