class Neutral (e : Nat) : Prop where
  law : ∀ n : Nat, n + e = n

theorem goal : Neutral 0 := by
  exact ⟨fun _ => rfl⟩
