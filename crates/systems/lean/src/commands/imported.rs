//! Commands that an imported library defines.

use andor_env::screen::Refusal;
use andor_lean_language::keywords::{MODIFIERS, PLAIN_COMMANDS, PRINTING_COMMANDS, hash_commands};
use andor_lean_language::lexer::{in_name, is_new_letter, without_comments};

/// Refuses the words of commands that libraries define, each given with its module, unless the command is known to do
/// no harm, or the challenge has it, too.
///
/// # Errors
///
/// The first such word in the code.
pub(crate) fn known<'w>(
    code: &str,
    challenge: &str,
    defined: impl Iterator<Item = (&'w str, &'w str)>,
) -> Result<(), Refusal> {
    // What the challenge says in a comment is no use of a command.
    let challenge = without_comments(challenge).unwrap_or_default();
    let unknown = defined.filter(|(word, _)| !is_plain(word));
    let used = unknown.filter_map(|(word, module)| Some((find(code, word)?, word, module)));
    let first = used.filter(|(_, word, _)| find(&challenge, word).is_none()).min();
    match first {
        Some((at, word, module)) => {
            Err(Refusal::Imported { word: word.to_owned(), module: module.to_owned(), at })
        }
        None => Ok(()),
    }
}

/// Whether it is known that a command with this word runs nothing, and declares nothing without Lean's kernel.
fn is_plain(word: &str) -> bool {
    // The longest command that it begins with: `#check_failure` is a `#check`.
    if let Some(printing) = word.strip_prefix('#') {
        let known = hash_commands().filter(|command| printing.starts_with(command)).max_by_key(|c| c.len());
        return known.is_some_and(|command| PRINTING_COMMANDS.contains(&command));
    }
    let name = word.split(|c| !in_name(c)).next().unwrap_or(word);
    PLAIN_COMMANDS.contains(&name) || MODIFIERS.contains(&name)
}

/// Where a word stands in the code, also in what looks like a literal.
fn find(code: &str, word: &str) -> Option<usize> {
    let begins_as_name = word.starts_with(in_name);
    let ends_as_name = word.ends_with(in_name) && begins_as_name;
    let stands = |at: &usize| {
        let behind = code[at + word.len()..].chars().next();
        let goes_on = ends_as_name && behind.is_some_and(|c| in_name(c) && !is_new_letter(c));
        !(goes_on || begins_as_name && ends_a_name(&code[..*at]))
    };
    code.match_indices(word).map(|(at, _)| at).find(stands)
}

/// Whether what follows the text would be part of a name at its end, quoted names included.
fn ends_a_name(text: &str) -> bool {
    if text.ends_with('«') {
        return true;
    }
    let is_inner = |c: char| in_name(c) && !is_new_letter(c);
    let trimmed = text.trim_end_matches(|c| is_inner(c) || c == '.');
    let name = &text[trimmed.len()..];
    // A number ends where a letter follows, and so does `..`.
    let begins = name.starts_with(|c: char| in_name(c) && !c.is_ascii_digit()) || trimmed.ends_with('»');
    begins && !name.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINED: &[(&str, &str)] = &[
        ("grant", "Lib.A"),
        ("#trust", "Lib.B"),
        ("lemma", "Lib.C"),
        ("#print_all", "Lib.C"),
        ("scoped[", "Lib"),
    ];

    fn refused(code: &str) -> Option<(String, usize)> {
        match known(code, "#trust a", DEFINED.iter().copied()) {
            Ok(()) => None,
            Err(Refusal::Imported { word, at, .. }) => Some((word, at)),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn words_of_libraries_are_found_wherever_lean_could_read_them() {
        for (code, at) in [
            ("grant foo : False", 0),
            ("theorem a : True := trivial\ngrant foo", 28),
            ("theorem a : True := by trivial grant foo", 31),
            ("theorem a : True :=\n  f ..grant foo", 26),
            ("def n := 7grant foo", 10),
            ("def n := 1.grant foo", 11),
            ("def n := 0x1grant foo", 12),
            ("private grant", 8),
            ("def s := \"grant\"", 10),
            ("x)grant", 2),
        ] {
            assert_eq!(refused(code), Some(("grant".to_owned(), at)), "{code}");
        }
    }

    #[test]
    fn other_names_and_plain_commands_pass() {
        for code in [
            "theorem granted : True := trivial",
            "theorem a : p := h.grant",
            "theorem a : p := Lib.grant_of x1.grant",
            "theorem a : p := «grant»",
            "lemma a : p := trivial\n#print_all a\n#trust b\nscoped[A] notation",
            "def grant' := 1",
        ] {
            assert_eq!(refused(code), None, "{code}");
        }
        let error = known("\ngrant a", "", DEFINED.iter().copied()).unwrap_err().to_string();
        assert!(error.contains("`grant` at byte 1") && error.contains("`Lib.A`"), "{error}");
        assert!(known("#trust b", "", DEFINED.iter().copied()).is_err());
    }
}
