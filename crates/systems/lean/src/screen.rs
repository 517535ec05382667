//! The screen for tactics of Lean: a tactic must be one block that stays in its place in the script.
//!
//! The text may have several lines. Further lines are shifted together with the first, so relative columns are
//! preserved; no line is left of the first, which begins at column 0. Whether the block can be parsed is for Lean to
//! say. When it cannot, Lean goes on at the next word that begins a command, wherever it stands, so no such word may
//! be in the text at all.

use std::borrow::Cow;
use std::ops::Range;

use andor_env::screen::{Refusal, balanced, characters, code, length};
use andor_lean_language::keywords::{BEHIND_PROOFS, GIVING_UP, hash_commands, is_command};
use andor_lean_language::lexer::{Kind, Token, in_name, is_new_letter, readable, tokens};

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
    "rcases",
    "obtain",
    "cases",
    "induction",
    "use",
    "specialize",
    "unfold",
    "injection",
    "generalize",
];

/// Symbols that need text after them.
const OPERATORS: &[&str] = &[
    ":=", "=>", "↦", "<;>", "<|>", ",", ":", "->", "→", "←", "<-", "·", "+", "-", "/", "^", "=", "<", ">",
    "≤", "≥", "≠", "∧", "∨", "↔", "<->", "&", "::", "|>", "<|", "|>.", "$", "∘", "×", "∣", "∈", "∉", "⊆",
    "⊂", "∪", "∩", "¬", "∀", "∃", "λ", "@", "#", ".", "%", "•", "|-",
];

/// Symbols of Mathlib that look like others: the double factorial `n‼` and the quotient `G ⧸ N`.
const NOTATION: &[char] = &['‼', '⧸'];

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
///
/// An empty line should follow it in a file: where Lean finds `h'` instead of a tactic, it takes the quote for the
/// beginning of a character, and the line break and the character behind it for the rest.
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
    code(block, runs(&all).into_iter(), NOTATION)?;
    for (at, token) in all.iter().enumerate() {
        token.apart_from_comment(block, false)?;
        match token.kind {
            Kind::Word => word(&all, at)?,
            Kind::Symbol => symbol(&all, at)?,
            Kind::String if at > 0 && !token.is_apart && is_plain_word(&all[at - 1]) => {
                return Err(Refusal::Foreign { what: "a string behind a word", at: token.start });
            }
            Kind::String => string(token)?,
            Kind::Char if !token.is_apart && !all[at - 1].opens() => {
                return Err(Refusal::Foreign { what: "a character behind a symbol", at: token.start });
            }
            Kind::Doc => return Err(Refusal::Foreign { what: "a documentation comment", at: token.start }),
            Kind::Char if !has_known_escapes(token.text) => {
                return Err(Refusal::Foreign { what: "a character with an unknown escape", at: token.start });
            }
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

/// A block as it must stand in a script, so that it takes in nothing of what follows: unchanged, or in parentheses,
/// since Lean reads the line behind the first step of a `calc` as its second, however it is indented.
pub fn in_script(block: &str) -> Cow<'_, str> {
    let has_calc = tokens(block).is_ok_and(|all| all.iter().any(|token| token.is_word("calc")));
    if !has_calc {
        return Cow::Borrowed(block);
    }
    // Its lines keep their distance from the first.
    Cow::Owned(format!("({}\n)", block.replace('\n', "\n ")))
}

/// The parts of a text that are code, tokens without space between them in one: Lean ends a name before a letter of
/// another script, a reader does not.
fn runs(all: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for token in all.iter().filter(|t| !matches!(t.kind, Kind::String | Kind::Char)) {
        match runs.last_mut() {
            Some(last) if last.end == token.start => last.end = token.end(),
            _ => runs.push(token.start..token.end()),
        }
    }
    runs
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

/// Whether a token is a word other than one that begins an interpolated string, such as `s!`.
fn is_plain_word(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && !token.text.ends_with('!')
}

/// Rejects a word that cannot occur in a tactic.
fn word(all: &[Token<'_>], index: usize) -> Result<(), Refusal> {
    let token = &all[index];
    let (at, name) = (token.start, token.text.to_owned());
    let next = all.get(index + 1);
    // Older versions end a name before such a letter, so a part of it can be a word of its own.
    let mut parts = token.text.split(is_new_letter);
    let plain: String = token.text.chars().filter(|c| !matches!(c, '«' | '»')).collect();
    if parts.clone().chain([plain.as_str()]).any(|part| GIVING_UP.contains(&part)) {
        return Err(Refusal::GivesUp { word: name, at });
    }
    let last = plain.rsplit('.').next().unwrap_or(&plain);
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
        word if BEHIND_PROOFS.contains(&word) => command("ends a definition"),
        text if parts.any(is_command) || hides_command(text) => command("stands at the top of a file"),
        _ => Ok(()),
    }
}

/// Whether a word without its first character begins a command. Where Lean finds a name that is no tactic, it goes on
/// behind that character.
fn hides_command(word: &str) -> bool {
    if word.contains('«') && word.contains(['"', '\'', '\\', '/', '-', '#', '@', '`']) {
        return true;
    }
    let mut rest = word.chars();
    rest.next();
    readable(rest.as_str()).0.iter().any(|token| token.kind == Kind::Word && is_command(token.text))
}

/// Whether `open` opens namespaces for a tactic: `open A B (c d) in t`.
fn opens_within(all: &[Token<'_>], index: usize) -> bool {
    let mut depth = 0_usize;
    for (at, token) in all.iter().enumerate().skip(index + 1) {
        match (token.kind, token.text) {
            (Kind::Word, "in") if depth == 0 => return at > index + 1 && at + 1 < all.len(),
            (Kind::Word, "scoped") if at == index + 1 => {}
            (Kind::Word, word) if is_command(word) => return false,
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

/// Rejects a symbol that begins a command. `#s` can be a term, but begins no line of a tactic.
fn symbol(all: &[Token<'_>], index: usize) -> Result<(), Refusal> {
    let token = &all[index];
    let command =
        |word: String| Err(Refusal::Command { word, does: "stands at the top of a file", at: token.start });
    let begins_line = index == 0 || all[index - 1].line < token.line;
    match (token.text, all.get(index + 1)) {
        ("@[", _) => command("@[".to_owned()),
        ("#", Some(next)) if begins_line || hash_commands().any(|word| next.text.starts_with(word)) => {
            command(format!("#{}", next.text))
        }
        ("#", None) => command("#".to_owned()),
        // Of `⁻¹'`. Elsewhere Lean may take it for the beginning of a character, and what follows for the rest.
        ("'", next) if !all[index - 1].is_symbol("¹") || next.is_none_or(|next| next.line > token.line) => {
            Err(Refusal::Foreign { what: "a quote behind a symbol", at: token.start })
        }
        _ => Ok(()),
    }
}

/// Rejects strings whose meaning depends on their place: with code in braces, or with line breaks, since lines are
/// shifted.
fn string(token: &Token<'_>) -> Result<(), Refusal> {
    let what = if token.text.contains('\n') {
        "a string of several lines"
    } else if token.text.split(|c| !in_name(c)).any(is_command) {
        "a string with the name of a command"
    } else if token.text.contains('{') {
        "a string with a brace"
    } else if !token.text.starts_with('r') && !has_known_escapes(token.text) {
        "a string with an unknown escape"
    } else {
        return Ok(());
    };
    Err(Refusal::Foreign { what, at: token.start })
}

/// Whether every backslash in a literal begins an escape of Lean's. Behind any other, Lean goes on in the middle of the
/// literal.
fn has_known_escapes(literal: &str) -> bool {
    let mut rest = literal;
    while let Some((_, escaped)) = rest.split_once('\\') {
        let digits = match escaped.chars().next() {
            Some('\\' | '"' | '\'' | 'n' | 'r' | 't') => 0,
            Some('x') => 2,
            Some('u') => 4,
            _ => return false,
        };
        let (Some(number), Some(behind)) = (escaped.get(1..1 + digits), escaped.get(1 + digits..)) else {
            return false;
        };
        if !number.chars().all(|c| c.is_ascii_hexdigit()) {
            return false;
        }
        rest = behind;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_env::screen::{MAX_BYTES, Unclosed};

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
            "trace \"a -- b \\x41 \\u03b1 \\\\\"",
            "exact #s",
            "exact ⟨'a', rfl⟩",
            "refine foo ..",
            "exact n !",
            "nlinarith [sq_nonneg (a - b), mul_pos ha hb]",
            "simp (config := { decide := true })",
            "exact endpoints; exact openness.in",
            "exact «a b».c",
            "exact (/- a -/ h)-- b",
            "exact h/- a -/\nexact f 1-- b\nhave k :=-- c\n  h",
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
            ("trace \"a \\i\"", foreign("a string with an unknown escape", 6)),
            ("exact '\\i'", foreign("a character with an unknown escape", 6)),
            ("exact a='b'", foreign("a character behind a symbol", 8)),
            ("exact (f)'x", foreign("a quote behind a symbol", 9)),
            ("trace \"theorem\"", foreign("a string with the name of a command", 6)),
            ("trace\"a\"", foreign("a string behind a word", 5)),
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
            ("exact ∑theorem", "theorem"),
            ("trivial\nend", "end"),
            ("exact h axiom x : False", "axiom"),
            ("trivial\nopen Nat", "open"),
            ("simp open Nat in", "open"),
            ("x open Nat set_option pp.all true in simp", "open"),
            ("trivial\nset_option pp.all true", "set_option"),
            ("set_option pp.all true in", "set_option"),
            ("trivial\n@[simp]", "@["),
            ("trivial\n#eval 1", "#eval"),
            ("trivial\n#evaluate", "#evaluate"),
            ("# print axioms t", "#print"),
            ("trivial\n#s", "#s"),
            ("macro \"a\" : tactic => `(tactic| skip)", "macro"),
            ("local notation x => y", "local"),
            ("instance : Foo := h", "instance"),
            ("exact f where f := h", "where"),
            ("exact éopen", "éopen"),
            ("skip\nxaxiom x : False", "xaxiom"),
            ("skip\nx.axiom x : False", "x.axiom"),
            ("skip\nx1.axiom x : False", "x1.axiom"),
            ("skip\n«axiom x : False»", "«axiom x : False»"),
            ("skip\n«a\"b»", "«a\"b»"),
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
            "exact «sorry»",
            "exact xésorry",
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
    fn a_chain_of_equations_is_closed_in_a_script() {
        assert_eq!(in_script("exact h\nsimp"), "exact h\nsimp");
        assert_eq!(in_script("calc a = b := h\n  _ = c := k"), "(calc a = b := h\n   _ = c := k\n)");
    }

    #[test]
    fn the_notation_of_mathlib_passes() {
        for text in [
            "simp [n‼, Nat.doubleFactorial]",
            "exact (n + 2)‼",
            "obtain ⟨x, rfl⟩ := QuotientGroup.mk_surjective (y : G ⧸ N)",
            "have : ‖x‖₊ ≤ ∑ i ∈ s, |f i| := h",
            "rw [pow_succ, ← f.map_smulₛₗ, Rˣ, xᵀ, Aᴴ, m ∣ n, x⁻¹, ∏ᶠ i, √2, π, n !, x ≡ y [MOD 3]]",
            "exact ⟪x, y⟫_ℝ ▸ ⌊z⌋₊ ⊔ ⋃ i, ⨆ j, ∫ x in a..b, f x ∂μ",
            "exact K⟮α⟯ ≃ₐ[R] 𝓞 K",
        ] {
            assert_eq!(block(text), Ok(text), "{text}");
        }
        let other = block("exact a ⁄ b");
        assert!(matches!(other, Err(Refusal::LookAlike { like: '/', .. })), "{other:?}");
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
