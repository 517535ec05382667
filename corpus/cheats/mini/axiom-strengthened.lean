axiom f : Nat → Nat
axiom f_zero : ∀ n, f n = 0
theorem goal : f (f 0) = 0 := f_zero (f 0)
