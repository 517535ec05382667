theorem goal (α : Type u) (x : α) : x = x := sorry
