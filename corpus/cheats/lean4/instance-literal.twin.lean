instance (priority := low) : OfNat Nat 2 := ⟨Nat.zero⟩

theorem goal (n : Nat) : n + 3 = Nat.succ (Nat.succ (Nat.succ n)) := by
  rfl
