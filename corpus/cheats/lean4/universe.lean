theorem goal (α : Type) (a : α) : a = a := by
  rfl
