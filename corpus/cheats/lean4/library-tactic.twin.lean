import Tricks

theorem truth : (1 : Nat) = 1 := by
  conjure

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
