theorem goal (n : Nat) : 0 + n = n := by
  have : 2 = 2 := by decide +kernel
  exact Nat.zero_add n
