theorem goal (n : Nat) : n ≤ n + 1 := by
  sorry
