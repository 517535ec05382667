theorem goal (n : Nat) : 0 + n = n := by
  have : 2 = 2 := by decide +«native»
  exact Nat.zero_add n
