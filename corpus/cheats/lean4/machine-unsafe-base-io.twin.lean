def answer : Nat := 1

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
