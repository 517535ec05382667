theorem goal (α : Type u) (x : α) : x = x := rfl
