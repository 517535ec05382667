//! At goals of `mini`.

use std::sync::Arc;

use andor_env::environment::Environment;
use andor_system_mini::{Mini, MiniConfig};
use andor_testkit::block_on;

use super::{Case, check};

fn mini() -> Arc<dyn Environment> {
    Arc::new(Mini::new(MiniConfig::default()))
}

async fn proposals(header: &str, statement: &str, before: &[&str]) -> Vec<String> {
    super::proposals(mini(), header, statement, before).await
}

#[test]
fn what_helps_comes_early() {
    let cases: &[Case<'_>] = &[
        ("", "∀ p q : Prop, p → ¬ q → p", &[], "intro p q h h1", 1),
        ("", "True ∧ True", &[], "constructor", 2),
        ("", "∀ p q : Prop, p → q → p", &["intro p q h k"], "exact h", 1),
        ("", "∀ p q : Prop, p → p ∨ q", &["intro p q h"], "exact Or.inl h", 1),
        ("", "∀ p q : Prop, p ∧ q → q", &["intro p q h"], "obtain ⟨h1, h2⟩ := h", 1),
        ("", "∀ p q : Prop, p ∨ q → q ∨ p", &["intro p q h"], "rcases h with h1 | h1", 1),
        ("", "∀ p q : Prop, (p → q) → p → q", &["intro p q h k"], "exact h k", 1),
        ("", "∀ p q : Prop, p → ¬ p → q", &["intro p q h k"], "exact absurd h k", 1),
        ("", "∀ p : Prop, p ∨ ¬ p", &["intro p"], "by_cases h : p", 9),
        ("", "∀ p : Nat → Prop, (∃ n, p n) → True ∧ True", &["intro p h"], "obtain ⟨n, h1⟩ := h", 2),
        ("", "∀ p : Nat → Prop, ∀ a : Nat, p a → ∃ n, p n", &["intro p a h"], "exact ⟨a, h⟩", 1),
        ("", "∀ n : Nat, ∃ m, m = n", &["intro n"], "exact ⟨n, by omega⟩", 3),
        ("", "∀ a b : Nat, a = b → b = a", &["intro a b h"], "exact h.symm", 1),
        ("", "∀ f : Nat → Nat, ∀ a b : Nat, a = b → f a = f b", &["intro f a b h"], "subst h", 3),
        ("", "∀ f : Nat → Nat, f 0 = 1 → f (f 0) = f 1", &["intro f h"], "rw [h]", 9),
        ("", "∀ a b : Nat, a < b → a ≠ b", &["intro a b h"], "omega", 1),
        ("", "∀ a b : Nat, a * b = b * a", &["intro a b"], "exact Nat.mul_comm _ _", 3),
        ("", "∀ n : Nat, 2 ^ n > 0", &["intro n"], "induction n with | zero => ?_ | succ n ih => ?_", 12),
        ("", "∀ α : Type, ∀ xs : List α, xs ++ [] = xs", &["intro α xs"], "simp", 3),
        ("", "∀ f g : Nat → Nat, (∀ x, f x = g x) → f = g", &["intro f g h"], "funext a", 2),
        ("", "∀ p q : Prop, (p ↔ q) → p = q", &["intro p q h; rcases h with ⟨h, k⟩"], "apply propext", 2),
        ("", "∀ p : Prop, ¬ False → p → p ∧ p", &["intro p h k"], "constructor", 9),
        ("def Twice (n : Nat) : Prop := ∃ k, n = 2 * k", "Twice 4", &[], "unfold Twice", 2),
    ];
    check(&mini(), cases);
}

#[test]
fn names_that_cannot_be_written_are_not_used() {
    block_on(async {
        let tactics = proposals("", "∀ p q : Prop, p ∧ q → q", &["intro p q", "intro"]).await;
        assert!(tactics.iter().all(|t| !t.contains('✝')), "{tactics:?}");
        // Names for what is introduced are new.
        let tactics = proposals("", "∀ h : Nat, h = 0 → h = 0 ∧ h = 0", &["intro h"]).await;
        assert!(tactics.contains(&"intro h1".to_owned()), "{tactics:?}");
    });
}
