theorem goal (n : Nat) (h : n < n) : 0 + n = n := by
  exact absurd h (Nat.lt_irrefl n)
