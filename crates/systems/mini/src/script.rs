//! Writes a finished proof of `mini` as a Lean file.
//!
//! `have h : p` is written with the proof of `p` behind `:= by`, and `suffices` likewise, since Lean has them without a term only
//! in Mathlib.

use andor_core::theorem::Theorem;
use andor_mini::syntax::parse;
use andor_mini::syntax::tactic::TacticKind;
use andor_mini::syntax::token::{Token, tokens};

use andor_env::checker::Claim;
use andor_env::environment::{Script, ScriptStep};
use andor_lean_language::script::{Writer, file};

/// The theorem with its own header and statement, unchanged, and the script as its proof.
pub(super) fn assemble(theorem: &Theorem, script: &Script) -> Claim {
    let mut proof = String::new();
    let beyond = beyond_core(script);
    if !beyond.is_empty() {
        proof += &format!("  -- In Lean 4 this needs Mathlib, for {}.\n", beyond.join(", "));
    }
    proof += &proof_text(script);
    Claim {
        submission: file(theorem, &proof),
        challenge: challenge(theorem),
        theorems: vec![theorem.name.clone()],
    }
}

/// The tactics of a script, in core Lean.
pub(super) fn proof_text(script: &Script) -> String {
    Writer::with_blocks(opened).write(script)
}

/// `have h : p` and `have h : p := ?_` as `have h : p := by`, and `suffices h : p` as `suffices h : p by`, with the number of
/// the goal that is proved in the block. `None` for other steps.
fn opened(step: &ScriptStep) -> Option<(String, usize)> {
    let text = step.text.trim_end();
    // Behind a comment nothing can be added, and a block has one goal.
    if text.contains("--") || step.groups.len() != 2 || step.groups.iter().any(|group| group.len() != 1) {
        return None;
    }
    let block = parse::tactics(text).ok()?;
    let [tactic] = &block[..] else { return None };
    match &tactic.kind {
        TacticKind::Have { ty: Some(_), value: Some(_), .. } => {
            text.strip_suffix(":= ?_").map(|head| (format!("{head}:= by"), 1))
        }
        // Of binders `have` without a term makes the goal, and `by` hypotheses.
        TacticKind::Have { ty: Some(_), value: None, .. } if !has_binders(text) => {
            Some((format!("{text} := by"), 0))
        }
        TacticKind::Suffices { from: None, .. } => Some((format!("{text} by"), 0)),
        _ => None,
    }
}

/// Whether something stands between the name and the type of a `have`.
fn has_binders(have: &str) -> bool {
    let all = tokens(have).unwrap_or_default();
    let mut all = all.iter().map(|token| &token.token).skip(1);
    matches!(all.next(), Some(Token::Ident(_))) && all.next() != Some(&Token::Symbol(":"))
}

/// The theorem as stated by its user, without a proof.
pub(super) fn challenge(theorem: &Theorem) -> String {
    file(theorem, "  sorry\n")
}

/// Tactics of `mini` that Lean 4 provides only in Mathlib.
const IN_MATHLIB: &[&str] = &["absurd", "by_contra", "ring", "use"];

/// The tactics in a script that are not in Lean 4's core, sorted.
fn beyond_core(script: &Script) -> Vec<&'static str> {
    let begins_tactic = |before: Option<&Token>| match before {
        None => true,
        Some(Token::Symbol(s)) => matches!(*s, "·" | ";" | "<;>" | "=>" | "|" | "(" | "{"),
        Some(Token::Keyword(word)) => matches!(*word, "by"),
        Some(_) => false,
    };
    let mut found = Vec::new();
    for step in &script.steps {
        let Ok(all) = tokens(&step.text) else { continue };
        for (at, token) in all.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &all[before]);
            let on_new_line = before.is_some_and(|b| b.line < token.line);
            let word = match &token.token {
                Token::Ident(name) => &**name,
                Token::Keyword(word) => word,
                _ => continue,
            };
            if on_new_line || begins_tactic(before.map(|b| &b.token)) {
                found.extend(IN_MATHLIB.iter().copied().filter(|name| *name == word));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {

    use super::*;

    fn step(text: &str, groups: &[&[usize]], children: &[usize]) -> ScriptStep {
        ScriptStep {
            text: text.into(),
            groups: groups.iter().map(|g| g.to_vec()).collect(),
            children: children.to_vec(),
        }
    }

    #[test]
    fn what_is_not_in_core_lean_is_named() {
        let step = |text: &str| ScriptStep { text: text.into(), groups: Vec::new(), children: Vec::new() };
        let texts =
            ["intro ring", "exact ring", "constructor <;> ring", "have h : 1 = 1 := by\n  skip\n  use 1"];
        let script = Script { steps: texts.map(step).to_vec() };
        assert_eq!(beyond_core(&script), ["ring", "use"]);
    }

    #[test]
    fn have_is_that_of_core_lean() {
        let written = |text: &str, groups: [usize; 2], children: [usize; 2]| {
            let have = step(text, &[&[groups[0]], &[groups[1]]], &children);
            let steps = vec![
                have,
                step("apply k", &[&[0]], &[2]),
                step("exact p", &[], &[]),
                step("exact h", &[], &[]),
            ];
            proof_text(&Script { steps })
        };
        // `have` alone leaves the statement first, and a hole behind the rest.
        for head in ["have h : a = b", "have : ∀ n, p n", "have ⟨x, y⟩ : a ∧ b", "have h (n : Nat) : p n"]
        {
            let expected = format!("  {head} := by\n    apply k\n    exact p\n  exact h\n");
            if !head.contains(['⟨', '(']) {
                assert_eq!(written(head, [0, 1], [1, 3]), expected);
                assert_eq!(written(head, [1, 0], [3, 1]), expected);
            }
            let hole = format!("{head} := ?_");
            assert_eq!(written(&hole, [0, 1], [3, 1]), expected);
            assert_eq!(written(&hole, [1, 0], [1, 3]), expected);
        }
        let expected = "  suffices h : p by\n    apply k\n    exact p\n  exact h\n";
        assert_eq!(written("suffices h : p", [0, 1], [1, 3]), expected);
        for other in
            ["have h (n : Nat) : p n", "have h : p -- := ?_", "skip; have h : p", "constructor -- by"]
        {
            let expected = format!("  {other}\n  · apply k\n    exact p\n  · exact h\n");
            assert_eq!(written(other, [0, 1], [1, 3]), expected);
        }
    }

    #[test]
    fn the_statement_is_unchanged() {
        let script = Script { steps: vec![step("rfl", &[], &[])] };
        let theorem = |statement: &str| Theorem {
            id: "t".into(),
            name: "t".into(),
            system: crate::MINI,
            header: "axiom a : True".into(),
            statement: statement.into(),
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let text = |statement: &str| assemble(&theorem(statement), &script).submission;
        assert_eq!(text("theorem t : 1 = 1"), "axiom a : True\ntheorem t : 1 = 1 := by\n  rfl\n");
        assert_eq!(
            text("theorem t :\n    1 = 1 := by sorry"),
            "axiom a : True\ntheorem t :\n    1 = 1 := by\n  rfl\n"
        );
        assert_eq!(
            text("theorem t : 1 = 1 -- clear\n"),
            "axiom a : True\ntheorem t : 1 = 1 -- clear\n    := by\n  rfl\n"
        );
    }
}
