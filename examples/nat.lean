-- Natural numbers: sums, products, powers, order, parity, divisibility.
-- `a ≤ b` and `a < b` are those of the natural numbers, numerals are natural numbers, and a number is even
-- when it is `2 * k` for some `k`. Rewriting by commutativity alone goes round for ever on some of these.

-- Adding zero changes nothing.
theorem add_zero_nat : ∀ n : ℕ, n + 0 = n := by
  sorry

-- Two and two are four.
theorem two_and_two : 2 + 2 = 4 := by
  sorry

-- The successor is the sum with one.
theorem succ_is_add_one (n : Nat) : Nat.succ n = n + 1 := by
  sorry

-- Adding to zero changes nothing: this needs induction, or a lemma.
theorem zero_add_nat (n : Nat) : 0 + n = n := by
  sorry

-- Addition commutes.
theorem add_comm_nat (a b : ℕ) : a + b = b + a := by
  sorry

-- Addition associates.
theorem add_assoc_nat (a b c : Nat) : (a + b) + c = a + (b + c) := by
  sorry

-- One more on the left is one more.
theorem succ_add_nat (a b : Nat) : (a + 1) + b = (a + b) + 1 := by
  sorry

-- The last two of three summands may change places.
theorem last_summands_swap (a b c : Nat) : a + b + c = a + c + b := by
  sorry

-- A sum of three in reverse: rewriting by `Nat.add_comm` over and over goes round for ever.
theorem sum_of_three_reversed (a b c : Nat) : a + b + c = c + b + a := by
  sorry

-- The same, grouped to the other side.
theorem sum_of_three_turned (a b c : Nat) : a + (b + c) = (c + b) + a := by
  sorry

-- A sum of four in reverse.
theorem sum_of_four_reversed (a b c d : Nat) : a + b + c + d = d + c + b + a := by
  sorry

-- Two sums of two, their inner summands swapped.
theorem inner_summands_swap (a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d) := by
  sorry

-- Multiplying by zero gives zero.
theorem mul_zero_nat (n : Nat) : n * 0 = 0 := by
  sorry

-- Multiplying zero gives zero.
theorem zero_mul_nat (n : Nat) : 0 * n = 0 := by
  sorry

-- Multiplying by one changes nothing.
theorem mul_one_nat (n : Nat) : n * 1 = n := by
  sorry

-- Multiplication commutes.
theorem mul_comm_nat (a b : Nat) : a * b = b * a := by
  sorry

-- Multiplication distributes over addition.
theorem mul_over_add (a b c : Nat) : a * (b + c) = a * b + a * c := by
  sorry

-- Twice a number is its sum with itself.
theorem twice_is_sum (n : Nat) : 2 * n = n + n := by
  sorry

-- A product of three in reverse.
theorem product_of_three_reversed (a b c : Nat) : a * b * c = c * b * a := by
  sorry

-- Everything commutes in a sum of products.
theorem sum_of_products_turned (a b c d : Nat) : a * b + c * d = d * c + b * a := by
  sorry

-- The square of a sum.
theorem square_of_sum (a b : Nat) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b := by
  sorry

-- The product of two sums.
theorem product_of_sums (a b c d : Nat) : (a + b) * (c + d) = a * c + a * d + b * c + b * d := by
  sorry

-- The second power is the square.
theorem second_power (n : Nat) : n ^ 2 = n * n := by
  sorry

-- Every power of one is one.
theorem power_of_one (n : Nat) : 1 ^ n = 1 := by
  sorry

-- Exponents add when powers multiply.
theorem power_of_sum (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n := by
  sorry

-- No successor is zero.
theorem successor_not_zero (n : Nat) : n + 1 ≠ 0 := by
  sorry

-- Successors are equal only when the numbers are.
theorem successor_injective (a b : Nat) : a + 1 = b + 1 → a = b := by
  sorry

-- What is added on the left on both sides may be dropped.
theorem drop_left_summand (a b c : Nat) : a + b = a + c → b = c := by
  sorry

-- A number is zero or a successor.
theorem zero_or_successor (n : Nat) : n = 0 ∨ ∃ m, n = m + 1 := by
  sorry

-- A sum is zero only when both summands are.
theorem sum_zero_both_zero (a b : Nat) : a + b = 0 → a = 0 ∧ b = 0 := by
  sorry

-- Every number is less than its successor.
theorem less_than_successor (n : Nat) : n < n + 1 := by
  sorry

-- The order is transitive.
theorem order_transitive (a b c : Nat) : a ≤ b → b ≤ c → a ≤ c := by
  sorry

-- The order is antisymmetric.
theorem order_antisymmetric (a b : Nat) : a ≤ b → b ≤ a → a = b := by
  sorry

-- Of two numbers, one is at most the other.
theorem order_total (a b : Nat) : a ≤ b ∨ b ≤ a := by
  sorry

-- No number is less than itself.
theorem not_less_than_itself (n : Nat) : ¬ n < n := by
  sorry

-- Inequalities may be added.
theorem inequalities_add (a b c d : Nat) : a ≤ b → c ≤ d → a + c ≤ b + d := by
  sorry

-- At most and less make less.
theorem at_most_then_less (a b c : Nat) : a ≤ b → b < c → a < c := by
  sorry

-- Nothing lies strictly between a number and its successor.
theorem nothing_between (a b : Nat) : a < b → b < a + 1 → False := by
  sorry

-- Half of a bound on the double.
theorem bound_from_double (a b : Nat) : 2 * a ≤ 2 * b → a ≤ b := by
  sorry

-- A linear system with one solution.
theorem linear_system (x y : Nat) : x + y = 10 → x = y + 4 → x = 7 ∧ y = 3 := by
  sorry

-- At most means that something can be added.
theorem at_most_by_adding (a b : Nat) : a ≤ b → ∃ c, b = a + c := by
  sorry

-- Taking away what was added changes nothing.
theorem added_then_taken (a b : Nat) : a + b - b = a := by
  sorry

-- A number is at most its square.
theorem at_most_square (n : Nat) : n ≤ n * n := by
  sorry

-- A product does not shrink when a factor grows.
theorem product_grows (a b c : Nat) : a ≤ b → c * a ≤ c * b := by
  sorry

-- The sum of two even numbers is even.
theorem even_sum (m n : Nat) : (∃ k, m = 2 * k) → (∃ k, n = 2 * k) → ∃ k, m + n = 2 * k := by
  sorry

-- The product of an even number with any number is even.
theorem even_product (m n : Nat) : (∃ k, m = 2 * k) → ∃ k, m * n = 2 * k := by
  sorry

-- The sum of two odd numbers is even.
theorem odd_sum (m n : Nat) : (∃ k, m = 2 * k + 1) → (∃ k, n = 2 * k + 1) → ∃ k, m + n = 2 * k := by
  sorry

-- No number is both even and odd.
theorem not_even_and_odd (n : Nat) : (∃ k, n = 2 * k) → ¬ ∃ k, n = 2 * k + 1 := by
  sorry

-- Every number is even or odd.
theorem even_or_odd (n : Nat) : (∃ k, n = 2 * k) ∨ (∃ k, n = 2 * k + 1) := by
  sorry

-- A number divides its multiples.
theorem divides_multiple (a b : Nat) : a ∣ a * b := by
  sorry

-- Divisibility is transitive.
theorem divides_transitive (a b c : Nat) : a ∣ b → b ∣ c → a ∣ c := by
  sorry

-- What divides two numbers divides their sum.
theorem divides_sum (a b c : Nat) : a ∣ b → a ∣ c → a ∣ b + c := by
  sorry
