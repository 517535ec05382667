theorem goal.{u, v} (α : Type u) (β : Type v) (f : α → β) : f = f := by
  rfl
