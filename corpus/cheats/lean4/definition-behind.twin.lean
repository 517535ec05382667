def half (n : Nat) : Nat := n / 2
def even (n : Nat) : Prop := half n + half n = n

theorem goal : even 4 := by
  rfl
