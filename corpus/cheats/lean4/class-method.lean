class Neutral (e : Nat) : Prop where
  law : True

theorem goal : Neutral 0 := by
  exact ⟨trivial⟩
