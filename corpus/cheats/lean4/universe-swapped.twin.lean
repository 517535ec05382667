theorem goal.{v, u} (α : Type v) (β : Type u) (f : α → β) : f = f := by
  rfl
