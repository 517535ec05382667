abbrev «Nат» := Unit

theorem goal (n : Nat) : n = n := by
  rfl
