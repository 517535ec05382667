inductive Good : Type where
  | wrap (f : False → Good)
theorem goal (n : Nat) : 0 + n = n := by
  omega
