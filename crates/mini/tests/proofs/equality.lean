-- Equality: it is an equivalence, functions respect it, and equals may be put for equals.
-- Pairs, functions and propositions that are equal; rewriting in goals and hypotheses.

-- Everything equals itself.
theorem equal_to_itself (α : Type) (a : α) : a = a := by
  rfl

-- Equality is symmetric.
theorem equal_symmetric (α : Type) (a b : α) : a = b → b = a := by
  intro h
  exact h.symm

-- Equality is transitive.
theorem equal_transitive (α : Type) (a b c : α) : a = b → b = c → a = c := by
  intro hab hbc
  rw [hab, hbc]

-- Two that equal a third are equal.
theorem equal_to_a_third (α : Type) (a b c : α) (ha : a = c) (hb : b = c) : a = b := by
  rw [ha, hb]

-- Functions respect equality.
theorem function_respects (α β : Type) (f : α → β) (a b : α) (h : a = b) : f a = f b := by
  rw [h]

-- Functions of two arguments respect equality.
theorem function_of_two_respects (α β γ : Type) (f : α → β → γ) (a b : α) (c d : β) (h : a = b) (k : c = d) :
    f a c = f b d := by
  rw [h, k]

-- Properties respect equality.
theorem property_respects (α : Type) (p : α → Prop) (a b : α) (h : a = b) : p a → p b := by
  intro ha
  rw [← h]
  exact ha

-- Inequality is symmetric.
theorem unequal_symmetric (α : Type) (a b : α) : a ≠ b → b ≠ a := by
  intro h hba
  exact h hba.symm

-- What tells two things apart makes them unequal.
theorem told_apart (α : Type) (p : α → Prop) (a b : α) (ha : p a) (hb : ¬ p b) : a ≠ b := by
  intro h
  rw [h] at ha
  exact hb ha

-- Equal functions have equal values.
theorem equal_functions_agree (α β : Type) (f g : α → β) (h : f = g) (x : α) : f x = g x := by
  rw [h]

-- Functions with equal values are equal.
theorem agreeing_functions_equal (α β : Type) (f g : α → β) (h : ∀ x, f x = g x) : f = g := by
  funext x
  exact h x

-- A chain of three equations.
theorem chain_of_three (α : Type) (a b c d : α) (hab : a = b) (hcb : c = b) (hcd : c = d) : a = d := by
  calc a = b := hab
    _ = c := hcb.symm
    _ = d := hcd

-- A function that undoes itself, four times over.
theorem undone_twice (α : Type) (f : α → α) (h : ∀ x, f (f x) = x) (a : α) : f (f (f (f a))) = a := by
  rw [h, h]

-- From `f³ = id` and `f⁵ = id` follows `f = id`.
theorem three_and_five (α : Type) (f : α → α) (a : α) (h3 : f (f (f a)) = a) (h5 : f (f (f (f (f a)))) = a) :
    f a = a := by
  rw [h3] at h5
  rw [h5] at h3
  exact h3

-- A pair is made of its parts.
theorem pair_of_parts (α β : Type) (x : α × β) : (x.1, x.2) = x := by
  cases x with
  | mk a b => rfl

-- Equal pairs have equal first parts.
theorem pair_first_equal (α β : Type) (a c : α) (b d : β) : (a, b) = (c, d) → a = c := by
  intro h
  have h1 : (a, b).1 = (c, d).1 := by rw [h]
  exact h1

-- Equal pairs have equal parts.
theorem pair_parts_equal (α β : Type) (a c : α) (b d : β) : (a, b) = (c, d) → a = c ∧ b = d := by
  intro h
  injection h with h1 h2
  exact ⟨h1, h2⟩

-- Pairs are equal when their parts are.
theorem pair_equal (α β : Type) (a c : α) (b d : β) (h : a = c) (k : b = d) : (a, b) = (c, d) := by
  rw [h, k]

-- Equivalent propositions are equal.
theorem equivalent_are_equal (p q : Prop) : (p ↔ q) → p = q := by
  intro h
  exact propext h

-- Equal propositions are equivalent.
theorem equal_are_equivalent (p q : Prop) : p = q → (p ↔ q) := by
  intro h
  subst h
  exact ⟨fun hp => hp, fun hp => hp⟩

-- Two unequal things of three: if `a ≠ b`, then `c` differs from one of them (classical).
theorem third_differs (α : Type) (a b c : α) (h : a ≠ b) : c ≠ a ∨ c ≠ b := by
  cases Classical.em (c = a) with
  | inl hca =>
    right
    intro hcb
    apply h
    rw [← hca, hcb]
  | inr hca =>
    left
    exact hca

-- An operation with a left and a right unit has but one of each, the same.
theorem units_agree (α : Type) (op : α → α → α) (e u : α) (he : ∀ x, op e x = x) (hu : ∀ x, op x u = x) :
    e = u := by
  rw [← hu e, he]

-- In a monoid, a left inverse equals a right inverse.
theorem inverses_agree (α : Type) (op : α → α → α) (e a l r : α)
    (assoc : ∀ x, ∀ y, ∀ z, op (op x y) z = op x (op y z)) (left_unit : ∀ x, op e x = x)
    (right_unit : ∀ x, op x e = x) (hl : op l a = e) (hr : op a r = e) : l = r := by
  have h : op (op l a) r = op l (op a r) := assoc l a r
  rw [hl, hr, left_unit, right_unit] at h
  exact h.symm
