theorem witness (h : ∃ n : Nat, n = n) : True := Exists.elim h (fun n _ => trivial)
theorem goal (n : Nat) : 0 + n = n := by
  omega
