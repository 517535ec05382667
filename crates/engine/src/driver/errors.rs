//! The most frequent of the messages with which tactics fail.

use std::collections::HashMap;

use andor_artifact::result::FrequentError;

/// The message that most tactics fail with, but for what it quotes: the first of them. Empty messages say nothing.
pub(super) fn most_frequent<'a>(messages: impl Iterator<Item = &'a str>) -> Option<FrequentError> {
    let mut kinds: HashMap<String, (u64, usize, &str)> = HashMap::new();
    let mut of = 0;
    for (at, message) in messages.map(essence).filter(|message| !message.is_empty()).enumerate() {
        of += 1;
        kinds.entry(kind(message)).or_insert((0, at, message)).0 += 1;
    }
    let most = kinds.into_values().max_by_key(|&(tactics, first, _)| (tactics, std::cmp::Reverse(first)));
    most.map(|(tactics, _, message)| FrequentError { message: message.to_owned(), tactics, of })
}

/// The line that says what is wrong: the first one, or the first below the hypotheses that Rocq begins with.
fn essence(message: &str) -> &str {
    let mut lines = message.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_hypothesis = |line: &&str| line.starts_with(' ') || line.contains(" : ");
    match first.trim() {
        "In environment" => lines.find(|line| !is_hypothesis(line)).unwrap_or(first),
        _ => first,
    }
}

/// The message without what it quotes.
fn kind(message: &str) -> String {
    let (mut kind, mut quoted) = (String::new(), false);
    for c in message.chars() {
        match c {
            '"' | '`' | '\'' => quoted = !quoted,
            '“' | '‘' => quoted = true,
            '”' | '’' => quoted = false,
            _ if quoted => {}
            c => kind.push(c),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_messages_quote_makes_no_difference() {
        let messages = [
            "Cannot find witness.",
            "In environment\nn : nat\nIHn : n + 0 =\n      n\nUnable to unify \"S n\" with \"n\".",
            "",
            "Unable to unify \"0\" with \"1\".",
            "Unknown identifier `foo`\nmore",
        ];
        let error = most_frequent(messages.into_iter()).unwrap();
        assert_eq!(error.message, "Unable to unify \"S n\" with \"n\".");
        assert_eq!((error.tactics, error.of), (2, 4));
        assert_eq!(most_frequent(["", " "].into_iter()), None);
        assert_eq!(most_frequent(["b", "a"].into_iter()).unwrap().message, "b", "the first of equals");
    }
}
