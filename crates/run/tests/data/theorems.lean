/-! Theorems for the tests: some proved, some to be proved. -/

/-- Both of two propositions. -/
def Both (p q : Prop) : Prop := p ∧ q

theorem done (p : Prop) : p → p := fun h => h

-- A conjunction can be turned round.
theorem and_swap (p q : Prop) : p ∧ q → q ∧ p := by sorry

theorem or_swap (p q : Prop) : p ∨ q → q ∨ p := by
  sorry

example (p q : Prop) (h : p ∧ q) : q := sorry

/- A definition
   of the file. -/
lemma twice_both (p : Prop) (h : p) :
    Both p p := by sorry

theorem witness : ∃ x y : Nat, x = 3 ∧ y = x := by sorry

theorem unreachable (p q : Prop) (h : p) : q := by sorry

theorem done_too : True ∧ True := by
  constructor
  · trivial
  · trivial
