//! The screen for tactics of `mini`: a tactic must be one block that stays in its place in the script.
//!
//! The text may have several lines. Further lines are shifted together with the first, so relative columns are
//! preserved; no line may be left of the first, which begins at column 0. Whether the block can be parsed is for the
//! prover to say.

use andor_mini::judge::GIVING_UP;
use andor_mini::syntax::token::{COMMANDS, Located, Token, tokens};

use andor_env::screen::{Refusal, Unclosed, balanced, characters, code, length, white_space};
use andor_lean_language::keywords::is_command;

/// Checks that a text is one block of tactics, and trims it.
pub(super) fn block(text: &str) -> Result<&str, Refusal> {
    let block = text.trim();
    length(block)?;
    characters(block, 0..block.len())?;
    let tokens = tokens(block).map_err(|error| match error.span.start {
        at if block[at..].starts_with('\t') => Refusal::WhiteSpace { character: '\t', at },
        at => Refusal::from(Unclosed { what: "comment", at }),
    })?;
    let first = tokens.first().ok_or(Refusal::Empty)?;
    if first.span.start > 0 {
        // In the script, the tactics after the comment would be indented deeper than their neighbours.
        return Err(Refusal::Lead { what: "a comment" });
    }
    let spans = || tokens.iter().map(|t| t.span.start..t.span.end);
    code(block, spans(), &[])?;
    // Between tokens there are only comments and white space, which the prover accepts in any form.
    let ends = std::iter::once(0).chain(spans().map(|s| s.end));
    let starts = spans().map(|s| s.start).chain([block.len()]);
    for gap in ends.zip(starts).map(|(end, start)| end..start) {
        let blank =
            block[gap.clone()].find(|c: char| !c.is_whitespace()).map_or(gap.end, |at| gap.start + at);
        white_space(block, gap.start..blank)?;
    }
    tokens.iter().enumerate().try_for_each(|(at, token)| word(token, tokens.get(at + 1)))?;
    let brackets = tokens.iter().filter_map(|t| match t.token {
        Token::Symbol(symbol) => Some((symbol.chars().next()?, t.span.start)),
        _ => None,
    });
    balanced(brackets)?;
    Ok(block)
}

/// Rejects a token that cannot occur in a tactic.
fn word(token: &Located, next: Option<&Located>) -> Result<(), Refusal> {
    let at = token.span.start;
    let command =
        |word: &str| Refusal::Command { word: word.to_owned(), does: "stands at the top of a file", at };
    match &token.token {
        Token::Ident(name) if GIVING_UP.contains(&&**name) => {
            Err(Refusal::GivesUp { word: name.to_string(), at })
        }
        Token::Keyword(word) if GIVING_UP.contains(word) => {
            Err(Refusal::GivesUp { word: (*word).to_owned(), at })
        }
        Token::Ident(name) if is_command(name) || &**name == "run_tac" => Err(command(name)),
        Token::Keyword(word) if COMMANDS.contains(word) => Err(command(word)),
        Token::Symbol("@[") => Err(command("@[")),
        Token::Symbol("#") => match next.map(|n| &n.token) {
            Some(Token::Ident(name)) => Err(command(&format!("#{name}"))),
            _ => Err(command("#")),
        },
        // In Lean a string could hide the text after it.
        Token::Unknown('"') => Err(Refusal::Foreign { what: "a string", at }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use andor_mini::prover::theorems;
    use proptest::prelude::*;

    use super::*;
    use andor_env::screen::MAX_BYTES;

    proptest! {
        #[test]
        fn what_passes_leaves_the_next_theorem_alone(
            parts in prop::collection::vec(
                "exact|trivial|intro|h|sorry|theorem|lemma|axiom|end|open|@\\[|simp|\\]|#eval|by|have|: True| :=|\n|\n  | |  |·|\\||=>|--|/-|-/|\\(|\\)|⟨|⟩|\\{|\\}|;|<;>|\"|,|calc|_|1",
                0..14,
            )
        ) {
            let text = parts.join(" ").replace("\n ", "\n");
            if let Ok(block) = block(&text) {
                let lines: String = block.lines().map(|line| format!("  {line}\n")).collect();
                let file = format!("theorem t : True := by\n{lines}theorem after : True := trivial\n");
                if let Ok(found) = theorems(&file) {
                    let stated: Vec<&str> = found.iter().map(|t| &file[t.statement.clone()]).collect();
                    prop_assert_eq!(stated.len(), 2, "{}", file);
                    prop_assert_eq!(stated[0].trim(), "theorem t : True", "{}", file);
                    prop_assert_eq!(stated[1].trim(), "theorem after : True", "{}", file);
                }
            }
        }
    }

    #[test]
    fn blocks_of_tactics_pass() {
        for ok in [
            "exact h",
            "  simp [Nat.add_comm]\n",
            "intro h -- sorry, theorem\nexact h",
            "constructor <;> simp",
            "constructor\n· exact ha\n· exact hb",
            "cases h with\n| inl a =>\n  exact a\n| inr b => exact b",
            "induction n generalizing m with\r\n| zero => rfl\r\n| succ n ih => exact ih",
            "calc a = b := h\n  _ = c := h'",
            "have h₁ : ∀ x ∈ s, x ∣ n := by\n  intro x hx\n  exact f α' ⟨x, hx⟩ /- “so” /- nested -/ -/",
            "first | rfl | (simp; done)",
            "rcases h with ⟨x, y | z⟩",
            "exact sorry_not; apply admits; exact Foo.sorry",
            "rw [h.1, ← h.2.axiom] at hx ⊢",
            "exact сумма",
            "exact @foo _ _",
        ] {
            assert!(block(ok).is_ok(), "{ok}: {:?}", block(ok));
        }
        assert_eq!(block(" exact h \n"), Ok("exact h"));
    }

    #[test]
    fn what_is_no_block_of_tactics_is_refused() {
        for (text, refusal) in [
            ("", Refusal::Empty),
            ("-- nothing", Refusal::Empty),
            ("-- a comment\nexact h", Refusal::Lead { what: "a comment" }),
            ("/- a -/ exact h", Refusal::Lead { what: "a comment" }),
            ("exact h /- a", Unclosed { what: "comment", at: 8 }.into()),
            ("exact h /- a /- b -/", Unclosed { what: "comment", at: 8 }.into()),
            ("exact (h", Refusal::Unbalanced { bracket: '(', at: 6 }),
            ("exact h)", Refusal::Unbalanced { bracket: ')', at: 7 }),
            ("exact ⟨h]", Refusal::Unbalanced { bracket: ']', at: 10 }),
            ("trace \"a -- b\"", Refusal::Foreign { what: "a string", at: 6 }),
            ("exact h\u{a0}x", Refusal::WhiteSpace { character: '\u{a0}', at: 7 }),
            ("exact h\u{2028}x", Refusal::Invisible { character: '\u{2028}', at: 7 }),
            ("exact h\rx", Refusal::Control { character: '\r', at: 7 }),
            ("exact “h", Refusal::LookAlike { character: '“', like: '"', at: 6 }),
            ("exact （h)", Refusal::LookAlike { character: '（', like: '(', at: 6 }),
        ] {
            assert_eq!(block(text), Err(refusal), "{text:?}");
        }
        assert!(matches!(block(&"x ".repeat(MAX_BYTES)), Err(Refusal::TooLong(_))));
        let mixed = block("exact sоrry");
        assert!(matches!(mixed, Err(Refusal::MixedScripts { character: 'о', .. })), "{mixed:?}");
    }

    #[test]
    fn commands_are_refused_wherever_they_stand() {
        for (text, word) in [
            ("trivial\ntheorem x : False := h", "theorem"),
            ("trivial\nend", "end"),
            ("exact h axiom x : False", "axiom"),
            ("open Nat in simp", "open"),
            ("set_option maxRecDepth 9 in simp", "set_option"),
            ("trivial\n@[simp]", "@["),
            ("trivial\n#eval 1", "#eval"),
            ("trivial\n#exit", "#exit"),
            ("# print axioms t", "#print"),
            ("macro \"a\" : tactic => `(tactic| sorry)", "macro"),
            ("local notation x => y", "local"),
            ("run_tac foo", "run_tac"),
            ("instance : Foo := h", "instance"),
        ] {
            match block(text) {
                Err(Refusal::Command { word: found, .. }) => assert_eq!(found, word, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn giving_up_is_refused_wherever_it_stands() {
        for text in
            ["sorry", "exact sorry", "all_goals admit", "exact ⟨h, sorry⟩", "exact sorryAx _", "(sorry)"]
        {
            assert!(matches!(block(text), Err(Refusal::GivesUp { .. })), "{text}: {:?}", block(text));
        }
    }
}
