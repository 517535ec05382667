local notation:65 (priority := high) a:65 " plus " b:66 => a + b

theorem goal (n : Nat) : 0 plus n = n := by
  exact Nat.zero_add n
