theorem goal : 2 + 2 = 4 := by
  decide +native
