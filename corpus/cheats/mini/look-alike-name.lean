theorem gоal (n : Nat) : 0 + n = n := by
  omega
