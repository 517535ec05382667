//! What a tactic says should stand in its place: `Try this: …`, as `exact?`, `simp?` and the like print it.
//!
//! Such a tactic searches, and a script that keeps it searches again with every check. A suggestion takes the place of the one
//! step that made it, so the steps around it stay: `intro h; exact?` becomes `intro h; exact f h`. The result is only a
//! candidate, which is tried like any other.

use super::dialect::suggestions;
use andor_lean_language::lexer::{Kind, Token, readable};

/// How many texts are made of the suggestions to one tactic.
const MOST: usize = 16;

/// A message about a tactic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said<'a> {
    /// The byte of the tactic at which the step begins that it is about, if known.
    pub(super) at: Option<usize>,
    /// Its text.
    pub(super) message: &'a str,
}

/// A step of the tactic, and the texts that were suggested for it.
struct Step {
    start: usize,
    end: usize,
    /// The column at which further lines of another text begin.
    column: usize,
    /// Whether a text of several steps needs parentheses there.
    is_operand: bool,
    /// Whether it may have run on several goals.
    is_repeated: bool,
    texts: Vec<String>,
}

/// The tactic with its suggestions in place, best first. If several steps made some, each text has those of all of them.
pub(super) fn suggested<'a>(tactic: &str, said: impl IntoIterator<Item = Said<'a>>) -> Vec<String> {
    let (tokens, _) = readable(tactic);
    let mut steps: Vec<Step> = Vec::new();
    for Said { at, message } in said {
        let texts = suggestions(message);
        if texts.is_empty() {
            continue;
        }
        let Some(at) = at.map_or_else(|| only_asking(&tokens), Some) else { continue };
        let Some(first) = tokens.iter().position(|token| token.start == at) else { continue };
        let known = steps.iter().position(|step| step.start == at);
        let known = known.unwrap_or_else(|| {
            steps.push(step(&tokens, first));
            steps.len() - 1
        });
        let known = &mut steps[known].texts;
        for text in texts {
            if !known.contains(&text) {
                known.push(text);
            }
        }
    }
    for step in &mut steps {
        step.texts.extend(step.is_repeated.then(|| either(&step.texts)).flatten());
    }
    // The last ones first, so that the places of the others stay.
    steps.sort_by_key(|step| std::cmp::Reverse(step.start));
    let count = steps.iter().map(|step| step.texts.len()).max().unwrap_or_default().min(MOST);
    let mut made: Vec<String> = Vec::new();
    for number in 0..count {
        let mut text = tactic.to_owned();
        for step in &steps {
            let chosen = &step.texts[number.min(step.texts.len() - 1)];
            text.replace_range(step.start..step.end, &step.shown(chosen));
        }
        if text != tactic {
            made.push(text);
        }
    }
    made
}

impl Step {
    /// A text as it stands in place of the step.
    fn shown(&self, text: &str) -> String {
        let indented = |column: usize| text.replace('\n', &format!("\n{}", " ".repeat(column)));
        match self.is_operand && text.contains(['\n', ';']) {
            true => format!("({})", indented(self.column + 1)),
            false => indented(self.column),
        }
    }
}

/// The only step that asks for suggestions, by its name; or the only step.
fn only_asking(tokens: &[Token<'_>]) -> Option<usize> {
    let asks = |token: &&Token<'_>| token.kind == Kind::Word && token.text.ends_with('?');
    let mut asking = tokens.iter().filter(asks);
    match (asking.next(), asking.next()) {
        (Some(only), None) => Some(only.start),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let end = tokens.last()?.end();
            let first = step(tokens, 0);
            (first.end == end).then_some(first.start)
        }
    }
}

/// The step that begins with a token: up to what separates it from the next one, or closes a bracket around it.
fn step(tokens: &[Token<'_>], first: usize) -> Step {
    let Token { start, line, column, .. } = tokens[first];
    let mut depth = 0_usize;
    let mut end = tokens[first].end();
    for (at, token) in tokens.iter().enumerate().skip(first) {
        let separates = [";", "<;>", "|", ","].iter().any(|symbol| token.is_symbol(symbol));
        let is_below = token.line > line && token.column <= column;
        if at > first && depth == 0 && (separates || is_below || token.closes()) {
            break;
        }
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        end = token.end();
    }
    let before = first.checked_sub(1).map(|at| &tokens[at]);
    let is_after = |symbol| before.is_some_and(|token| token.is_symbol(symbol));
    let is_repeated = is_after("<;>")
        || before.is_some_and(|t| ["all_goals", "any_goals", "repeat"].iter().any(|word| t.is_word(word)));
    let is_operand = is_repeated || is_after(";") || is_after("|");
    Step { start, end, column, is_operand, is_repeated, texts: Vec::new() }
}

/// One text for several goals, of which each needs another one.
fn either(texts: &[String]) -> Option<String> {
    let is_plain = texts.len() > 1 && texts.iter().all(|text| !text.contains('\n'));
    is_plain.then(|| format!("(first | {})", texts.join(" | ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tactic: &str, said: &[(Option<usize>, &str)]) -> Vec<String> {
        suggested(tactic, said.iter().map(|&(at, message)| Said { at, message }))
    }

    #[test]
    fn a_suggestion_takes_the_place_of_its_step() {
        let message = "Try this:\n  [apply] exact f h";
        for (tactic, at, expected) in [
            ("exact?", 0, "exact f h"),
            ("intro h; exact? using x", 9, "intro h; exact f h"),
            ("simp? [f,\n  g] at h; omega", 0, "exact f h; omega"),
            ("constructor\n· exact?\n· apply?", 15, "constructor\n· exact f h\n· apply?"),
            ("apply?\nskip", 0, "exact f h\nskip"),
            ("first | exact? | simp", 8, "first | exact f h | simp"),
            ("refine ⟨by exact?, h⟩", 13, "refine ⟨by exact f h, h⟩"),
            ("ring", 0, "exact f h"),
        ] {
            assert_eq!(of(tactic, &[(Some(at), message)]), [expected], "{tactic}");
        }
        // Without a place, only if there is no doubt.
        for (tactic, expected) in [
            ("intro h; exact?", Some("intro h; exact f h")),
            ("ring", Some("exact f h")),
            ("simp; ring", None),
            ("simp? <;> exact?", None),
        ] {
            assert_eq!(of(tactic, &[(None, message)]).first().map(String::as_str), expected, "{tactic}");
        }
        assert!(of("exact f h", &[(None, message)]).is_empty(), "nothing else is suggested");
        assert!(of("exact?", &[(Some(3), message)]).is_empty(), "no step begins there");
    }

    #[test]
    fn several_suggestions_are_several_texts() {
        let several = "Try these:\n  [apply] simp\n  [apply] rw [a]\n  -- ⊢ p";
        assert_eq!(of("rw?", &[(None, several), (None, several)]), ["simp", "rw [a]"]);
        let block = "Try this:\n  [apply] intro h\n  exact h";
        assert_eq!(of("· aesop?", &[(None, block)]), ["· intro h\n  exact h"]);
        assert_eq!(of("skip; aesop?", &[(None, block)]), ["skip; (intro h\n       exact h)"]);
        let alternative = of("first | aesop? | simp", &[(None, block)]);
        assert_eq!(alternative, ["first | (intro h\n         exact h) | simp"]);
        let [left, right] = ["Try this: exact h.left", "Try this: exact h.right"];
        assert_eq!(
            of("constructor <;> exact?", &[(Some(16), left), (Some(16), right)]),
            [
                "constructor <;> exact h.left",
                "constructor <;> exact h.right",
                "constructor <;> (first | exact h.left | exact h.right)"
            ]
        );
        assert_eq!(
            of("· exact?\n· apply?", &[(Some(3), left), (Some(13), right)]),
            ["· exact h.left\n· exact h.right"]
        );
        // The step with fewer keeps its last.
        let [two, three] =
            ["Try these:\n  [apply] a\n  [apply] b", "Try these:\n  [apply] a\n  [apply] b\n  [apply] c"];
        assert_eq!(of("rw?; rw?", &[(Some(0), two), (Some(5), three)]), ["a; a", "b; b", "b; c"]);
    }
}
