def Other.Char.ofNat (_ : Nat) : Char := ⟨0⟩

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
