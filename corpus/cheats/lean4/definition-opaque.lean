opaque limit : Nat

theorem goal : limit = limit + 0 := by
  rfl
