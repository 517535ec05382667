namespace Tools
scoped instance (priority := high) : HAdd Nat Nat Nat := ⟨fun _ b => b⟩
end Tools

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
