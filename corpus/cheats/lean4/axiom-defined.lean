def f (_ : Nat) : Nat := 0

theorem goal (n : Nat) : f n = f 0 := by
  rfl
