//! Tactics as single requests.

/// A text of one or more tactics as one tactic, which is what both servers take at a time. Its lines keep their columns, so that
/// what is within a string does not change.
pub(super) fn one_tactic(text: &str) -> String {
    format!("(\n{text}\n)")
}

/// Whether a text has a name in it, as a word of its own.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '!' | '?');
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_word(c) || c == '.') && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_word() {
        assert!(
            mentions("exact foo.bar 1", "foo.bar") && mentions("(foo)", "foo") && mentions("foo.symm", "foo")
        );
        assert!(
            !mentions("exact foobar", "foo") && !mentions("exact a.foo", "foo") && !mentions("foo'", "foo")
        );
    }
}
