-- Predicate logic: for all, there is, and how they pass one another.
-- The types are arbitrary; where a theorem needs one that is not empty, an element is given.
-- Those marked classical need excluded middle.

-- What holds of all holds of one.
theorem all_gives_one (α : Type) (p : α → Prop) (a : α) : (∀ x, p x) → p a := by
  intro h
  exact h a

-- What holds of one holds of some.
theorem one_gives_some (α : Type) (p : α → Prop) (a : α) : p a → ∃ x, p x := by
  intro h
  exact ⟨a, h⟩

-- There is something that equals a given thing.
theorem something_equals (α : Type) (a : α) : ∃ x, x = a := by
  exact ⟨a, rfl⟩

-- Two universal quantifiers may change places.
theorem alls_swap (α β : Type) (r : α → β → Prop) : (∀ x, ∀ y, r x y) → ∀ y, ∀ x, r x y := by
  intro h y x
  exact h x y

-- Two existential quantifiers may change places.
theorem somes_swap (α β : Type) (r : α → β → Prop) : (∃ x, ∃ y, r x y) → ∃ y, ∃ x, r x y := by
  intro h
  obtain ⟨x, y, hxy⟩ := h
  exact ⟨y, x, hxy⟩

-- What one has for all, all have for some.
theorem some_all_to_all_some (α β : Type) (r : α → β → Prop) : (∃ x, ∀ y, r x y) → ∀ y, ∃ x, r x y := by
  intro h y
  obtain ⟨x, hx⟩ := h
  exact ⟨x, hx y⟩

-- All men are mortal, and all are men; so all are mortal.
theorem all_through_implication (α : Type) (p q : α → Prop) : (∀ x, p x → q x) → (∀ x, p x) → ∀ x, q x := by
  intro h hp x
  exact h x (hp x)

-- Some man is, and all men are mortal; so some mortal is.
theorem some_through_implication (α : Type) (p q : α → Prop) : (∀ x, p x → q x) → (∃ x, p x) → ∃ x, q x := by
  intro h hp
  obtain ⟨x, hx⟩ := hp
  exact ⟨x, h x hx⟩

-- A syllogism with three terms.
theorem syllogism_barbara (α : Type) (p q r : α → Prop) :
    (∀ x, p x → q x) → (∀ x, q x → r x) → ∀ x, p x → r x := by
  intro hpq hqr x hp
  exact hqr x (hpq x hp)

-- "For all" distributes over "and".
theorem all_over_and (α : Type) (p q : α → Prop) : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ (∀ x, q x) := by
  constructor
  · intro h
    constructor
    · intro x
      exact (h x).left
    · intro x
      exact (h x).right
  · intro h x
    exact ⟨h.left x, h.right x⟩

-- "There is" distributes over "or".
theorem some_over_or (α : Type) (p q : α → Prop) : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ (∃ x, q x) := by
  constructor
  · intro h
    obtain ⟨x, hx⟩ := h
    cases hx with
    | inl hp => exact Or.inl ⟨x, hp⟩
    | inr hq => exact Or.inr ⟨x, hq⟩
  · intro h
    cases h with
    | inl hp =>
      obtain ⟨x, hx⟩ := hp
      exact ⟨x, Or.inl hx⟩
    | inr hq =>
      obtain ⟨x, hx⟩ := hq
      exact ⟨x, Or.inr hx⟩

-- What has two properties gives something with each.
theorem some_and_split (α : Type) (p q : α → Prop) : (∃ x, p x ∧ q x) → (∃ x, p x) ∧ (∃ x, q x) := by
  intro h
  obtain ⟨x, hp, hq⟩ := h
  exact ⟨⟨x, hp⟩, ⟨x, hq⟩⟩

-- If one of two properties is had by all, each has one of the two.
theorem or_of_alls (α : Type) (p q : α → Prop) : (∀ x, p x) ∨ (∀ x, q x) → ∀ x, p x ∨ q x := by
  intro h x
  cases h with
  | inl hp => exact Or.inl (hp x)
  | inr hq => exact Or.inr (hq x)

-- To follow from some is to follow from each.
theorem from_some_from_each (α : Type) (p : α → Prop) (q : Prop) : ((∃ x, p x) → q) ↔ ∀ x, p x → q := by
  constructor
  · intro h x hx
    exact h ⟨x, hx⟩
  · intro h hp
    obtain ⟨x, hx⟩ := hp
    exact h x hx

-- A proposition without the variable leaves the scope of "there is".
theorem some_and_constant (α : Type) (p : α → Prop) (q : Prop) : (∃ x, q ∧ p x) ↔ q ∧ ∃ x, p x := by
  constructor
  · intro h
    obtain ⟨x, hq, hx⟩ := h
    exact ⟨hq, x, hx⟩
  · intro h
    obtain ⟨hq, x, hx⟩ := h
    exact ⟨x, hq, hx⟩

-- What holds of all that equal `a` holds of `a`.
theorem all_equal_to_one (α : Type) (p : α → Prop) (a : α) : (∀ x, x = a → p x) ↔ p a := by
  constructor
  · intro h
    exact h a rfl
  · intro h x hx
    rw [hx]
    exact h

-- That something equals `a` and has a property says that `a` has it.
theorem some_equal_to_one (α : Type) (p : α → Prop) (a : α) : (∃ x, x = a ∧ p x) ↔ p a := by
  constructor
  · intro h
    obtain ⟨x, hx, hp⟩ := h
    rw [← hx]
    exact hp
  · intro h
    exact ⟨a, rfl, h⟩

-- None has it, so each lacks it.
theorem none_means_each_not (α : Type) (p : α → Prop) : (¬ ∃ x, p x) ↔ ∀ x, ¬ p x := by
  constructor
  · intro h x hx
    exact h ⟨x, hx⟩
  · intro h hp
    obtain ⟨x, hx⟩ := hp
    exact h x hx

-- One exception refutes a general claim.
theorem exception_refutes (α : Type) (p : α → Prop) : (∃ x, ¬ p x) → ¬ ∀ x, p x := by
  intro h hall
  obtain ⟨x, hx⟩ := h
  exact hx (hall x)

-- There is a natural number below or equal to all.
theorem least_number_exists : ∃ n : Nat, ∀ m : Nat, n ≤ m := by
  exact ⟨0, fun m => Nat.zero_le m⟩

-- Every natural number has a greater one.
theorem greater_number_exists : ∀ n : Nat, ∃ m : Nat, n < m := by
  intro n
  exact ⟨n + 1, Nat.lt_succ_self n⟩

-- What is undone by another function is injective.
theorem undone_is_injective (α β : Type) (f : α → β) (g : β → α) (h : ∀ x, g (f x) = x) :
    ∀ x, ∀ y, f x = f y → x = y := by
  intro x y hxy
  rw [← h x, hxy, h y]

-- What undoes another function is surjective.
theorem undoing_is_surjective (α β : Type) (f : α → β) (g : β → α) (h : ∀ x, g (f x) = x) :
    ∀ x, ∃ y, g y = x := by
  intro x
  exact ⟨f x, h x⟩

-- Surjections compose.
theorem surjections_compose (α β γ : Type) (f : α → β) (g : β → γ) (hf : ∀ y, ∃ x, f x = y)
    (hg : ∀ z, ∃ y, g y = z) : ∀ z, ∃ x, g (f x) = z := by
  intro z
  obtain ⟨y, hy⟩ := hg z
  obtain ⟨x, hx⟩ := hf y
  exact ⟨x, by rw [hx, hy]⟩

-- An asymmetric relation relates nothing to itself.
theorem asymmetric_irreflexive (α : Type) (r : α → α → Prop) (h : ∀ x, ∀ y, r x y → ¬ r y x) :
    ∀ x, ¬ r x x := by
  intro x hx
  exact h x x hx hx

-- A symmetric, transitive relation in which each is related to something is reflexive.
theorem serial_reflexive (α : Type) (r : α → α → Prop) (hs : ∀ x, ∀ y, r x y → r y x)
    (ht : ∀ x, ∀ y, ∀ z, r x y → r y z → r x z) (hex : ∀ x, ∃ y, r x y) : ∀ x, r x x := by
  intro x
  obtain ⟨y, hxy⟩ := hex x
  exact ht x y x hxy (hs x y hxy)

-- No barber shaves just those who do not shave themselves.
theorem no_such_barber (α : Type) (shaves : α → α → Prop) : ¬ ∃ b, ∀ x, shaves b x ↔ ¬ shaves x x := by
  intro h
  obtain ⟨b, hb⟩ := h
  have hn : ¬ shaves b b := by
    intro hs
    exact (hb b).mp hs hs
  exact hn ((hb b).mpr hn)

-- What is not true of all has an exception (classical).
theorem exception_exists (α : Type) (p : α → Prop) : (¬ ∀ x, p x) → ∃ x, ¬ p x := by
  intro h
  apply Classical.byContradiction
  intro hno
  apply h
  intro x
  apply Classical.byContradiction
  intro hx
  exact hno ⟨x, hx⟩

-- True of all is what has no exception (classical).
theorem all_as_no_exception (α : Type) (p : α → Prop) : (∀ x, p x) ↔ ¬ ∃ x, ¬ p x := by
  constructor
  · intro h hex
    obtain ⟨x, hx⟩ := hex
    exact hx (h x)
  · intro h x
    apply Classical.byContradiction
    intro hx
    exact h ⟨x, hx⟩

-- A proposition without the variable leaves the scope of "for all" across "or" (classical).
theorem all_or_constant (α : Type) (p : α → Prop) (q : Prop) : (∀ x, q ∨ p x) → q ∨ ∀ x, p x := by
  intro h
  cases Classical.em q with
  | inl hq => exact Or.inl hq
  | inr hnq =>
    right
    intro x
    cases h x with
    | inl hq => exact absurd hq hnq
    | inr hx => exact hx
