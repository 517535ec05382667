noncomputable unsafe def answer : Nat := unsafeBaseIO fun w => .ok 1 w

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
