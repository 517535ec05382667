theorem goal : Nat.div 4 2 = 2 := by
  sorry
