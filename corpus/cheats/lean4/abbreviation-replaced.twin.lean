abbrev bound : Nat := 1 - 1

theorem goal (n : Nat) : bound ≤ n := by
  exact Nat.zero_le n
