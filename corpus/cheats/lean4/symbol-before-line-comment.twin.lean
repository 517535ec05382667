instance : Neg Nat := ⟨id⟩
notation a " +- " b => a + b
def T (x : Nat) := x +- -x -- macro
theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
