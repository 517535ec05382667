inductive Big : Type where
  | wrap (α : Type)
theorem goal (n : Nat) : 0 + n = n := by
  omega
