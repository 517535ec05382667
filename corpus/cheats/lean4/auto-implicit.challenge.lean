theorem goal (n : Nat) : n = n := by
  sorry
