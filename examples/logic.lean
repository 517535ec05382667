-- Propositional logic: implication, conjunction, disjunction, negation, equivalence.
-- From one or two steps at the top to classical laws at the bottom, which need excluded middle
-- (`Classical.em`, `Classical.byContradiction` or `by_cases`).

-- Everything implies itself.
theorem implies_self (p : Prop) : p → p := by
  sorry

-- What holds, holds under any assumption.
theorem weakening (p q : Prop) : p → q → p := by
  sorry

-- `True` holds.
theorem truth_holds : True := by
  sorry

-- From a contradiction, anything follows.
theorem from_false (p : Prop) : False → p := by
  sorry

-- Modus ponens.
theorem modus_ponens (p q : Prop) (hp : p) (h : p → q) : q := by
  sorry

-- Implications chain.
theorem implication_chain (p q r : Prop) : (p → q) → (q → r) → p → r := by
  sorry

-- Two assumptions may change places.
theorem assumptions_swap (p q r : Prop) : (p → q → r) → q → p → r := by
  sorry

-- An assumption used twice need be made once.
theorem contraction (p q : Prop) : (p → p → q) → p → q := by
  sorry

-- Both sides make a conjunction.
theorem both_hold (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  sorry

-- The left side of a conjunction holds.
theorem left_of_both (p q : Prop) : p ∧ q → p := by
  sorry

-- Conjunction commutes.
theorem and_swap (p q : Prop) : p ∧ q → q ∧ p := by
  sorry

-- Disjunction commutes.
theorem or_swap (p q : Prop) : p ∨ q → q ∨ p := by
  sorry

-- A disjunction of the same is the same.
theorem or_of_the_same (p : Prop) : p ∨ p → p := by
  sorry

-- A conjunction makes a disjunction.
theorem and_gives_or (p q : Prop) : p ∧ q → p ∨ q := by
  sorry

-- Conjunction groups to the right as to the left.
theorem and_regroup (p q r : Prop) : (p ∧ q) ∧ r ↔ p ∧ (q ∧ r) := by
  sorry

-- Disjunction groups to the right as to the left.
theorem or_regroup (p q r : Prop) : (p ∨ q) ∨ r → p ∨ (q ∨ r) := by
  sorry

-- Two assumptions are one conjunction assumed.
theorem curry_uncurry (p q r : Prop) : (p ∧ q → r) ↔ (p → q → r) := by
  sorry

-- What implies two things implies both.
theorem implies_both (p q r : Prop) : (p → q) ∧ (p → r) ↔ (p → q ∧ r) := by
  sorry

-- Proof by cases.
theorem proof_by_cases (p q r : Prop) : (p ∨ q → r) ↔ (p → r) ∧ (q → r) := by
  sorry

-- Both sides of a disjunction may be weakened.
theorem or_weaken (p q r s : Prop) : (p → r) → (q → s) → p ∨ q → r ∨ s := by
  sorry

-- A proposition and its negation contradict.
theorem no_contradiction (p : Prop) : ¬ (p ∧ ¬ p) := by
  sorry

-- What holds is not refutable.
theorem not_refutable (p : Prop) : p → ¬ ¬ p := by
  sorry

-- An implication gives its contraposition.
theorem contraposition (p q : Prop) : (p → q) → ¬ q → ¬ p := by
  sorry

-- Three negations are one.
theorem three_negations (p : Prop) : ¬ ¬ ¬ p → ¬ p := by
  sorry

-- The side of a disjunction that is not refuted holds.
theorem disjunctive_syllogism (p q : Prop) : p ∨ q → ¬ p → q := by
  sorry

-- Neither of two: De Morgan's law that needs no excluded middle.
theorem neither_of_two (p q : Prop) : ¬ (p ∨ q) ↔ ¬ p ∧ ¬ q := by
  sorry

-- Conjunction distributes over disjunction.
theorem and_over_or (p q r : Prop) : p ∧ (q ∨ r) ↔ (p ∧ q) ∨ (p ∧ r) := by
  sorry

-- Disjunction distributes over conjunction.
theorem or_over_and (p q r : Prop) : p ∨ (q ∧ r) ↔ (p ∨ q) ∧ (p ∨ r) := by
  sorry

-- Equivalence is symmetric.
theorem equivalence_symmetric (p q : Prop) : (p ↔ q) → (q ↔ p) := by
  sorry

-- Equivalence is transitive.
theorem equivalence_transitive (p q r : Prop) : (p ↔ q) → (q ↔ r) → (p ↔ r) := by
  sorry

-- Negation respects equivalence.
theorem equivalence_negated (p q : Prop) : (p ↔ q) → (¬ p ↔ ¬ q) := by
  sorry

-- Nothing is equivalent to its negation.
theorem not_equivalent_to_negation (p : Prop) : ¬ (p ↔ ¬ p) := by
  sorry

-- Excluded middle cannot be refuted.
theorem middle_not_refutable (p : Prop) : ¬ ¬ (p ∨ ¬ p) := by
  sorry

-- What cannot be refuted holds (classical).
theorem double_negation (p : Prop) : ¬ ¬ p → p := by
  sorry

-- The converse of contraposition (classical).
theorem contraposition_back (p q : Prop) : (¬ q → ¬ p) → p → q := by
  sorry

-- An implication is a disjunction (classical).
theorem implication_as_disjunction (p q : Prop) : (p → q) ↔ ¬ p ∨ q := by
  sorry

-- Not both: De Morgan's law that needs excluded middle.
theorem not_both (p q : Prop) : ¬ (p ∧ q) → ¬ p ∨ ¬ q := by
  sorry

-- Peirce's law (classical).
theorem peirce_law (p q : Prop) : ((p → q) → p) → p := by
  sorry

-- Of two propositions, one implies the other (classical).
theorem one_implies_other (p q : Prop) : (p → q) ∨ (q → p) := by
  sorry

-- An implication fails only where its assumption holds and its conclusion does not (classical).
theorem failed_implication (p q : Prop) : ¬ (p → q) ↔ p ∧ ¬ q := by
  sorry
