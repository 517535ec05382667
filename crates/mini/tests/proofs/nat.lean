-- Natural numbers: sums, products, powers, order, parity, divisibility.
-- `a ≤ b` and `a < b` are those of the natural numbers, numerals are natural numbers, and a number is even
-- when it is `2 * k` for some `k`. Rewriting by commutativity alone goes round for ever on some of these.

-- Adding zero changes nothing.
theorem add_zero_nat : ∀ n : ℕ, n + 0 = n := by
  intro n
  rfl

-- Two and two are four.
theorem two_and_two : 2 + 2 = 4 := by
  rfl

-- The successor is the sum with one.
theorem succ_is_add_one (n : Nat) : Nat.succ n = n + 1 := by
  rfl

-- Adding to zero changes nothing: this needs induction, or a lemma.
theorem zero_add_nat (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show (0 + n) + 1 = n + 1
    rw [ih]

-- Addition commutes.
theorem add_comm_nat (a b : ℕ) : a + b = b + a := by
  exact Nat.add_comm a b

-- Addition associates.
theorem add_assoc_nat (a b c : Nat) : (a + b) + c = a + (b + c) := by
  exact Nat.add_assoc a b c

-- One more on the left is one more.
theorem succ_add_nat (a b : Nat) : (a + 1) + b = (a + b) + 1 := by
  exact Nat.succ_add a b

-- The last two of three summands may change places.
theorem last_summands_swap (a b c : Nat) : a + b + c = a + c + b := by
  rw [Nat.add_assoc, Nat.add_comm b c, ← Nat.add_assoc]

-- A sum of three in reverse: rewriting by `Nat.add_comm` over and over goes round for ever.
theorem sum_of_three_reversed (a b c : Nat) : a + b + c = c + b + a := by
  rw [Nat.add_comm (a + b) c, Nat.add_comm a b, ← Nat.add_assoc]

-- The same, grouped to the other side.
theorem sum_of_three_turned (a b c : Nat) : a + (b + c) = (c + b) + a := by
  rw [Nat.add_comm b c, Nat.add_comm a (c + b)]

-- A sum of four in reverse.
theorem sum_of_four_reversed (a b c d : Nat) : a + b + c + d = d + c + b + a := by
  omega

-- Two sums of two, their inner summands swapped.
theorem inner_summands_swap (a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d) := by
  omega

-- Multiplying by zero gives zero.
theorem mul_zero_nat (n : Nat) : n * 0 = 0 := by
  rfl

-- Multiplying zero gives zero.
theorem zero_mul_nat (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih

-- Multiplying by one changes nothing.
theorem mul_one_nat (n : Nat) : n * 1 = n := by
  exact Nat.mul_one n

-- Multiplication commutes.
theorem mul_comm_nat (a b : Nat) : a * b = b * a := by
  exact Nat.mul_comm a b

-- Multiplication distributes over addition.
theorem mul_over_add (a b c : Nat) : a * (b + c) = a * b + a * c := by
  exact Nat.mul_add a b c

-- Twice a number is its sum with itself.
theorem twice_is_sum (n : Nat) : 2 * n = n + n := by
  omega

-- A product of three in reverse.
theorem product_of_three_reversed (a b c : Nat) : a * b * c = c * b * a := by
  rw [Nat.mul_comm (a * b) c, Nat.mul_comm a b, ← Nat.mul_assoc]

-- Everything commutes in a sum of products.
theorem sum_of_products_turned (a b c d : Nat) : a * b + c * d = d * c + b * a := by
  rw [Nat.mul_comm a b, Nat.mul_comm c d, Nat.add_comm]

-- The square of a sum.
theorem square_of_sum (a b : Nat) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b := by
  ring

-- The product of two sums.
theorem product_of_sums (a b c d : Nat) : (a + b) * (c + d) = a * c + a * d + b * c + b * d := by
  ring

-- The second power is the square.
theorem second_power (n : Nat) : n ^ 2 = n * n := by
  ring

-- Every power of one is one.
theorem power_of_one (n : Nat) : 1 ^ n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show 1 ^ n * 1 = 1
    rw [Nat.mul_one]
    exact ih

-- Exponents add when powers multiply.
theorem power_of_sum (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  induction n with
  | zero =>
    show a ^ m = a ^ m * 1
    rw [Nat.mul_one]
  | succ n ih =>
    show a ^ (m + n) * a = a ^ m * (a ^ n * a)
    rw [ih, Nat.mul_assoc]

-- No successor is zero.
theorem successor_not_zero (n : Nat) : n + 1 ≠ 0 := by
  exact Nat.succ_ne_zero n

-- Successors are equal only when the numbers are.
theorem successor_injective (a b : Nat) : a + 1 = b + 1 → a = b := by
  intro h
  omega

-- What is added on the left on both sides may be dropped.
theorem drop_left_summand (a b c : Nat) : a + b = a + c → b = c := by
  intro h
  exact Nat.add_left_cancel h

-- A number is zero or a successor.
theorem zero_or_successor (n : Nat) : n = 0 ∨ ∃ m, n = m + 1 := by
  cases n with
  | zero => exact Or.inl rfl
  | succ m => exact Or.inr ⟨m, rfl⟩

-- A sum is zero only when both summands are.
theorem sum_zero_both_zero (a b : Nat) : a + b = 0 → a = 0 ∧ b = 0 := by
  intro h
  constructor
  · omega
  · omega

-- Every number is less than its successor.
theorem less_than_successor (n : Nat) : n < n + 1 := by
  exact Nat.lt_succ_self n

-- The order is transitive.
theorem order_transitive (a b c : Nat) : a ≤ b → b ≤ c → a ≤ c := by
  intro hab hbc
  exact Nat.le_trans hab hbc

-- The order is antisymmetric.
theorem order_antisymmetric (a b : Nat) : a ≤ b → b ≤ a → a = b := by
  intro hab hba
  exact Nat.le_antisymm hab hba

-- Of two numbers, one is at most the other.
theorem order_total (a b : Nat) : a ≤ b ∨ b ≤ a := by
  exact Nat.le_total a b

-- No number is less than itself.
theorem not_less_than_itself (n : Nat) : ¬ n < n := by
  exact Nat.lt_irrefl n

-- Inequalities may be added.
theorem inequalities_add (a b c d : Nat) : a ≤ b → c ≤ d → a + c ≤ b + d := by
  intro hab hcd
  exact Nat.add_le_add hab hcd

-- At most and less make less.
theorem at_most_then_less (a b c : Nat) : a ≤ b → b < c → a < c := by
  intro hab hbc
  exact Nat.lt_of_le_of_lt hab hbc

-- Nothing lies strictly between a number and its successor.
theorem nothing_between (a b : Nat) : a < b → b < a + 1 → False := by
  intro h k
  omega

-- Half of a bound on the double.
theorem bound_from_double (a b : Nat) : 2 * a ≤ 2 * b → a ≤ b := by
  intro h
  omega

-- A linear system with one solution.
theorem linear_system (x y : Nat) : x + y = 10 → x = y + 4 → x = 7 ∧ y = 3 := by
  intro h k
  constructor
  · omega
  · omega

-- At most means that something can be added.
theorem at_most_by_adding (a b : Nat) : a ≤ b → ∃ c, b = a + c := by
  intro h
  exact ⟨b - a, (Nat.add_sub_of_le h).symm⟩

-- Taking away what was added changes nothing.
theorem added_then_taken (a b : Nat) : a + b - b = a := by
  rw [Nat.add_sub_cancel]

-- A number is at most its square.
theorem at_most_square (n : Nat) : n ≤ n * n := by
  cases n with
  | zero => exact Nat.zero_le (0 * 0)
  | succ m => exact Nat.le_add_left (m + 1) ((m + 1) * m)

-- A product does not shrink when a factor grows.
theorem product_grows (a b c : Nat) : a ≤ b → c * a ≤ c * b := by
  intro h
  exact Nat.mul_le_mul (Nat.le_refl c) h

-- The sum of two even numbers is even.
theorem even_sum (m n : Nat) : (∃ k, m = 2 * k) → (∃ k, n = 2 * k) → ∃ k, m + n = 2 * k := by
  intro hm hn
  obtain ⟨k, hk⟩ := hm
  obtain ⟨l, hl⟩ := hn
  exact ⟨k + l, by rw [hk, hl, Nat.mul_add]⟩

-- The product of an even number with any number is even.
theorem even_product (m n : Nat) : (∃ k, m = 2 * k) → ∃ k, m * n = 2 * k := by
  intro hm
  obtain ⟨k, hk⟩ := hm
  exact ⟨k * n, by rw [hk, Nat.mul_assoc]⟩

-- The sum of two odd numbers is even.
theorem odd_sum (m n : Nat) : (∃ k, m = 2 * k + 1) → (∃ k, n = 2 * k + 1) → ∃ k, m + n = 2 * k := by
  intro hm hn
  obtain ⟨k, hk⟩ := hm
  obtain ⟨l, hl⟩ := hn
  exact ⟨k + l + 1, by omega⟩

-- No number is both even and odd.
theorem not_even_and_odd (n : Nat) : (∃ k, n = 2 * k) → ¬ ∃ k, n = 2 * k + 1 := by
  intro he ho
  obtain ⟨k, hk⟩ := he
  obtain ⟨l, hl⟩ := ho
  omega

-- Every number is even or odd.
theorem even_or_odd (n : Nat) : (∃ k, n = 2 * k) ∨ (∃ k, n = 2 * k + 1) := by
  induction n with
  | zero => exact Or.inl ⟨0, rfl⟩
  | succ n ih =>
    cases ih with
    | inl h =>
      obtain ⟨k, hk⟩ := h
      exact Or.inr ⟨k, by rw [hk]⟩
    | inr h =>
      obtain ⟨k, hk⟩ := h
      exact Or.inl ⟨k + 1, by omega⟩

-- A number divides its multiples.
theorem divides_multiple (a b : Nat) : a ∣ a * b := by
  exact ⟨b, rfl⟩

-- Divisibility is transitive.
theorem divides_transitive (a b c : Nat) : a ∣ b → b ∣ c → a ∣ c := by
  intro hab hbc
  obtain ⟨k, hk⟩ := hab
  obtain ⟨l, hl⟩ := hbc
  exact ⟨k * l, by rw [hl, hk, Nat.mul_assoc]⟩

-- What divides two numbers divides their sum.
theorem divides_sum (a b c : Nat) : a ∣ b → a ∣ c → a ∣ b + c := by
  intro hb hc
  obtain ⟨k, hk⟩ := hb
  obtain ⟨l, hl⟩ := hc
  exact ⟨k + l, by rw [hk, hl, Nat.mul_add]⟩
