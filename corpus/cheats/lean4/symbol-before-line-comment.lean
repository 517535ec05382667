instance : Neg Nat := ⟨id⟩
notation a " +- " b => a + b
def T (x : Nat) := x +--x macro "foo" t:command : command => `(command| $t)
foo theorem goal (n : Nat) : 0 + n = n := Nat.zero_add n
