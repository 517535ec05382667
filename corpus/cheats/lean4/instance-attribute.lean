def other : HAdd Nat Nat Nat := ⟨fun _ b => b⟩
attribute [local instance 10000] other

theorem goal (n : Nat) : 0 + n = n := by
  rfl
