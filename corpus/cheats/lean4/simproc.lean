simproc zero (0 + _) := fun _ => return .continue

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
