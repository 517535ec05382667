theorem goal.{u, v} (α : Type v) (β : Type u) (f : α → β) : f = f := by
  rfl
