theorem goal {α : Type} (x : α) : x = x := rfl
