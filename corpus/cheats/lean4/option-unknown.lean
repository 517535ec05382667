set_option bootstrap.genMatcherCode false

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
