theorem goal (n : Nat) : 0 + n = n := by
  try exact nonsense
