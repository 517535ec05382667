theorem goal : ∃ n : Nat, n = 1000000000000000000000000000000000000001 := by
  exact ⟨_, rfl⟩
