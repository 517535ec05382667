//! Tactics in the language of another system, which models mix up.

use std::sync::LazyLock;

use andor_core::theorem::System;
use regex::Regex;

/// Something that is a tactic elsewhere.
struct Foreign {
    systems: &'static [System],
    pattern: &'static str,
    hint: &'static str,
}

const LEAN: &[System] = &[System::Lean4, System::Mini];
const ROCQ: &[System] = &[System::Rocq];

/// Patterns match at the beginning of a tactic, or anywhere if they do not begin with `^`.
const FOREIGN: &[Foreign] = &[
    Foreign { systems: ROCQ, pattern: r"^rw\s*\[", hint: "`rw [h]` is Lean; in Rocq write `rewrite h`" },
    Foreign {
        systems: ROCQ,
        pattern: r"^(simp|norm_num|linarith|nlinarith|omega|aesop|decide|positivity)\b(\s*\[|$)",
        hint: "`simp`, `norm_num`, `linarith`, `omega` and `decide` are Lean; Rocq has `simpl`, `lia`, `nia`, `lra`, `auto`",
    },
    Foreign { systems: ROCQ, pattern: r"^rfl\b", hint: "`rfl` is Lean; in Rocq write `reflexivity`" },
    Foreign {
        systems: ROCQ,
        pattern: r"^(obtain|rcases|rintro|by_contra|by_cases|push_neg|constructor\s*<;>|use)\b",
        hint: "`obtain`, `rcases`, `rintro` and `use` are Lean; Rocq has `destruct … as […]`, `intros […]` and `exists`",
    },
    Foreign {
        systems: ROCQ,
        pattern: r"[⟨⟩·]|<;>|:=\s*by\b",
        hint: "`⟨…⟩`, `·`, `<;>` and `:= by` are Lean; Rocq has `conj`, bullets `-` and `;`",
    },
    Foreign {
        systems: ROCQ,
        pattern: r"^cases\s+\S+\s+with\b",
        hint: "`cases h with` is Lean; in Rocq write `destruct h as […]`",
    },
    Foreign {
        systems: LEAN,
        pattern: r"^(intros?|reflexivity|destruct|rewrite\s+[^\[]|inversion|unfold\s+\S+\s+in|lia|lra|simpl|discriminate|congruence|eauto|auto|tauto\.|f_equal)\b.*\.$",
        hint: "a tactic that ends in a period is Rocq; Lean has none at the end",
    },
    Foreign {
        systems: LEAN,
        pattern: r"^(reflexivity|destruct|inversion|lia|lra|simpl|discriminate|eauto|eapply|f_equal|now|assert)\b",
        hint: "`reflexivity`, `destruct`, `inversion`, `lia` and `simpl` are Rocq; Lean has `rfl`, `obtain`, `cases`, `omega` and `simp`",
    },
    Foreign {
        systems: LEAN,
        pattern: r"^rw\s+[^\[\s]|^(begin|end)\b|λ[^↦]*,\s|,$",
        hint: "`rw h`, `begin … end`, `λ x, e` and commas after tactics are Lean 3; Lean 4 has `rw [h]`, `by`, `fun x => e` and no commas",
    },
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    FOREIGN.iter().map(|foreign| Regex::new(foreign.pattern).expect("the patterns are well-formed")).collect()
});

/// A hint for the model, if a tactic is written in the language of another system.
pub fn foreign(tactic: &str, system: System) -> Option<&'static str> {
    let patterns = FOREIGN.iter().zip(PATTERNS.iter());
    let mut met = patterns.filter(|(f, pattern)| f.systems.contains(&system) && pattern.is_match(tactic));
    met.next().map(|(foreign, _)| foreign.hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_another_system_is_recognised() {
        for (system, tactic) in [
            (System::Rocq, "rw [Nat.add_comm]"),
            (System::Rocq, "simp [h]"),
            (System::Rocq, "rfl"),
            (System::Rocq, "obtain ⟨a, b⟩ := h"),
            (System::Rocq, "exact ⟨a, b⟩"),
            (System::Rocq, "cases h with a b"),
            (System::Lean4, "intros n."),
            (System::Lean4, "destruct n as [|n]"),
            (System::Lean4, "rw add_comm"),
            (System::Mini, "reflexivity"),
        ] {
            assert!(foreign(tactic, system).is_some(), "{system} {tactic}");
        }
    }

    #[test]
    fn tactics_of_the_system_itself_pass() {
        for (system, tactic) in [
            (System::Rocq, "rewrite [Nat.add_comm] in *"),
            (System::Rocq, "simpl; auto"),
            (System::Rocq, "case_eq n"),
            (System::Rocq, "exact (fun x => x)"),
            (System::Rocq, "destruct H as [a b]"),
            (System::Rocq, "constructor"),
            (System::Lean4, "rw [Nat.add_comm]"),
            (System::Lean4, "rw\n  [h]"),
            (System::Lean4, "rewrite [h]"),
            (System::Lean4, "intro x"),
            (System::Lean4, "obtain ⟨a, b⟩ := h"),
            (System::Lean4, "exact fun x => x"),
            (System::Lean4, "simp only [foo, bar]"),
            (System::Mini, "exact absurd h (Nat.lt_irrefl n)"),
        ] {
            assert_eq!(foreign(tactic, system), None, "{system} {tactic}");
        }
    }
}
