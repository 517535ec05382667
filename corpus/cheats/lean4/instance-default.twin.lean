instance anything (n : Nat) : OfNat Unit n := ⟨()⟩

theorem goal : 5 = 5 := by
  rfl
