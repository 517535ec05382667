universe u

theorem goal (α : Type u) (a : α) : a = a := by
  sorry
