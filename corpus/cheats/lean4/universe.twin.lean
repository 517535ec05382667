universe v

theorem goal (α : Type v) (a : α) : a = a := by
  rfl
