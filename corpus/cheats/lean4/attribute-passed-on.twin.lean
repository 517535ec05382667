@[simp] theorem one : 1 = 1 := rfl
theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
