theorem goal (n : Nat) : 0 + n = n := by
  omega
theorem fine : ¬False := fun f => f
