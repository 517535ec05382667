theorem honest (p : Prop) (h : p) : p := h
theorem goal (n : Nat) : 0 + n = n := honest (0 + n = n) (Nat.zero_add n)
