theorem goal (n : Nat) (h : n = 0) : 0 + n = n := by
  omega
