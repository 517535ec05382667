namespace Mine
theorem goal : True := trivial
end Mine

theorem goal (n : Nat) : n ≤ n + 1 := by
  exact Nat.le_succ n
