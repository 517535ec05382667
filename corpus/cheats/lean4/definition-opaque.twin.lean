def limit : Nat := 5

theorem goal : limit = limit + 0 := by
  rfl
