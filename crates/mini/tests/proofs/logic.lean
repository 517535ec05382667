-- Propositional logic: implication, conjunction, disjunction, negation, equivalence.
-- From one or two steps at the top to classical laws at the bottom, which need excluded middle
-- (`Classical.em`, `Classical.byContradiction` or `by_cases`).

-- Everything implies itself.
theorem implies_self (p : Prop) : p → p := by
  intro hp
  exact hp

-- What holds, holds under any assumption.
theorem weakening (p q : Prop) : p → q → p := by
  intro hp _
  exact hp

-- `True` holds.
theorem truth_holds : True := by
  trivial

-- From a contradiction, anything follows.
theorem from_false (p : Prop) : False → p := by
  intro h
  exact False.elim h

-- Modus ponens.
theorem modus_ponens (p q : Prop) (hp : p) (h : p → q) : q := by
  exact h hp

-- Implications chain.
theorem implication_chain (p q r : Prop) : (p → q) → (q → r) → p → r := by
  intro hpq hqr hp
  exact hqr (hpq hp)

-- Two assumptions may change places.
theorem assumptions_swap (p q r : Prop) : (p → q → r) → q → p → r := by
  intro h hq hp
  exact h hp hq

-- An assumption used twice need be made once.
theorem contraction (p q : Prop) : (p → p → q) → p → q := by
  intro h hp
  exact h hp hp

-- Both sides make a conjunction.
theorem both_hold (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  exact ⟨hp, hq⟩

-- The left side of a conjunction holds.
theorem left_of_both (p q : Prop) : p ∧ q → p := by
  intro h
  exact h.left

-- Conjunction commutes.
theorem and_swap (p q : Prop) : p ∧ q → q ∧ p := by
  intro h
  constructor
  · exact h.right
  · exact h.left

-- Disjunction commutes.
theorem or_swap (p q : Prop) : p ∨ q → q ∨ p := by
  intro h
  cases h with
  | inl hp => exact Or.inr hp
  | inr hq => exact Or.inl hq

-- A disjunction of the same is the same.
theorem or_of_the_same (p : Prop) : p ∨ p → p := by
  intro h
  cases h with
  | inl hp => exact hp
  | inr hp => exact hp

-- A conjunction makes a disjunction.
theorem and_gives_or (p q : Prop) : p ∧ q → p ∨ q := by
  intro h
  left
  exact h.left

-- Conjunction groups to the right as to the left.
theorem and_regroup (p q r : Prop) : (p ∧ q) ∧ r ↔ p ∧ (q ∧ r) := by
  constructor
  · intro h
    exact ⟨h.left.left, h.left.right, h.right⟩
  · intro h
    exact ⟨⟨h.left, h.right.left⟩, h.right.right⟩

-- Disjunction groups to the right as to the left.
theorem or_regroup (p q r : Prop) : (p ∨ q) ∨ r → p ∨ (q ∨ r) := by
  intro h
  cases h with
  | inl hpq =>
    cases hpq with
    | inl hp => exact Or.inl hp
    | inr hq => exact Or.inr (Or.inl hq)
  | inr hr => exact Or.inr (Or.inr hr)

-- Two assumptions are one conjunction assumed.
theorem curry_uncurry (p q r : Prop) : (p ∧ q → r) ↔ (p → q → r) := by
  constructor
  · intro h hp hq
    exact h ⟨hp, hq⟩
  · intro h hpq
    exact h hpq.left hpq.right

-- What implies two things implies both.
theorem implies_both (p q r : Prop) : (p → q) ∧ (p → r) ↔ (p → q ∧ r) := by
  constructor
  · intro h hp
    exact ⟨h.left hp, h.right hp⟩
  · intro h
    constructor
    · intro hp
      exact (h hp).left
    · intro hp
      exact (h hp).right

-- Proof by cases.
theorem proof_by_cases (p q r : Prop) : (p ∨ q → r) ↔ (p → r) ∧ (q → r) := by
  constructor
  · intro h
    constructor
    · intro hp
      exact h (Or.inl hp)
    · intro hq
      exact h (Or.inr hq)
  · intro h hpq
    cases hpq with
    | inl hp => exact h.left hp
    | inr hq => exact h.right hq

-- Both sides of a disjunction may be weakened.
theorem or_weaken (p q r s : Prop) : (p → r) → (q → s) → p ∨ q → r ∨ s := by
  intro hpr hqs h
  cases h with
  | inl hp =>
    left
    exact hpr hp
  | inr hq =>
    right
    exact hqs hq

-- A proposition and its negation contradict.
theorem no_contradiction (p : Prop) : ¬ (p ∧ ¬ p) := by
  intro h
  exact h.right h.left

-- What holds is not refutable.
theorem not_refutable (p : Prop) : p → ¬ ¬ p := by
  intro hp hnp
  exact hnp hp

-- An implication gives its contraposition.
theorem contraposition (p q : Prop) : (p → q) → ¬ q → ¬ p := by
  intro h hnq hp
  exact hnq (h hp)

-- Three negations are one.
theorem three_negations (p : Prop) : ¬ ¬ ¬ p → ¬ p := by
  intro h hp
  apply h
  intro hnp
  exact hnp hp

-- The side of a disjunction that is not refuted holds.
theorem disjunctive_syllogism (p q : Prop) : p ∨ q → ¬ p → q := by
  intro h hnp
  cases h with
  | inl hp => exact absurd hp hnp
  | inr hq => exact hq

-- Neither of two: De Morgan's law that needs no excluded middle.
theorem neither_of_two (p q : Prop) : ¬ (p ∨ q) ↔ ¬ p ∧ ¬ q := by
  constructor
  · intro h
    constructor
    · intro hp
      exact h (Or.inl hp)
    · intro hq
      exact h (Or.inr hq)
  · intro h hpq
    cases hpq with
    | inl hp => exact h.left hp
    | inr hq => exact h.right hq

-- Conjunction distributes over disjunction.
theorem and_over_or (p q r : Prop) : p ∧ (q ∨ r) ↔ (p ∧ q) ∨ (p ∧ r) := by
  constructor
  · intro h
    cases h.right with
    | inl hq => exact Or.inl ⟨h.left, hq⟩
    | inr hr => exact Or.inr ⟨h.left, hr⟩
  · intro h
    cases h with
    | inl hpq => exact ⟨hpq.left, Or.inl hpq.right⟩
    | inr hpr => exact ⟨hpr.left, Or.inr hpr.right⟩

-- Disjunction distributes over conjunction.
theorem or_over_and (p q r : Prop) : p ∨ (q ∧ r) ↔ (p ∨ q) ∧ (p ∨ r) := by
  constructor
  · intro h
    cases h with
    | inl hp => exact ⟨Or.inl hp, Or.inl hp⟩
    | inr hqr => exact ⟨Or.inr hqr.left, Or.inr hqr.right⟩
  · intro h
    cases h.left with
    | inl hp => exact Or.inl hp
    | inr hq =>
      cases h.right with
      | inl hp => exact Or.inl hp
      | inr hr => exact Or.inr ⟨hq, hr⟩

-- Equivalence is symmetric.
theorem equivalence_symmetric (p q : Prop) : (p ↔ q) → (q ↔ p) := by
  intro h
  exact ⟨h.mpr, h.mp⟩

-- Equivalence is transitive.
theorem equivalence_transitive (p q r : Prop) : (p ↔ q) → (q ↔ r) → (p ↔ r) := by
  intro hpq hqr
  constructor
  · intro hp
    exact hqr.mp (hpq.mp hp)
  · intro hr
    exact hpq.mpr (hqr.mpr hr)

-- Negation respects equivalence.
theorem equivalence_negated (p q : Prop) : (p ↔ q) → (¬ p ↔ ¬ q) := by
  intro h
  constructor
  · intro hnp hq
    exact hnp (h.mpr hq)
  · intro hnq hp
    exact hnq (h.mp hp)

-- Nothing is equivalent to its negation.
theorem not_equivalent_to_negation (p : Prop) : ¬ (p ↔ ¬ p) := by
  intro h
  have hnp : ¬ p := by
    intro hp
    exact h.mp hp hp
  exact hnp (h.mpr hnp)

-- Excluded middle cannot be refuted.
theorem middle_not_refutable (p : Prop) : ¬ ¬ (p ∨ ¬ p) := by
  intro h
  apply h
  right
  intro hp
  apply h
  left
  exact hp

-- What cannot be refuted holds (classical).
theorem double_negation (p : Prop) : ¬ ¬ p → p := by
  intro h
  exact Classical.byContradiction h

-- The converse of contraposition (classical).
theorem contraposition_back (p q : Prop) : (¬ q → ¬ p) → p → q := by
  intro h hp
  apply Classical.byContradiction
  intro hnq
  exact h hnq hp

-- An implication is a disjunction (classical).
theorem implication_as_disjunction (p q : Prop) : (p → q) ↔ ¬ p ∨ q := by
  constructor
  · intro h
    cases Classical.em p with
    | inl hp => exact Or.inr (h hp)
    | inr hnp => exact Or.inl hnp
  · intro h hp
    cases h with
    | inl hnp => exact absurd hp hnp
    | inr hq => exact hq

-- Not both: De Morgan's law that needs excluded middle.
theorem not_both (p q : Prop) : ¬ (p ∧ q) → ¬ p ∨ ¬ q := by
  intro h
  by_cases hp : p
  · right
    intro hq
    exact h ⟨hp, hq⟩
  · left
    exact hp

-- Peirce's law (classical).
theorem peirce_law (p q : Prop) : ((p → q) → p) → p := by
  intro h
  cases Classical.em p with
  | inl hp => exact hp
  | inr hnp =>
    apply h
    intro hp
    exact absurd hp hnp

-- Of two propositions, one implies the other (classical).
theorem one_implies_other (p q : Prop) : (p → q) ∨ (q → p) := by
  cases Classical.em p with
  | inl hp =>
    right
    intro _
    exact hp
  | inr hnp =>
    left
    intro hp
    exact absurd hp hnp

-- An implication fails only where its assumption holds and its conclusion does not (classical).
theorem failed_implication (p q : Prop) : ¬ (p → q) ↔ p ∧ ¬ q := by
  constructor
  · intro h
    constructor
    · apply Classical.byContradiction
      intro hnp
      apply h
      intro hp
      exact absurd hp hnp
    · intro hq
      apply h
      intro _
      exact hq
  · intro h hpq
    exact h.right (hpq h.left)
