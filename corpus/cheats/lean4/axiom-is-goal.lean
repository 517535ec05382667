axiom goal (n : Nat) : 0 + n = n
