import Tricks

theorem goal (n : Nat) : n = 0 + n := by
  sorry
