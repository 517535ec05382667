-- Sets as predicates: a set of things of type `α` is an `s : α → Prop`, and `s x` says that `x` is in it.
-- Inclusion, intersection, union, complement, image and preimage, written out in logic; sets are equal
-- when they have the same elements.

-- Whatever is in the first set is in the second.
def Included {α : Type} (s t : α → Prop) : Prop := ∀ x, s x → t x

-- No element is in both sets.
def Apart {α : Type} (s t : α → Prop) : Prop := ∀ x, s x → ¬ t x

-- Every set includes itself.
theorem inclusion_reflexive (α : Type) (s : α → Prop) : ∀ x, s x → s x := by
  sorry

-- Inclusion is transitive.
theorem inclusion_transitive (α : Type) (s t u : α → Prop) (hst : ∀ x, s x → t x) (htu : ∀ x, t x → u x) :
    ∀ x, s x → u x := by
  sorry

-- The empty set is included in every set.
theorem empty_included (α : Type) (s : α → Prop) : ∀ x, (fun _ : α => False) x → s x := by
  sorry

-- Every set is included in the set of everything.
theorem included_in_everything (α : Type) (s : α → Prop) : ∀ x, s x → (fun _ : α => True) x := by
  sorry

-- An intersection is included in both sets.
theorem intersection_included (α : Type) (s t : α → Prop) : ∀ x, s x ∧ t x → s x := by
  sorry

-- A union includes both sets.
theorem union_includes (α : Type) (s t : α → Prop) : ∀ x, t x → s x ∨ t x := by
  sorry

-- What is included in two sets is included in their intersection.
theorem included_in_intersection (α : Type) (s t u : α → Prop) (hs : ∀ x, u x → s x) (ht : ∀ x, u x → t x) :
    ∀ x, u x → s x ∧ t x := by
  sorry

-- What includes two sets includes their union.
theorem union_included (α : Type) (s t u : α → Prop) (hs : ∀ x, s x → u x) (ht : ∀ x, t x → u x) :
    ∀ x, s x ∨ t x → u x := by
  sorry

-- Sets that include each other are equal.
theorem mutual_inclusion_equal (α : Type) (s t : α → Prop) (hst : ∀ x, s x → t x) (hts : ∀ x, t x → s x) :
    s = t := by
  sorry

-- Intersection commutes, as an equation of sets.
theorem intersection_commutes (α : Type) (s t : α → Prop) : (fun x => s x ∧ t x) = (fun x => t x ∧ s x) := by
  sorry

-- The union of a set with itself is itself.
theorem union_with_itself (α : Type) (s : α → Prop) : (fun x => s x ∨ s x) = s := by
  sorry

-- Intersection respects inclusion.
theorem intersection_monotone (α : Type) (s t u v : α → Prop) (hst : ∀ x, s x → t x) (huv : ∀ x, u x → v x) :
    ∀ x, s x ∧ u x → t x ∧ v x := by
  sorry

-- Complements turn inclusion round.
theorem complement_antitone (α : Type) (s t : α → Prop) (h : ∀ x, s x → t x) : ∀ x, ¬ t x → ¬ s x := by
  sorry

-- Intersection distributes over union.
theorem intersection_over_union (α : Type) (s t u : α → Prop) :
    ∀ x, s x ∧ (t x ∨ u x) ↔ (s x ∧ t x) ∨ (s x ∧ u x) := by
  sorry

-- The complement of a union is the intersection of the complements.
theorem complement_of_union (α : Type) (s t : α → Prop) : ∀ x, ¬ (s x ∨ t x) ↔ ¬ s x ∧ ¬ t x := by
  sorry

-- The complement of the complement is the set (classical).
theorem complement_twice (α : Type) (s : α → Prop) : (fun x => ¬ ¬ s x) = s := by
  sorry

-- A set and its complement make everything (classical).
theorem set_or_complement (α : Type) (s : α → Prop) : ∀ x, s x ∨ ¬ s x := by
  sorry

-- Inclusion is the same as intersecting without change.
theorem included_iff_intersection (α : Type) (s t : α → Prop) : (∀ x, s x → t x) ↔ ∀ x, s x ∧ t x ↔ s x := by
  sorry

-- The preimage of an intersection is the intersection of the preimages.
theorem preimage_of_intersection (α β : Type) (f : α → β) (s t : β → Prop) :
    ∀ x, (fun y => s y ∧ t y) (f x) ↔ s (f x) ∧ t (f x) := by
  sorry

-- The image of a union is the union of the images.
theorem image_of_union (α β : Type) (f : α → β) (s t : α → Prop) :
    ∀ y, (∃ x, (s x ∨ t x) ∧ f x = y) ↔ (∃ x, s x ∧ f x = y) ∨ (∃ x, t x ∧ f x = y) := by
  sorry

-- An image is included just when the set is included in the preimage.
theorem image_and_preimage (α β : Type) (f : α → β) (s : α → Prop) (t : β → Prop) :
    (∀ y, (∃ x, s x ∧ f x = y) → t y) ↔ ∀ x, s x → t (f x) := by
  sorry

-- The union of a family is included where all its sets are.
theorem family_union_included (α ι : Type) (s : ι → α → Prop) (t : α → Prop) :
    (∀ x, (∃ i, s i x) → t x) ↔ ∀ i, ∀ x, s i x → t x := by
  sorry

-- Being apart is symmetric.
theorem apart_symmetric (α : Type) (s t : α → Prop) : Apart s t → Apart t s := by
  sorry

-- What is included in one of two sets that are apart is apart from the other.
theorem included_in_apart (α : Type) (s t u : α → Prop) (h : Included s t) (k : Apart t u) : Apart s u := by
  sorry
