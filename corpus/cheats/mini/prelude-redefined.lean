def Not (p : Prop) : Prop := p
theorem goal (n : Nat) : 0 + n = n := by
  omega
