def two : Nat := 2
def Even (n : Nat) : Prop := ∃ k, n * 0 = two * k
theorem goal (α : Sort u) : Even 4 := by sorry
