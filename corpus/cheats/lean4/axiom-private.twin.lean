private theorem zero_add (n : Nat) : 0 + n = n := Nat.zero_add n

theorem goal (n : Nat) : 0 + n = n := by
  exact zero_add n
