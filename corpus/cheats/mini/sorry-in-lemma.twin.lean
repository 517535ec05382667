theorem step (n : Nat) : 0 + n = n := by
  omega
theorem goal (n : Nat) : 0 + n = n := step n
