class Holds (p : Prop) : Prop where
  holds : p

instance (n : Nat) : Holds (0 + n = n) := ⟨Nat.zero_add n⟩

theorem goal (n : Nat) : 0 + n = n := by
  exact Holds.holds
