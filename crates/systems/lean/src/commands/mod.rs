//! Refuses files that could do more than declare and prove: submissions, challenges and headers.
//!
//! Lean can run any code while it compiles a file, and such code could write files, start programs, or put
//! declarations past the kernel. So commands that run code of the file itself are refused, as are attributes that
//! attach such code, and options that are not known to be harmless. Lean reads a command wherever one can begin, and
//! files can define symbols by which it reads strings and comments elsewhere than expected. So Lean gets the file
//! without its comments, and the words are searched in all of the rest, whether it looks like code or not.
//!
//! Which words begin commands of other libraries is read from their compiled files (`words.rs` of `audit`).

mod attributes;
pub(super) mod imported;
mod options;
mod raw;
mod words;

use andor_env::screen::{Refusal, characters, white_space};
use andor_lean_language::keywords::{PLAIN_COMMANDS, PRINTING_COMMANDS, begins_command, hash_commands};
use andor_lean_language::lexer::{Kind, Token, is_new_letter, tokens, without_comments};

/// The code of a file, for Lean: without the comments, at the same lines and columns.
///
/// # Errors
///
/// Anything in it that is not known to be harmless.
pub fn harmless(text: &str) -> Result<String, Refusal> {
    let all = tokens(text)?;
    anywhere(text)?;
    let has_symbols = defines_symbols(&all);
    for (at, token) in all.iter().enumerate() {
        token.apart_from_comment(text, has_symbols)?;
        apart(token, at.checked_sub(1).map(|before| &all[before]))?;
    }
    for token in &all {
        if !matches!(token.kind, Kind::String | Kind::Char | Kind::Doc) {
            characters(text, token.start..token.end())?;
            white_space(text, token.start..token.end())?;
        }
    }
    // Lean allows a documentation comment before the header.
    if let Some(first) = all.iter().find(|token| token.kind != Kind::Doc)
        && words::HEADERS.contains(&first.text)
    {
        return Err(outside(first, "changes what the file can refer to"));
    }
    symbols(&all)?;
    for (at, token) in all.iter().enumerate() {
        match token.kind {
            Kind::Word => word(&all, at)?,
            Kind::Symbol if matches!(token.text, "@[") => attributes::check(&all[at + 1..])?,
            Kind::Symbol if token.text == "#" => hash(token, all.get(at + 1))?,
            _ => {}
        }
    }
    raw::check(text, &all)?;
    Ok(without_comments(text)?)
}

/// Refuses a literal that Lean may read in another way, since a symbol may end in a quote or in `r`.
fn apart(token: &Token<'_>, before: Option<&Token<'_>>) -> Result<(), Refusal> {
    let Some(before) = before.filter(|_| !token.is_apart) else { return Ok(()) };
    let is_separate = before.opens() || matches!(before.text, "," | ";" | ":") || before.kind == Kind::Number;
    let what = match token.kind {
        Kind::String if before.kind == Kind::Word && before.text.ends_with('!') => return Ok(()),
        Kind::String => "a string without a space before it",
        Kind::Char => "a character without a space before it",
        _ => return Ok(()),
    };
    match is_separate {
        true => Ok(()),
        false => Err(Refusal::Foreign { what, at: token.start }),
    }
}

/// Some words are refused even in comments and strings, in case Lean reads the text differently.
fn anywhere(text: &str) -> Result<(), Refusal> {
    let found = words::ANYWHERE.iter().filter_map(|(word, effect)| Some((text.find(word)?, word, effect)));
    match found.min_by_key(|(at, ..)| *at) {
        Some((at, &word, &Effect::Runs)) => {
            Err(Refusal::Outside { command: word.to_owned(), effect: words::RUNS, at })
        }
        Some((at, &word, &Effect::Unchecked)) => Err(Refusal::Unchecked { what: word.to_owned(), at }),
        None => Ok(()),
    }
}

/// What a word does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// It runs code of the file.
    Runs,
    /// It makes the kernel accept what it did not check.
    Unchecked,
}

/// Whether a file may define symbols.
fn defines_symbols(all: &[Token<'_>]) -> bool {
    all.iter().any(|token| token.kind == Kind::Word && words::NOTATIONS.contains(&token.text))
}

/// Refuses symbols that could hide code from a reader: those that contain the beginning or end of a comment, a
/// string or a quoted name.
fn symbols(all: &[Token<'_>]) -> Result<(), Refusal> {
    if !defines_symbols(all) {
        return Ok(());
    }
    let hides = |token: &&Token<'_>| {
        let inner = token.text.trim_start_matches('"').trim_end_matches('"');
        token.kind == Kind::String && words::HIDING.iter().any(|part| inner.contains(part))
    };
    match all.iter().find(hides) {
        Some(token) => {
            Err(outside(token, "could become a symbol that makes code look like a comment or a string"))
        }
        None => Ok(()),
    }
}

/// Refuses a word that is not allowed, and the options that follow it.
fn word(all: &[Token<'_>], at: usize) -> Result<(), Refusal> {
    let token = &all[at];
    let next = all.get(at + 1);
    let plain: String = token.text.chars().filter(|c| !matches!(c, '«' | '»')).collect();
    let name = plain.strip_prefix("_root_.").unwrap_or(&plain);
    match token.text {
        "set_option" => return options::check(token, next),
        "attribute" => {
            return match next {
                Some(next) if next.is_symbol("[") => attributes::check(&all[at + 2..]),
                _ => Err(outside(token, "needs a list of attributes behind it")),
            };
        }
        "unsafe" if is_rule_of_aesop(all, at) => return Ok(()),
        _ => {}
    }
    let is_of =
        |begin: &str| name.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if words::INTERNAL.iter().any(|begin| is_of(begin)) {
        return Err(outside(token, "gives access to Lean itself, by which a file can run programs"));
    }
    // Older versions end a name before such a letter, so a part of it can be a word of its own.
    for part in token.text.split(is_new_letter) {
        let allowed = !begins_command(part) || PLAIN_COMMANDS.contains(&part);
        if !allowed || words::RUNNING.contains(&part) {
            return Err(outside(token, words::RUNS));
        }
    }
    Ok(())
}

/// Whether `unsafe` is the name of a phase of Aesop's rules, as in `aesop (add unsafe 50% h)`.
fn is_rule_of_aesop(all: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &all[before]);
    let next = all.get(at + 1);
    before.is_some_and(|before| before.is_word("aesop") || before.is_word("add"))
        && next.is_some_and(|next| next.kind == Kind::Number || words::BUILDERS.contains(&next.text))
}

/// Refuses commands with a `#` that do more than print.
fn hash(token: &Token<'_>, next: Option<&Token<'_>>) -> Result<(), Refusal> {
    let Some(next) = next.filter(|next| next.kind == Kind::Word && !next.is_apart) else { return Ok(()) };
    // Lean reads `#eval` in `#evaluate`, too.
    let command = hash_commands().filter(|command| next.text.starts_with(command)).max_by_key(|c| c.len());
    match command {
        Some(command) if !PRINTING_COMMANDS.contains(&command) => {
            let effect = "does more than print";
            Err(Refusal::Outside { command: format!("#{}", next.text), effect, at: token.start })
        }
        _ => Ok(()),
    }
}

fn outside(token: &Token<'_>, effect: &'static str) -> Refusal {
    Refusal::Outside { command: token.text.to_owned(), effect, at: token.start }
}

#[cfg(test)]
mod tests;
