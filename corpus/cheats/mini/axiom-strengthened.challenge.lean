axiom f : Nat → Nat
axiom f_zero : f 0 = 0
theorem goal : f (f 0) = 0 := sorry
