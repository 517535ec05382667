def wrong : Nat := 0

unsafe def forged : Nat := unsafeCast wrong

theorem goal (n : Nat) : 0 + n = n := by
  exact Nat.zero_add n
