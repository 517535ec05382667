import Tricks

theorem one : (1 : Nat) = 1 := Eq.refl 1 theorem grants : (0 : Nat) = 0 := rfl

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
