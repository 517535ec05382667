abbrev bound : Nat := 0

theorem goal (n : Nat) : bound ≤ n := by
  exact Nat.zero_le n
