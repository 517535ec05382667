local notation:50 a:51 " is " b:51 => Eq a b

theorem goal : 1 + 1 is 2 := by
  exact rfl
