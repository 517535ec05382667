theorem my_lemma (a b c : Nat) (h : a = b) (k : b = c) : a = c ∧ c = a := by
  sorry

theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  constructor
  · exact h.2
  · sorry
