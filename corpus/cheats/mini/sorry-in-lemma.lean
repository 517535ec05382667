theorem step (n : Nat) : 0 + n = n := sorry
theorem goal (n : Nat) : 0 + n = n := step n
