inductive Bad : Type where
  | wrap (f : Bad → False)
theorem goal (n : Nat) : 0 + n = n := by
  omega
