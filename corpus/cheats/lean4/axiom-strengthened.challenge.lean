axiom f : Nat → Nat
axiom law : ∀ n, f n = n

theorem goal (n : Nat) : f n = n := by
  sorry
