namespace Hidden
theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
end Hidden

theorem goal (n : Nat) : n = n := by
  rfl
