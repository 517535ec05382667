theorem lemma1 (n : Nat) : 0 + n = n := Nat.zero_add n

theorem goal (n : Nat) : 0 + n = n := by
  exact lemma1 n
