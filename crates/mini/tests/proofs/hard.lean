-- Harder theorems: an idea is needed, a witness, a lemma on the way, or a stronger claim for the induction.
-- Some are classics: Cantor, Knaster and Tarski, the drinker, Gauss' sum, the irrationality of the square
-- root of two, and a problem of the International Mathematical Olympiad of 1977.

-- There is someone such that, if he drinks, all drink (classical).
theorem drinker (α : Type) (a : α) (p : α → Prop) : ∃ x, p x → ∀ y, p y := by
  by_cases h : ∃ x, ¬ p x
  · obtain ⟨x, hx⟩ := h
    exact ⟨x, fun hp => absurd hp hx⟩
  · exact ⟨a, fun _ y => Classical.byContradiction (fun hy => h ⟨y, hy⟩)⟩

-- Induction by steps of two.
theorem two_step_induction (p : Nat → Prop) (h0 : p 0) (h1 : p 1)
    (hs : ∀ n : Nat, p n → p (n + 1) → p (n + 2)) : ∀ n : Nat, p n := by
  have both : ∀ n : Nat, p n ∧ p (n + 1) := by
    intro n
    induction n with
    | zero => exact ⟨h0, h1⟩
    | succ n ih => exact ⟨ih.right, hs n ih.left ih.right⟩
  intro n
  exact (both n).left

-- Gauss' sum: twice the sum of the numbers up to `n` is `n * (n + 1)`.
theorem sum_of_numbers (f : Nat → Nat) (h0 : f 0 = 0) (hs : ∀ n : Nat, f (n + 1) = f n + (n + 1)) :
    ∀ n : Nat, 2 * f n = n * (n + 1) := by
  intro n
  induction n with
  | zero =>
    have e : 2 * f 0 = 2 * 0 := by rw [h0]
    exact e
  | succ n ih =>
    show 2 * f (n + 1) = (n + 1) * (n + 1 + 1)
    rw [hs, Nat.mul_add, ih]
    ring

-- The sum of the first odd numbers is a square.
theorem sum_of_odd_numbers (f : Nat → Nat) (h0 : f 0 = 0) (hs : ∀ n : Nat, f (n + 1) = f n + (2 * n + 1)) :
    ∀ n : Nat, f n = n * n := by
  intro n
  induction n with
  | zero => exact h0
  | succ n ih =>
    show f (n + 1) = (n + 1) * (n + 1)
    rw [hs, ih]
    ring

-- What never falls from one number to the next is monotone.
theorem monotone_from_steps (f : Nat → Nat) (h : ∀ n : Nat, f n ≤ f (n + 1)) :
    ∀ m : Nat, ∀ k : Nat, f m ≤ f (m + k) := by
  intro m k
  induction k with
  | zero => exact Nat.le_refl (f m)
  | succ k ih => exact Nat.le_trans ih (h (m + k))

-- What rises from each number to the next is nowhere below its argument.
theorem rising_not_below (f : Nat → Nat) (h : ∀ n : Nat, f n < f (n + 1)) : ∀ n : Nat, n ≤ f n := by
  intro n
  induction n with
  | zero => exact Nat.zero_le (f 0)
  | succ n ih => exact Nat.succ_le_of_lt (Nat.lt_of_le_of_lt ih (h n))

-- No sequence of natural numbers falls for ever.
theorem no_endless_descent : ¬ ∃ f : Nat → Nat, ∀ n : Nat, f (n + 1) < f n := by
  intro h
  obtain ⟨f, hf⟩ := h
  have bound : ∀ n : Nat, f n + n ≤ f 0 := by
    intro n
    induction n with
    | zero => exact Nat.le_refl (f 0)
    | succ n ih =>
      have hn : f (n + 1) < f n := hf n
      have goal : f (n + 1) + (n + 1) ≤ f 0 := by omega
      exact goal
  have last : f (f 0 + 1) + (f 0 + 1) ≤ f 0 := bound (f 0 + 1)
  omega

-- Strong induction: each follows from all before it.
theorem strong_induction (p : Nat → Prop) (step : ∀ n : Nat, (∀ m : Nat, m < n → p m) → p n) :
    ∀ n : Nat, p n := by
  have below : ∀ n : Nat, ∀ m : Nat, m < n → p m := by
    intro n
    induction n with
    | zero =>
      intro m hm
      exact absurd hm (Nat.not_lt_zero m)
    | succ n ih =>
      intro m hm
      apply step
      intro k hk
      exact ih k (Nat.lt_of_lt_of_le hk (Nat.le_of_lt_succ hm))
  intro n
  exact step n (below n)

-- A property that some number has, a least number has (classical).
theorem least_with_property (p : Nat → Prop) (h : ∃ n, p n) : ∃ n, p n ∧ ∀ m : Nat, p m → n ≤ m := by
  apply Classical.byContradiction
  intro hno
  have lacking : ∀ n : Nat, ∀ m : Nat, m < n → ¬ p m := by
    intro n
    induction n with
    | zero =>
      intro m hm
      exact absurd hm (Nat.not_lt_zero m)
    | succ n ih =>
      intro m hm hp
      apply hno
      refine ⟨m, hp, ?_⟩
      intro k hk
      cases Nat.lt_or_ge k m with
      | inl hlt => exact absurd hk (ih k (Nat.lt_of_lt_of_le hlt (Nat.le_of_lt_succ hm)))
      | inr hge => exact hge
  obtain ⟨n, hn⟩ := h
  exact lacking (n + 1) n (Nat.lt_succ_self n) hn

-- A number whose square is even is even.
theorem even_from_square (n : Nat) (h : ∃ k, n * n = 2 * k) : ∃ k, n = 2 * k := by
  have even_or_odd : ∀ m : Nat, (∃ k, m = 2 * k) ∨ (∃ k, m = 2 * k + 1) := by
    intro m
    induction m with
    | zero => exact Or.inl ⟨0, rfl⟩
    | succ m ih =>
      cases ih with
      | inl he =>
        obtain ⟨k, hk⟩ := he
        exact Or.inr ⟨k, by rw [hk]⟩
      | inr ho =>
        obtain ⟨k, hk⟩ := ho
        exact Or.inl ⟨k + 1, by omega⟩
  have odd_not_even : ∀ x : Nat, ∀ y : Nat, 2 * x + 1 ≠ 2 * y := by
    intro x y hxy
    omega
  cases even_or_odd n with
  | inl he => exact he
  | inr ho =>
    obtain ⟨k, hk⟩ := h
    obtain ⟨l, hl⟩ := ho
    have odd : 2 * (2 * (l * l) + 2 * l) + 1 = 2 * k := by
      rw [← hk, hl]
      ring
    exact absurd odd (odd_not_even (2 * (l * l) + 2 * l) k)

-- A product of three numbers in a row is a multiple of three.
theorem three_in_a_row (n : Nat) : ∃ k, n * (n + 1) * (n + 2) = 3 * k := by
  induction n with
  | zero => exact ⟨0, rfl⟩
  | succ n ih =>
    obtain ⟨k, hk⟩ := ih
    refine ⟨k + (n + 1) * (n + 2), ?_⟩
    have larger : (n + 1) * (n + 1 + 1) * (n + 1 + 2) = n * (n + 1) * (n + 2) + 3 * ((n + 1) * (n + 2)) := by
      ring
    have together : 3 * k + 3 * ((n + 1) * (n + 2)) = 3 * (k + (n + 1) * (n + 2)) := by
      ring
    rw [larger, hk, together]

-- Reversing turns the order of appending round.
theorem reverse_of_append (α : Type) (xs ys : List α) :
    List.reverse (xs ++ ys) = List.reverse ys ++ List.reverse xs := by
  induction xs with
  | nil =>
    show List.reverse ys = List.reverse ys ++ []
    rw [List.append_nil]
  | cons x xs ih =>
    show List.reverse (x :: (xs ++ ys)) = List.reverse ys ++ List.reverse (x :: xs)
    rw [List.reverse_cons, List.reverse_cons, ih, List.append_assoc]

-- Reversing twice changes nothing.
theorem reverse_back (α : Type) (xs : List α) : List.reverse (List.reverse xs) = xs := by
  induction xs with
  | nil => rfl
  | cons x xs ih =>
    rw [List.reverse_cons, List.reverse_append]
    show x :: List.reverse (List.reverse xs) = x :: xs
    rw [ih]

-- Cantor: no listing of sets by elements has every set in it.
theorem cantor (α : Type) (f : α → α → Prop) : ∃ s : α → Prop, ∀ x, f x ≠ s := by
  refine ⟨fun x => ¬ f x x, ?_⟩
  intro x h
  have e : f x x = (¬ f x x) := congrFun h x
  have hn : ¬ f x x := by
    intro hf
    have hf' : f x x := hf
    rw [e] at hf'
    exact hf' hf
  have hf : f x x := by
    rw [e]
    exact hn
  exact hn hf

-- Knaster and Tarski: what is monotone on sets has a fixed point.
theorem knaster_tarski (α : Type) (f : (α → Prop) → α → Prop)
    (mono : ∀ s : α → Prop, ∀ t : α → Prop, (∀ x, s x → t x) → ∀ x, f s x → f t x) :
    ∃ s : α → Prop, ∀ x, f s x ↔ s x := by
  have fixed : ∀ s : α → Prop, (∀ y, s y ↔ ∀ t : α → Prop, (∀ z, f t z → t z) → t y) → ∀ x, f s x ↔ s x := by
    intro s hs
    have closed : ∀ x, f s x → s x := by
      intro x hx
      apply (hs x).mpr
      intro t ht
      exact ht x (mono s t (fun y hy => (hs y).mp hy t ht) x hx)
    intro x
    constructor
    · exact closed x
    · intro hx
      exact (hs x).mp hx (f s) (fun z hz => mono (f s) s closed z hz)
  exact ⟨fun y => ∀ t : α → Prop, (∀ z, f t z → t z) → t y,
    fixed (fun y => ∀ t : α → Prop, (∀ z, f t z → t z) → t y) (fun y => ⟨fun h => h, fun h => h⟩)⟩

-- Every postage from eight on can be made of threes and fives.
theorem threes_and_fives : ∀ n : Nat, ∃ a, ∃ b, n + 8 = 3 * a + 5 * b := by
  sorry

-- The square root of two is irrational: no square is twice another, but zero.
theorem root_two_irrational : ∀ m : Nat, ∀ n : Nat, m * m = 2 * (n * n) → n = 0 := by
  sorry

-- Olympiad 1977: only the identity satisfies `f (f n) < f (n + 1)` throughout.
theorem olympiad_1977 (f : Nat → Nat) (h : ∀ n : Nat, f (f n) < f (n + 1)) : ∀ n : Nat, f n = n := by
  sorry
