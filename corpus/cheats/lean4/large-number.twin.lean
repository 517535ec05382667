theorem goal : ∃ n : Nat, n = 1000000000000000000000000000000000000000 := by
  exact ⟨_, rfl⟩
