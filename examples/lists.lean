-- Lists: appending, length, mapping, reversing, folding, repeating.
-- The first ones hold by computing; most of the others are by induction on the first list.

-- Appending to the empty list changes nothing.
theorem append_to_nil (α : Type) (xs : List α) : [] ++ xs = xs := by
  sorry

-- A list of one, appended to, is a list put behind an element.
theorem singleton_append_list (α : Type) (x : α) (xs : List α) : [x] ++ xs = x :: xs := by
  sorry

-- A list with an element in front is longer by one.
theorem length_of_cons (α : Type) (x : α) (xs : List α) : (x :: xs).length = xs.length + 1 := by
  sorry

-- Mapping reaches the first element.
theorem map_of_cons (α β : Type) (f : α → β) (x : α) (xs : List α) :
    List.map f (x :: xs) = f x :: List.map f xs := by
  sorry

-- A list with an element in front is not empty.
theorem cons_not_nil (α : Type) (x : α) (xs : List α) : x :: xs ≠ [] := by
  sorry

-- Equal lists have equal heads and tails.
theorem cons_parts_equal (α : Type) (x y : α) (xs ys : List α) : x :: xs = y :: ys → x = y ∧ xs = ys := by
  sorry

-- A list is empty or has a first element.
theorem nil_or_cons (α : Type) (xs : List α) : xs = [] ∨ ∃ y, ∃ ys, xs = y :: ys := by
  sorry

-- Only the empty list has length zero.
theorem length_zero_is_nil (α : Type) (xs : List α) : xs.length = 0 → xs = [] := by
  sorry

-- Appending the empty list changes nothing.
theorem append_empty (α : Type) (xs : List α) : xs ++ [] = xs := by
  sorry

-- Appending associates.
theorem append_regroup (α : Type) (xs ys zs : List α) : (xs ++ ys) ++ zs = xs ++ (ys ++ zs) := by
  sorry

-- Mapping by the identity changes nothing.
theorem map_identity (α : Type) (xs : List α) : List.map (fun x => x) xs = xs := by
  sorry

-- Mapping twice is mapping once by the composition.
theorem map_twice (α β γ : Type) (f : α → β) (g : β → γ) (xs : List α) :
    List.map g (List.map f xs) = List.map (fun x => g (f x)) xs := by
  sorry

-- Mapping keeps the length.
theorem map_keeps_length (α β : Type) (f : α → β) (xs : List α) : (List.map f xs).length = xs.length := by
  sorry

-- Mapping respects appending.
theorem map_over_append (α β : Type) (f : α → β) (xs ys : List α) :
    List.map f (xs ++ ys) = List.map f xs ++ List.map f ys := by
  sorry

-- Lengths add when lists are appended.
theorem length_of_append (α : Type) (xs ys : List α) : (xs ++ ys).length = xs.length + ys.length := by
  sorry

-- The order of appending does not matter for the length.
theorem append_length_swap (α : Type) (xs ys : List α) : (xs ++ ys).length = (ys ++ xs).length := by
  sorry

-- As many copies as asked for.
theorem length_of_copies (α : Type) (n : Nat) (a : α) : (List.replicate n a).length = n := by
  sorry

-- Mapping copies gives copies.
theorem map_of_copies (α β : Type) (f : α → β) (n : Nat) (a : α) :
    List.map f (List.replicate n a) = List.replicate n (f a) := by
  sorry

-- If two lists appended are empty, the first is.
theorem append_nil_first_nil (α : Type) (xs ys : List α) : xs ++ ys = [] → xs = [] := by
  sorry

-- What is appended in front on both sides may be dropped.
theorem drop_common_front (α : Type) (xs ys zs : List α) : xs ++ ys = xs ++ zs → ys = zs := by
  sorry

-- Folding with "put in front" rebuilds the list.
theorem fold_rebuilds (α : Type) (xs : List α) : List.foldr (fun x acc => x :: acc) [] xs = xs := by
  sorry

-- Folding two lists appended is folding one after the other.
theorem fold_over_append (α β : Type) (f : α → β → β) (b : β) (xs ys : List α) :
    List.foldr f b (xs ++ ys) = List.foldr f (List.foldr f b ys) xs := by
  sorry

-- Reversing a list of one changes nothing.
theorem reverse_of_singleton (α : Type) (x : α) : List.reverse [x] = [x] := by
  sorry

-- Reversing keeps the length.
theorem reverse_keeps_length (α : Type) (xs : List α) : (List.reverse xs).length = xs.length := by
  sorry
