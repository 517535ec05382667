//! The screen for tactics of Lean: a tactic must be one block that stays in its place in the script.
//!
//! The text may have several lines. Further lines are shifted together with the first, so relative columns are
//! preserved; no line is left of the first, which begins at column 0. Whether the block can be parsed is for Lean to
//! say. When it cannot, Lean goes on at the next word that begins a command, wherever it stands, so no such word may
//! be in the text at all.

use std::ops::Range;

use super::keywords::{GIVING_UP, HASH_COMMANDS, is_command};
use super::lexer::{Kind, Token, is_new_letter, tokens};
use crate::screen::{Refusal, balanced, characters, code, length};

/// Words that continue the tactic before them, or a declaration.
const CONTINUE: &[&str] = &[
    "at",
    "with",
    "using",
    "from",
    "generalizing",
    "in",
    "then",
    "else",
    "only",
    "extends",
    "hiding",
    "renaming",
];

/// Words that need text after them, and would take it from the next tactic.
const BEGIN: &[&str] = &[
    "by",
    "at",
    "with",
    "using",
    "from",
    "generalizing",
    "in",
    "then",
    "else",
    "fun",
    "let",
    "have",
    "show",
    "suffices",
    "exact",
    "refine",
    "apply",
    "do",
    "if",
    "match",
    "calc",
    "forall",
    "exists",
    "case",
    "next",
    "first",
    "try",
    "repeat",
    "all_goals",
    "any_goals",
    "on_goal",
    "focus",
    "conv",
];

/// Symbols that need text after them.
const OPERATORS: &[&str] = &[
    ":=", "=>", "↦", "<;>", "<|>", ",", ":", "->", "→", "←", "<-", "·", "+", "-", "/", "^", "=", "<", ">",
    "≤", "≥", "≠", "∧", "∨", "↔", "<->", "&", "::", "|>", "<|", "|>.", "$", "∘", "×", "∣", "∈", "∉", "⊆",
    "⊂", "∪", "∩", "¬", "∀", "∃", "λ", "@", "#", ".", "%", "•", "|-",
];

/// Words behind a definition that would belong to the theorem.
const ENDINGS: &[&str] = &["where", "termination_by", "decreasing_by", "termination_by?"];

/// Words that run code of the tactic's own, or read files.
const RUNNING: &[(&str, &str)] = &[
    ("run_tac", "runs a program"),
    ("run_tacq", "runs a program"),
    ("by_elab", "runs a program"),
    ("eval%", "runs a program"),
    ("include_str", "reads a file"),
    ("include_bytes", "reads a file"),
];

/// Tactics and constants that make the kernel believe what compiled code says.
const COMPILED: &[&str] = &[
    "native_decide",
    "bv_decide",
    "bv_check",
    "ofReduceBool",
    "ofReduceNat",
    "trustCompiler",
    "reduceBool",
    "reduceNat",
];

/// Options that a tactic may set. Those with a number have a limit, and 0, which means none, is refused.
const OPTIONS: &[(&str, Option<u64>)] = &[
    ("maxRecDepth", Some(1_000_000)),
    ("maxHeartbeats", Some(4_000_000)),
    ("synthInstance.maxHeartbeats", Some(4_000_000)),
    ("synthInstance.maxSize", Some(4_096)),
    ("exponentiation.threshold", Some(4_096)),
    ("linter.", None),
    ("pp.", None),
];

/// Checks that a text is one block of tactics, and trims it.
///
/// Its brackets, strings and comments are closed, nothing in it is invisible, and it neither begins in the middle of
/// a tactic nor ends in one. No word in it begins a command, even where Lean would read it as one only after an
/// error; it gives up no goal, believes no compiled code, and runs no program of its own. It sets only options that
/// change limits, within bounds, and messages.
pub fn block(text: &str) -> Result<&str, Refusal> {
    let block = text.trim();
    length(block)?;
    characters(block, 0..block.len())?;
    if let Some(at) = block.find('\t') {
        return Err(Refusal::Foreign { what: "a tab", at });
    }
    let all = tokens(block)?;
    let (first, last) = (all.first().ok_or(Refusal::Empty)?, all.last().ok_or(Refusal::Empty)?);
    if first.start > 0 {
        // In the script, the tactics after the comment would be indented deeper than their neighbours.
        return Err(Refusal::Lead { what: "a comment" });
    }
    lead(first, all.get(1))?;
    let is_code = |t: &&Token<'_>| !matches!(t.kind, Kind::String | Kind::Char);
    code(block, all.iter().filter(is_code).map(range))?;
    for (at, token) in all.iter().enumerate() {
        let behind = all.get(at + 1);
        comment_between(block, token, behind)?;
        match token.kind {
            Kind::Word => word(&all, at)?,
            Kind::Symbol => symbol(token, behind)?,
            Kind::String => string(token)?,
            Kind::Char if !token.is_apart && !all[at - 1].opens() => {
                return Err(Refusal::Foreign { what: "a character behind a symbol", at: token.start });
            }
            Kind::Doc => return Err(Refusal::Foreign { what: "a documentation comment", at: token.start }),
            Kind::Char | Kind::Number => {}
        }
    }
    let brackets = all.iter().filter(|t| t.opens() || t.closes());
    balanced(brackets.filter_map(|t| Some((t.text.chars().next_back()?, t.start))))?;
    let is_dangling = match last.kind {
        Kind::Word => BEGIN.contains(&last.text),
        Kind::Symbol => OPERATORS.contains(&last.text),
        _ => false,
    };
    if is_dangling {
        return Err(Refusal::Dangling { what: last.text.to_owned(), at: last.start });
    }
    Ok(block)
}

fn range(token: &Token<'_>) -> Range<usize> {
    token.start..token.end()
}

/// Rejects texts that do not begin like a tactic.
fn lead(first: &Token<'_>, next: Option<&Token<'_>>) -> Result<(), Refusal> {
    let what = match (first.kind, first.text) {
        (Kind::Word, word) if CONTINUE.contains(&word) => "a word that continues another tactic",
        (Kind::Word, _) | (Kind::Symbol, "·" | "(" | "{") => return Ok(()),
        // An older form of the bullet.
        (Kind::Symbol, ".") if next.is_some_and(|next| next.is_apart) => return Ok(()),
        // Those have refusals of their own.
        (Kind::Symbol, "@[" | "#") | (Kind::Doc, _) => return Ok(()),
        (Kind::Symbol, _) => "a symbol that continues another tactic",
        _ => "a literal",
    };
    Err(Refusal::Lead { what })
}

/// Rejects a comment that could be read as the end of the symbol before it.
fn comment_between(block: &str, token: &Token<'_>, next: Option<&Token<'_>>) -> Result<(), Refusal> {
    let gap = &block[token.end()..next.map_or(block.len(), |next| next.start)];
    let is_separate = token.kind != Kind::Symbol
        || token.opens()
        || token.closes()
        || matches!(token.text, "," | ";")
        || !gap.starts_with(['-', '/']);
    if is_separate { Ok(()) } else { Err(Refusal::CommentAfterSymbol { at: token.end() }) }
}

/// Rejects a word that cannot occur in a tactic.
fn word(all: &[Token<'_>], index: usize) -> Result<(), Refusal> {
    let token = &all[index];
    let (at, name) = (token.start, token.text.to_owned());
    let next = all.get(index + 1);
    // Older versions end a name before such a letter, so a part of it can be a word of its own.
    let mut parts = token.text.split(is_new_letter);
    if parts.clone().any(|part| GIVING_UP.contains(&part)) {
        return Err(Refusal::GivesUp { word: name, at });
    }
    let last = token.text.rsplit('.').next().unwrap_or(token.text);
    let is_sorry = matches!(last, "sorryAx" | "mkSorry");
    if is_sorry {
        return Err(Refusal::GivesUp { word: name, at });
    }
    let is_native = last == "native"
        && (next.is_some_and(|next| next.is_symbol(":=")) || index > 0 && all[index - 1].is_symbol("+"));
    if COMPILED.contains(&last) || is_native {
        return Err(Refusal::Unchecked { what: name, at });
    }
    let is_run = |word: &str| match word.strip_suffix('%') {
        Some(word) => token.text == word && next.is_some_and(|next| next.is_symbol("%") && !next.is_apart),
        None => token.text == word,
    };
    if let Some((command, effect)) = RUNNING.iter().find(|(word, _)| is_run(word)) {
        return Err(Refusal::Outside { command: (*command).to_owned(), effect, at });
    }
    let command = |does| Err(Refusal::Command { word: name.clone(), does, at });
    match token.text {
        "open" if opens_within(all, index) => Ok(()),
        "scoped" if index > 0 && all[index - 1].is_word("open") => Ok(()),
        "set_option" => option(all, index),
        word if ENDINGS.contains(&word) => command("ends a definition"),
        _ if parts.any(is_command) => command("stands at the top of a file"),
        _ => Ok(()),
    }
}

/// Whether `open` opens namespaces for a tactic: `open A B (c d) in t`.
fn opens_within(all: &[Token<'_>], index: usize) -> bool {
    let mut depth = 0_usize;
    for (at, token) in all.iter().enumerate().skip(index + 1) {
        match (token.kind, token.text) {
            (Kind::Word, "in") if depth == 0 => return at > index + 1 && at + 1 < all.len(),
            (Kind::Word, _) | (Kind::Symbol, "→" | "->" | ",") => {}
            (Kind::Symbol, "(") => depth += 1,
            (Kind::Symbol, ")") if depth > 0 => depth -= 1,
            _ => return false,
        }
    }
    false
}

/// Rejects an option that is not known to be harmless, a value beyond its limit, and one that is set for more than
/// a tactic.
fn option(all: &[Token<'_>], index: usize) -> Result<(), Refusal> {
    let at = all[index].start;
    let [name, value, within, _, ..] = &all[index + 1..] else {
        return Err(Refusal::Command {
            word: "set_option".to_owned(),
            does: "stands at the top of a file",
            at,
        });
    };
    if !within.is_word("in") {
        return Err(Refusal::Command {
            word: "set_option".to_owned(),
            does: "stands at the top of a file",
            at,
        });
    }
    let command = || format!("set_option {} {}", name.text, value.text);
    let is_it =
        |known: &str| if known.ends_with('.') { name.text.starts_with(known) } else { name.text == known };
    let Some((_, limit)) = OPTIONS.iter().find(|(known, _)| is_it(known)).filter(|_| name.kind == Kind::Word)
    else {
        return Err(Refusal::UnknownOption { command: command(), at });
    };
    let number = value.text.replace('_', "").parse::<u64>().ok();
    let is_known = match limit {
        Some(limit) => number.is_some_and(|number| (1..=*limit).contains(&number)),
        None => number.is_some() || matches!(value.text, "true" | "false"),
    };
    if is_known {
        return Ok(());
    }
    Err(Refusal::Outside { command: command(), effect: "is outside the limits of this option", at })
}

/// Rejects a symbol that begins a command.
fn symbol(token: &Token<'_>, next: Option<&Token<'_>>) -> Result<(), Refusal> {
    let command =
        |word: String| Err(Refusal::Command { word, does: "stands at the top of a file", at: token.start });
    match token.text {
        "@[" => command("@[".to_owned()),
        "#" => match next {
            Some(next) if HASH_COMMANDS.iter().any(|word| next.text.starts_with(word)) => {
                command(format!("#{}", next.text))
            }
            Some(next) if matches!(next.kind, Kind::Word | Kind::Symbol) => Ok(()),
            _ => command("#".to_owned()),
        },
        _ => Ok(()),
    }
}

/// Rejects strings whose meaning depends on their place: with code in braces, or with line breaks, since lines are
/// shifted.
fn string(token: &Token<'_>) -> Result<(), Refusal> {
    let what = if token.text.contains('\n') {
        "a string of several lines"
    } else if token.text.contains('{') {
        "a string with a brace"
    } else {
        return Ok(());
    };
    Err(Refusal::Foreign { what, at: token.start })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{MAX_BYTES, Unclosed};

    #[test]
    fn blocks_of_tactics_pass() {
        for ok in [
            "exact h",
            "  simp [Nat.add_comm]\n",
            "intro h -- sorry, theorem\nexact h",
            "constructor <;> simp",
            "constructor\n· exact ha\n· exact hb",
            "· simp",
            ". simp",
            "(simp; done)",
            "{ simp }",
            "cases h with\n| inl a =>\n  exact a\n| inr b => exact b",
            "induction n generalizing m with\r\n| zero => rfl\r\n| succ n ih => exact ih",
            "calc a = b := h\n  _ = c := h'",
            "have h₁ : ∀ x ∈ s, x ∣ n := by\n  intro x hx\n  exact f α' ⟨x, hx⟩ /- “so” /- nested -/ -/",
            "rcases h with ⟨x, y | z⟩",
            "simp only [Finset.sum_range_succ] at *",
            "rw [h.1, ← h.2.left] at hx ⊢",
            "open Nat Real in norm_num",
            "open scoped BigOperators in\nsimp",
            "open Foo (a b) in simp",
            "set_option maxRecDepth 10000 in\nsimp",
            "set_option maxHeartbeats 400_000 in simp",
            "set_option pp.all true in exact h",
            "exact f ⁻¹' s ∩ g '' t",
            "norm_num [show (2 : ℝ) ≠ 0 by norm_num]",
            "trace \"a -- b\"",
            "exact #s",
            "exact ⟨'a', rfl⟩",
            "refine foo ..",
            "exact n !",
            "nlinarith [sq_nonneg (a - b), mul_pos ha hb]",
            "simp (config := { decide := true })",
            "exact endpoints; exact openness.in",
            "exact «a b».c",
        ] {
            assert!(block(ok).is_ok(), "{ok}: {:?}", block(ok));
        }
        assert_eq!(block(" exact h \n"), Ok("exact h"));
    }

    #[test]
    fn what_is_no_block_of_tactics_is_refused() {
        let lead = |what| Refusal::Lead { what };
        let foreign = |what, at| Refusal::Foreign { what, at };
        let dangling = |what: &str, at| Refusal::Dangling { what: what.to_owned(), at };
        for (text, refusal) in [
            ("", Refusal::Empty),
            ("-- nothing", Refusal::Empty),
            ("-- a comment\nexact h", lead("a comment")),
            ("at h", lead("a word that continues another tactic")),
            ("<;> simp", lead("a symbol that continues another tactic")),
            ("| inl h => x", lead("a symbol that continues another tactic")),
            (".symm", lead("a symbol that continues another tactic")),
            ("1", lead("a literal")),
            ("exact h /- a", Unclosed { what: "comment", at: 8 }.into()),
            ("exact h /- a /- b -/", Unclosed { what: "comment", at: 8 }.into()),
            ("exact «h", Unclosed { what: "name", at: 6 }.into()),
            ("trace \"h", Unclosed { what: "string", at: 6 }.into()),
            ("exact 'h", Unclosed { what: "character", at: 6 }.into()),
            ("exact h /-- a -/", foreign("a documentation comment", 8)),
            ("exact (h", Refusal::Unbalanced { bracket: '(', at: 6 }),
            ("exact h)", Refusal::Unbalanced { bracket: ')', at: 7 }),
            ("exact ⟨h]", Refusal::Unbalanced { bracket: ']', at: 10 }),
            ("exact h\tx", foreign("a tab", 7)),
            ("trace \"a\nb\"", foreign("a string of several lines", 6)),
            ("trace s!\"a {b}\"", foreign("a string with a brace", 8)),
            ("exact a='b'", foreign("a character behind a symbol", 8)),
            ("exact a ∣--b\n c", Refusal::CommentAfterSymbol { at: 11 }),
            ("exact h\u{a0}x", Refusal::WhiteSpace { character: '\u{a0}', at: 7 }),
            ("exact h\u{2028}x", Refusal::Invisible { character: '\u{2028}', at: 7 }),
            ("exact h\rx", Refusal::Control { character: '\r', at: 7 }),
            ("exact “h", Refusal::LookAlike { character: '“', like: '"', at: 6 }),
            ("have h : p := by", dangling("by", 14)),
            ("have h : p :=", dangling(":=", 11)),
            ("simp <;> -- what", dangling("<;>", 5)),
        ] {
            assert_eq!(block(text), Err(refusal), "{text:?}");
        }
        assert!(matches!(block(&"x ".repeat(MAX_BYTES)), Err(Refusal::TooLong(_))));
        assert!(matches!(block("exact sоrry"), Err(Refusal::MixedScripts { character: 'о', .. })));
    }

    #[test]
    fn commands_are_refused_wherever_they_stand() {
        for (text, word) in [
            ("trivial\ntheorem x : False := h", "theorem"),
            ("exact 1.theorem x : False := h", "theorem"),
            ("exact дtheorem", "theorem"),
            ("trivial\nend", "end"),
            ("exact h axiom x : False", "axiom"),
            ("trivial\nopen Nat", "open"),
            ("simp open Nat in", "open"),
            ("trivial\nset_option pp.all true", "set_option"),
            ("set_option pp.all true in", "set_option"),
            ("trivial\n@[simp]", "@["),
            ("trivial\n#eval 1", "#eval"),
            ("trivial\n#evaluate", "#evaluate"),
            ("# print axioms t", "#print"),
            ("macro \"a\" : tactic => `(tactic| skip)", "macro"),
            ("local notation x => y", "local"),
            ("instance : Foo := h", "instance"),
            ("exact f where f := h", "where"),
            ("exact éopen", "éopen"),
        ] {
            match block(text) {
                Err(Refusal::Command { word: found, .. }) => assert_eq!(found, word, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn giving_up_and_programs_are_refused_wherever_they_stand() {
        for text in [
            "sorry",
            "exact sorry",
            "all_goals admit",
            "exact ⟨h, sorry⟩",
            "exact sorryAx _",
            "(sorry)",
            "stop",
            "exact Lean.sorryAx",
        ] {
            assert!(matches!(block(text), Err(Refusal::GivesUp { .. })), "{text}: {:?}", block(text));
        }
        for text in [
            "native_decide",
            "decide +native",
            "simp; exact Lean.ofReduceBool _ _",
            "decide (native := true)",
        ] {
            assert!(matches!(block(text), Err(Refusal::Unchecked { .. })), "{text}: {:?}", block(text));
        }
        for text in ["run_tac foo", "exact by_elab foo", "exact include_str \"f\"", "exact eval% f"] {
            assert!(matches!(block(text), Err(Refusal::Outside { .. })), "{text}: {:?}", block(text));
        }
    }

    #[test]
    fn options_are_set_within_limits() {
        for text in [
            "set_option maxRecDepth 0 in simp",
            "set_option maxHeartbeats 999999999999 in simp",
            "set_option maxRecDepth true in simp",
        ] {
            assert!(matches!(block(text), Err(Refusal::Outside { .. })), "{text}: {:?}", block(text));
        }
        for text in [
            "set_option debug.skipKernelTC true in simp",
            "set_option pp true in simp",
            "set_option trace.Meta true in simp",
        ] {
            assert!(matches!(block(text), Err(Refusal::UnknownOption { .. })), "{text}: {:?}", block(text));
        }
    }
}
