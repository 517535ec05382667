set_library_suggestions fun _ _ => pure #[]
theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
