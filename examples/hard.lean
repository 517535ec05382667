-- Harder theorems: an idea is needed, a witness, a lemma on the way, or a stronger claim for the induction.
-- Some are classics: Cantor, Knaster and Tarski, the drinker, Gauss' sum, the irrationality of the square
-- root of two, and a problem of the International Mathematical Olympiad of 1977.

-- There is someone such that, if he drinks, all drink (classical).
theorem drinker (α : Type) (a : α) (p : α → Prop) : ∃ x, p x → ∀ y, p y := by
  sorry

-- Induction by steps of two.
theorem two_step_induction (p : Nat → Prop) (h0 : p 0) (h1 : p 1)
    (hs : ∀ n : Nat, p n → p (n + 1) → p (n + 2)) : ∀ n : Nat, p n := by
  sorry

-- Gauss' sum: twice the sum of the numbers up to `n` is `n * (n + 1)`.
theorem sum_of_numbers (f : Nat → Nat) (h0 : f 0 = 0) (hs : ∀ n : Nat, f (n + 1) = f n + (n + 1)) :
    ∀ n : Nat, 2 * f n = n * (n + 1) := by
  sorry

-- The sum of the first odd numbers is a square.
theorem sum_of_odd_numbers (f : Nat → Nat) (h0 : f 0 = 0) (hs : ∀ n : Nat, f (n + 1) = f n + (2 * n + 1)) :
    ∀ n : Nat, f n = n * n := by
  sorry

-- What never falls from one number to the next is monotone.
theorem monotone_from_steps (f : Nat → Nat) (h : ∀ n : Nat, f n ≤ f (n + 1)) :
    ∀ m : Nat, ∀ k : Nat, f m ≤ f (m + k) := by
  sorry

-- What rises from each number to the next is nowhere below its argument.
theorem rising_not_below (f : Nat → Nat) (h : ∀ n : Nat, f n < f (n + 1)) : ∀ n : Nat, n ≤ f n := by
  sorry

-- No sequence of natural numbers falls for ever.
theorem no_endless_descent : ¬ ∃ f : Nat → Nat, ∀ n : Nat, f (n + 1) < f n := by
  sorry

-- Strong induction: each follows from all before it.
theorem strong_induction (p : Nat → Prop) (step : ∀ n : Nat, (∀ m : Nat, m < n → p m) → p n) :
    ∀ n : Nat, p n := by
  sorry

-- A property that some number has, a least number has (classical).
theorem least_with_property (p : Nat → Prop) (h : ∃ n, p n) : ∃ n, p n ∧ ∀ m : Nat, p m → n ≤ m := by
  sorry

-- A number whose square is even is even.
theorem even_from_square (n : Nat) (h : ∃ k, n * n = 2 * k) : ∃ k, n = 2 * k := by
  sorry

-- A product of three numbers in a row is a multiple of three.
theorem three_in_a_row (n : Nat) : ∃ k, n * (n + 1) * (n + 2) = 3 * k := by
  sorry

-- Reversing turns the order of appending round.
theorem reverse_of_append (α : Type) (xs ys : List α) :
    List.reverse (xs ++ ys) = List.reverse ys ++ List.reverse xs := by
  sorry

-- Reversing twice changes nothing.
theorem reverse_back (α : Type) (xs : List α) : List.reverse (List.reverse xs) = xs := by
  sorry

-- Cantor: no listing of sets by elements has every set in it.
theorem cantor (α : Type) (f : α → α → Prop) : ∃ s : α → Prop, ∀ x, f x ≠ s := by
  sorry

-- Knaster and Tarski: what is monotone on sets has a fixed point.
theorem knaster_tarski (α : Type) (f : (α → Prop) → α → Prop)
    (mono : ∀ s : α → Prop, ∀ t : α → Prop, (∀ x, s x → t x) → ∀ x, f s x → f t x) :
    ∃ s : α → Prop, ∀ x, f s x ↔ s x := by
  sorry

-- Every postage from eight on can be made of threes and fives.
theorem threes_and_fives : ∀ n : Nat, ∃ a, ∃ b, n + 8 = 3 * a + 5 * b := by
  sorry

-- The square root of two is irrational: no square is twice another, but zero.
theorem root_two_irrational : ∀ m : Nat, ∀ n : Nat, m * m = 2 * (n * n) → n = 0 := by
  sorry

-- Olympiad 1977: only the identity satisfies `f (f n) < f (n + 1)` throughout.
theorem olympiad_1977 (f : Nat → Nat) (h : ∀ n : Nat, f (f n) < f (n + 1)) : ∀ n : Nat, f n = n := by
  sorry
