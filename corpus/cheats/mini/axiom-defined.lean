def f (n : Nat) : Nat := 0
theorem f_zero : f 0 = 0 := rfl
theorem goal : f (f 0) = 0 := rfl
