theorem goal {α} (x : α) : x = x := rfl
