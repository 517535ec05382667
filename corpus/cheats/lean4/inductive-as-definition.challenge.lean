inductive Even : Nat → Prop
  | zero : Even 0
  | step (n : Nat) : Even n → Even (n + 2)

theorem goal : Even 2 := by
  sorry
