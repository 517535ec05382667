def Even (n : Nat) : Prop := ∃ k, n = 2 * k
theorem goal : Even 4 := ⟨2, rfl⟩
