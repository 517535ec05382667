//! Tactics in the language of another system, which models mix up.

use andor_core::theorem::System;

use crate::patterns;

/// A hint for the model, if a tactic is written in the language of another system.
pub fn foreign(tactic: &str, system: System) -> Option<&'static str> {
    let mut all = system.language().tactics.foreign.iter();
    all.find(|foreign| patterns::compiled(foreign.pattern).is_match(tactic)).map(|foreign| foreign.hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    #[test]
    fn the_language_of_another_system_is_recognised() {
        for (system, tactic) in [
            (ROCQ, "rw [Nat.add_comm]"),
            (ROCQ, "simp [h]"),
            (ROCQ, "rfl"),
            (ROCQ, "obtain ⟨a, b⟩ := h"),
            (ROCQ, "exact ⟨a, b⟩"),
            (ROCQ, "cases h with a b"),
            (LEAN4, "intros n."),
            (LEAN4, "destruct n as [|n]"),
            (LEAN4, "rw add_comm"),
            (MINI, "reflexivity"),
        ] {
            assert!(foreign(tactic, system).is_some(), "{system} {tactic}");
        }
    }

    #[test]
    fn tactics_of_the_system_itself_pass() {
        for (system, tactic) in [
            (ROCQ, "rewrite [Nat.add_comm] in *"),
            (ROCQ, "simpl; auto"),
            (ROCQ, "case_eq n"),
            (ROCQ, "exact (fun x => x)"),
            (ROCQ, "destruct H as [a b]"),
            (ROCQ, "constructor"),
            (LEAN4, "rw [Nat.add_comm]"),
            (LEAN4, "rw\n  [h]"),
            (LEAN4, "rewrite [h]"),
            (LEAN4, "intro x"),
            (LEAN4, "obtain ⟨a, b⟩ := h"),
            (LEAN4, "exact fun x => x"),
            (LEAN4, "simp only [foo, bar]"),
            (MINI, "exact absurd h (Nat.lt_irrefl n)"),
        ] {
            assert_eq!(foreign(tactic, system), None, "{system} {tactic}");
        }
    }
}
