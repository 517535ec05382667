import Tricks

theorem one : (1 : Nat) = 1 := Eq.refl 1 grant lie : (0 : Nat) = 1

theorem goal (n : Nat) : 0 + n = n := by
  injection lie
