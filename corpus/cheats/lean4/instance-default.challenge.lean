theorem goal : 5 = 5 := by
  sorry
