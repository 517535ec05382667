axiom propext : False
theorem goal (n : Nat) : 0 + n = n := False.elim propext
