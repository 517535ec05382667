theorem goal (n : Nat) : 0 + n = n := by
  sorry
