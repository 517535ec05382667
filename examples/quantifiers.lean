-- Predicate logic: for all, there is, and how they pass one another.
-- The types are arbitrary; where a theorem needs one that is not empty, an element is given.
-- Those marked classical need excluded middle.

-- What holds of all holds of one.
theorem all_gives_one (α : Type) (p : α → Prop) (a : α) : (∀ x, p x) → p a := by
  sorry

-- What holds of one holds of some.
theorem one_gives_some (α : Type) (p : α → Prop) (a : α) : p a → ∃ x, p x := by
  sorry

-- There is something that equals a given thing.
theorem something_equals (α : Type) (a : α) : ∃ x, x = a := by
  sorry

-- Two universal quantifiers may change places.
theorem alls_swap (α β : Type) (r : α → β → Prop) : (∀ x, ∀ y, r x y) → ∀ y, ∀ x, r x y := by
  sorry

-- Two existential quantifiers may change places.
theorem somes_swap (α β : Type) (r : α → β → Prop) : (∃ x, ∃ y, r x y) → ∃ y, ∃ x, r x y := by
  sorry

-- What one has for all, all have for some.
theorem some_all_to_all_some (α β : Type) (r : α → β → Prop) : (∃ x, ∀ y, r x y) → ∀ y, ∃ x, r x y := by
  sorry

-- All men are mortal, and all are men; so all are mortal.
theorem all_through_implication (α : Type) (p q : α → Prop) : (∀ x, p x → q x) → (∀ x, p x) → ∀ x, q x := by
  sorry

-- Some man is, and all men are mortal; so some mortal is.
theorem some_through_implication (α : Type) (p q : α → Prop) : (∀ x, p x → q x) → (∃ x, p x) → ∃ x, q x := by
  sorry

-- A syllogism with three terms.
theorem syllogism_barbara (α : Type) (p q r : α → Prop) :
    (∀ x, p x → q x) → (∀ x, q x → r x) → ∀ x, p x → r x := by
  sorry

-- "For all" distributes over "and".
theorem all_over_and (α : Type) (p q : α → Prop) : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x) := by
  sorry

-- "There is" distributes over "or".
theorem some_over_or (α : Type) (p q : α → Prop) : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ (∃ x, q x) := by
  sorry

-- What has two properties gives something with each.
theorem some_and_split (α : Type) (p q : α → Prop) : (∃ x, p x ∧ q x) → (∃ x, p x) ∧ (∃ x, q x) := by
  sorry

-- If one of two properties is had by all, each has one of the two.
theorem or_of_alls (α : Type) (p q : α → Prop) : (∀ x, p x) ∨ (∀ x, q x) → ∀ x, p x ∨ q x := by
  sorry

-- To follow from some is to follow from each.
theorem from_some_from_each (α : Type) (p : α → Prop) (q : Prop) : ((∃ x, p x) → q) ↔ ∀ x, p x → q := by
  sorry

-- A proposition without the variable leaves the scope of "there is".
theorem some_and_constant (α : Type) (p : α → Prop) (q : Prop) : (∃ x, q ∧ p x) ↔ q ∧ ∃ x, p x := by
  sorry

-- What holds of all that equal `a` holds of `a`.
theorem all_equal_to_one (α : Type) (p : α → Prop) (a : α) : (∀ x, x = a → p x) ↔ p a := by
  sorry

-- That something equals `a` and has a property says that `a` has it.
theorem some_equal_to_one (α : Type) (p : α → Prop) (a : α) : (∃ x, x = a ∧ p x) ↔ p a := by
  sorry

-- None has it, so each lacks it.
theorem none_means_each_not (α : Type) (p : α → Prop) : (¬ ∃ x, p x) ↔ ∀ x, ¬ p x := by
  sorry

-- One exception refutes a general claim.
theorem exception_refutes (α : Type) (p : α → Prop) : (∃ x, ¬ p x) → ¬ ∀ x, p x := by
  sorry

-- There is a natural number below or equal to all.
theorem least_number_exists : ∃ n : Nat, ∀ m : Nat, n ≤ m := by
  sorry

-- Every natural number has a greater one.
theorem greater_number_exists : ∀ n : Nat, ∃ m : Nat, n < m := by
  sorry

-- What is undone by another function is injective.
theorem undone_is_injective (α β : Type) (f : α → β) (g : β → α) (h : ∀ x, g (f x) = x) :
    ∀ x, ∀ y, f x = f y → x = y := by
  sorry

-- What undoes another function is surjective.
theorem undoing_is_surjective (α β : Type) (f : α → β) (g : β → α) (h : ∀ x, g (f x) = x) :
    ∀ x, ∃ y, g y = x := by
  sorry

-- Surjections compose.
theorem surjections_compose (α β γ : Type) (f : α → β) (g : β → γ) (hf : ∀ y, ∃ x, f x = y)
    (hg : ∀ z, ∃ y, g y = z) : ∀ z, ∃ x, g (f x) = z := by
  sorry

-- An asymmetric relation relates nothing to itself.
theorem asymmetric_irreflexive (α : Type) (r : α → α → Prop) (h : ∀ x, ∀ y, r x y → ¬ r y x) :
    ∀ x, ¬ r x x := by
  sorry

-- A symmetric, transitive relation in which each is related to something is reflexive.
theorem serial_reflexive (α : Type) (r : α → α → Prop) (hs : ∀ x, ∀ y, r x y → r y x)
    (ht : ∀ x, ∀ y, ∀ z, r x y → r y z → r x z) (hex : ∀ x, ∃ y, r x y) : ∀ x, r x x := by
  sorry

-- No barber shaves just those who do not shave themselves.
theorem no_such_barber (α : Type) (shaves : α → α → Prop) : ¬ ∃ b, ∀ x, shaves b x ↔ ¬ shaves x x := by
  sorry

-- What is not true of all has an exception (classical).
theorem exception_exists (α : Type) (p : α → Prop) : (¬ ∀ x, p x) → ∃ x, ¬ p x := by
  sorry

-- True of all is what has no exception (classical).
theorem all_as_no_exception (α : Type) (p : α → Prop) : (∀ x, p x) ↔ ¬ ∃ x, ¬ p x := by
  sorry

-- A proposition without the variable leaves the scope of "for all" across "or" (classical).
theorem all_or_constant (α : Type) (p : α → Prop) (q : Prop) : (∀ x, q ∨ p x) → q ∨ ∀ x, p x := by
  sorry
