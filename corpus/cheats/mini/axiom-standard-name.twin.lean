theorem Honest.propext (p : Prop) (h : p) : p := h
theorem goal (n : Nat) : 0 + n = n := Honest.propext (0 + n = n) (Nat.zero_add n)
