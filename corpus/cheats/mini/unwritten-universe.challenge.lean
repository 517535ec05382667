theorem goal {α} (x : α) : x = x := sorry
