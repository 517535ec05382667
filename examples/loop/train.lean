-- Made by crates/iterate/examples/theorems.rs; do not edit.

theorem train_000 (a b c : Nat) : (a + 4) + b * 6 = (a + 4) + 6 * b := by
  sorry

theorem train_001 (p q r s : Prop) (h : (q → p) → r) (k : q → (r ∧ r)) : r := by
  sorry

theorem train_002 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ([x] ++ [x]) = 1 + 1 := by
  sorry

theorem train_003 (f : Nat → Nat) (h : f 0 = 2) (k : ∀ n : Nat, f (n + 1) = f n + 2 * n + 3) : ∀ n : Nat, 2 + n ≤ f n + n := by
  sorry

theorem train_004 (p q r s : Prop) (h : (r ∨ q) ∧ (q ∧ p)) (k : s) : p ∧ s := by
  sorry

theorem train_005 (a b c : Nat) : a * 7 + c = c + 7 * a := by
  sorry

theorem train_006 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, r x → p x) (h : ∀ x, p x → q x) : ∀ x, r x → q x := by
  sorry

theorem train_007 (p q r s : Prop) (h : (p ∨ q) ∧ s) (k : (p ↔ q) ∧ (r → p)) : (p → s) → (p ∨ p) := by
  sorry

theorem train_008 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([x] ++ ys) = [x] ++ ys := by
  sorry

theorem train_009 (p q r s : Prop) (h : p ↔ r) (k : (s ↔ p) ∧ (r ∨ p)) : s ∨ q := by
  sorry

theorem train_010 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = b) (h0 : d = c) (hp : p (op (g d) (g d))) : p (op (g b) (g b)) := by
  sorry

theorem train_011 (α : Type) (p q r t : α → Prop) (e : α) (l : p e) (m : t e) (h : ∀ x, p x → r x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_012 (a b c : Nat) : c * 6 + (b * 5 + b * a) = b * 5 + (6 * c + a * b) := by
  sorry

theorem train_013 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → q x) (k : ∀ x, q x → t x) (l : ¬ t e) : ¬ p e := by
  sorry

theorem train_014 (p q r s : Prop) (h : p) (k : (p ↔ p) → (p → q)) : r → q := by
  sorry

theorem train_015 (g : Nat → Nat) (h : g 0 = 0) (k : ∀ n : Nat, g (n + 1) = 1 + g n) : ∀ n : Nat, 0 ≤ g n := by
  sorry

theorem train_016 (p q r s : Prop) (h : ¬ (p ∨ r)) (k : (q ∧ s) ∨ (s ∨ r)) : q ∨ s := by
  sorry

theorem train_017 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) : op e a = op d a := by
  sorry

theorem train_018 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ r e) (h : ∀ x, t x → r x) : ¬ t e := by
  sorry

theorem train_019 (p q r s : Prop) (h : r ∧ (s ∧ p)) (k : (q ↔ r) ↔ (p → s)) : (p ∨ r) ∧ (r → q) := by
  sorry

theorem train_020 (a b c : Nat) : (c * a + 3) + a ≤ a * c + (3 + a) + 1 := by
  sorry

theorem train_021 (p q r s : Prop) (h : p ∧ (q ∨ r)) (k : s ∨ (p → s)) : s ∧ s := by
  sorry

theorem train_022 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (([x] ++ zs) ++ (zs ++ ys)) = 1 + List.length zs + List.length zs + List.length ys := by
  sorry

theorem train_023 (g : Nat → Nat) (h : g 0 = 1) (k : ∀ n : Nat, g (n + 1) ≤ g n + 5) : ∀ n : Nat, g n ≤ 1 + 5 * n := by
  sorry

theorem train_024 (p q r s : Prop) (h : s → (p ∧ r)) (k : s) : p := by
  sorry

theorem train_025 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = a) (h0 : a = c) (hp : p (f c)) : p (f d) := by
  sorry

theorem train_026 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → p x) (l : ∃ x, r x) : ∃ x, p x := by
  sorry

theorem train_027 (p q r s : Prop) (h : (p → q) ↔ (s ∨ s)) (k : p ∧ (p → s)) : q ∧ (p → p) := by
  sorry

theorem train_028 (a b c : Nat) : b + (8 * b + c * c) = (b * 8 + b) + c * c := by
  sorry

theorem train_029 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → q x) (l : ∀ x, p x → t x) : ∀ x, p x → q x := by
  sorry

theorem train_030 (p q r s : Prop) (h : (s ∧ p) ∧ r) (k : (p → q) ∧ (s → r)) : q := by
  sorry

theorem train_031 (f : Nat → Nat) (h : f 0 = 3) (k : ∀ n : Nat, f n + 1 ≤ f (n + 1)) : ∀ n : Nat, n ≤ f n := by
  sorry

theorem train_032 (p q r s : Prop) (h : (r ∧ r) ↔ (q ↔ s)) (k : (s ∨ p) ∧ s) : ¬ r ↔ ¬ q := by
  sorry

theorem train_033 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = b) (h0 : a = b) (hp : p (op a a)) : p (op d a) := by
  sorry

theorem train_034 (a b c : Nat) : a * b + b = b * a + b := by
  sorry

theorem train_035 (α : Type) (p q r t : α → Prop) (e : α) (l : t e) (m : p e) (h : ∀ x, t x → q x) : ∃ x, p x ∧ q x := by
  sorry

theorem train_036 (p q r s : Prop) (h : p) (k : (q ↔ p) ∧ s) : q ∨ (q ∧ q) := by
  sorry

theorem train_037 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x) (k : ∀ x, t x → p x) (h : ∀ x, q x → t x) : ∀ x, p x := by
  sorry

theorem train_038 (p q r s : Prop) (h : (r ↔ q) ∧ (r ∧ p)) (k : s) : s ↔ p := by
  sorry

theorem train_039 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → p x) (k : ∀ x, p x → q x) (l : t e) (m : r e) : ∃ x, r x ∧ q x := by
  sorry

theorem train_040 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (ys)) = List.length ys := by
  sorry

theorem train_041 (p q r s : Prop) (h : s → (r ∧ p)) (k : (p ∨ r) ↔ (r ∧ s)) : (p ∨ p) ↔ (r ∧ r) := by
  sorry

theorem train_042 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, t x → p x) (h : ∀ x, q x → t x) (l : ¬ p e) : ¬ q e := by
  sorry

theorem train_043 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → q x) (l : t e) (m : r e) (h : ∀ x, t x → p x) : ∃ x, r x ∧ q x := by
  sorry

theorem train_044 (p q r s : Prop) (h : q) (k : p) : q ↔ p := by
  sorry

theorem train_045 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((zs ++ [x]) ++ List.map f (ys)) = zs ++ [x] ++ List.map f ys := by
  sorry

theorem train_046 (p q r s : Prop) (h : ¬ s ↔ ¬ q) (k : s) : q := by
  sorry

theorem train_047 (a b c : Nat) : 4 + c = c + 4 := by
  sorry

theorem train_048 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ q e) (h : ∀ x, t x → q x) : ¬ t e := by
  sorry

theorem train_049 (p q r s : Prop) (h : ¬ ¬ s) (k : s → (p ∧ q)) : q → p := by
  sorry

theorem train_050 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ q x) (h : ∀ x, r x → p x) : ∃ x, p x ∧ q x := by
  sorry

theorem train_051 (p q r s : Prop) (h : q) (k : s) : s ∧ q := by
  sorry

theorem train_052 (p q r s : Prop) (h : (q ↔ s) ∧ r) (k : q ∨ (r ∧ p)) : p ∨ s := by
  sorry

theorem train_053 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → t x) (l : ∀ x, r x) (h : ∀ x, r x → p x) : ∀ x, t x := by
  sorry

theorem train_054 (p q r s : Prop) (h : (p → q) → (p ↔ q)) (k : (q ∨ r) ∧ (r ∧ q)) : p := by
  sorry

theorem train_055 (p q r s : Prop) (h : (p ↔ q) ∧ (p ∧ s)) (k : r) : r ∧ (q ∨ p) := by
  sorry

theorem train_056 (p q r s : Prop) (h : ¬ s) (k : (r → p) → s) : ¬ (p ∨ p) := by
  sorry

theorem train_057 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = d) (h2 : e = c) (h1 : c = d) (hp : p (op b a)) : p (op e a) := by
  sorry

theorem train_058 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, t x ∧ q x) (h : ∀ x, t x → r x) : ∃ x, r x ∧ q x := by
  sorry

theorem train_059 (p q r s : Prop) (h : (q → s) ↔ (p ∧ r)) (k : (r ∧ s) ∧ q) : p ↔ q := by
  sorry

theorem train_060 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x) (h : ∀ x, t x → q x) : ∀ x, q x := by
  sorry

theorem train_061 (p q r s : Prop) (h : ¬ r ∨ (r → q)) (k : r) : q ↔ (p ∨ q) := by
  sorry

theorem train_062 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((xs ++ xs) ++ ([] ++ [])) = xs ++ xs := by
  sorry

theorem train_063 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (ys) ++ List.map f ([])) = List.length ys := by
  sorry

theorem train_064 (p q r s : Prop) (h : (q ∧ r) ∧ (s ↔ r)) (k : s → p) : q ∧ p := by
  sorry

theorem train_065 (p q r s : Prop) (h : r ∨ r) (k : p) : r ∧ p := by
  sorry

theorem train_066 (a b c : Nat) : a * c + 4 ≤ c * a + 4 + 2 := by
  sorry

theorem train_067 (p q r s : Prop) (h : ¬ s ∨ ¬ r) (k : ¬ s → (p ∧ s)) : r → (p → q) := by
  sorry

theorem train_068 (p q r s : Prop) (h : (q ↔ r) → ¬ q) (k : (q ∧ s) ∧ (p ∧ q)) : ¬ (r ∧ r) := by
  sorry

theorem train_069 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = b) (h0 : d = c) : op (g d) (g d) = op (g b) (g b) := by
  sorry

theorem train_070 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, t x) (h : ∀ x, t x → q x) (k : ∀ x, q x → r x) : ∃ x, r x := by
  sorry

theorem train_071 (p q r s : Prop) (h : ¬ (r ∧ r)) (k : ¬ r ↔ (s ∧ p)) : p := by
  sorry

theorem train_072 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = d) : f d = f e := by
  sorry

theorem train_073 (p q r s : Prop) (h : q) (k : (p ↔ s) ∧ ¬ r) : (r ↔ s) ∨ (q ∧ s) := by
  sorry

theorem train_074 (a b c : Nat) : (a * 4 + c) + (c * 6 + 8) ≤ c + (c * 6 + (a * 4 + 8)) + 4 := by
  sorry

theorem train_075 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → q x) (k : ∀ x, q x → t x) (l : ∃ x, p x ∧ r x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_076 (p q r s : Prop) (h : ¬ (s → q)) (k : ¬ s ∨ (s ∧ r)) : q ∨ (r ∨ r) := by
  sorry

theorem train_077 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ([]) ++ ([x] ++ ys)) = [x] ++ ys := by
  sorry

theorem train_078 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h2 : a = d) (h1 : b = d) : f a = f e := by
  sorry

theorem train_079 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = a) (h2 : e = c) (h1 : e = b) (hp : p (op a (f a))) : p (op a (f c)) := by
  sorry

theorem train_080 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (l : ∃ x, p x) : ∃ x, r x := by
  sorry

theorem train_081 (p q r s : Prop) (h : (q ∧ p) ∧ (p → q)) (k : r ∨ r) : (p → r) ∧ (p ∧ p) := by
  sorry

theorem train_082 (a b c : Nat) : a * 2 + 7 ≤ 7 + 2 * a + 0 := by
  sorry

theorem train_083 (p q r s : Prop) (h : (p → s) ∨ s) (k : p) : s := by
  sorry

theorem train_084 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (xs)) = List.length xs := by
  sorry

theorem train_085 (a b c : Nat) : 3 + (a * 4 + (b * c + c * c)) ≤ (3 + c * c) + (b * c + 4 * a) + 3 := by
  sorry

theorem train_086 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, q x → t x) (l : ∃ x, p x ∧ r x) (h : ∀ x, p x → q x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_087 (p q r s : Prop) (h : q ↔ (s → p)) (k : q → (s ∨ s)) : s ∨ p := by
  sorry

theorem train_088 (p q r s : Prop) (h : r) (k : ¬ r ↔ ¬ s) : s := by
  sorry

theorem train_089 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) (hp : p (f d)) : p (f e) := by
  sorry

theorem train_090 (p q r s : Prop) (h : (s ∨ r) → (s ∧ s)) (k : r) : s := by
  sorry

theorem train_091 (a b c : Nat) : (b * b + a * 3) + (b * c + b * 5) = b * b + (c * b + (5 * b + a * 3)) := by
  sorry

theorem train_092 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x → p x) (h : ∀ x, p x → r x) : ∀ x, t x → r x := by
  sorry

theorem train_093 (p q r s : Prop) (h : s) (k : (p ∧ q) ∧ (p ∨ p)) : q ↔ s := by
  sorry

theorem train_094 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((xs ++ ys) ++ (zs ++ [x])) = xs ++ ys ++ zs ++ [x] := by
  sorry

theorem train_095 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → p x) (k : ∀ x, p x → t x) (l : ∃ x, q x ∧ r x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_096 (p q r s : Prop) (h : r ∨ q) (k : (r → p) ∨ (q ∧ p)) : q ∨ p := by
  sorry

theorem train_097 (a b c : Nat) : (c + b) + (6 + b * c) ≤ c * b + (6 + (c + b)) + 3 := by
  sorry

theorem train_098 (p q r s : Prop) (h : ¬ q ∨ (s ∨ s)) (k : (q ∧ q) ∨ ¬ p) : p → s := by
  sorry

theorem train_099 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ((xs ++ [])) = List.map f xs := by
  sorry

theorem train_100 (p q r s : Prop) (h : ¬ q ∧ (r → s)) (k : (s → p) ↔ (r ∨ p)) : (q → q) → (r → p) := by
  sorry

theorem train_101 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) : op (g a) (g a) = op (g d) (g d) := by
  sorry

theorem train_102 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → t x) (l : ∃ x, r x) (h : ∀ x, r x → p x) : ∃ x, t x := by
  sorry

theorem train_103 (p q r s : Prop) (h : (s ↔ q) ∧ (s ∨ p)) (k : (p ↔ p) ∧ ¬ p) : s := by
  sorry

theorem train_104 (a b c : Nat) : (7 * a + b) + (1 + c) ≤ (1 + (a * 7 + c)) + b + 2 := by
  sorry

theorem train_105 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, t x → p x) (l : ¬ p e) (h : ∀ x, q x → t x) : ¬ q e := by
  sorry

theorem train_106 (p q r s : Prop) (h : ¬ (r → q)) (k : (s ∧ r) → (p ∧ q)) : (p ∨ r) ∧ (s ↔ q) := by
  sorry

theorem train_107 (p q r s : Prop) (h : ¬ ¬ s) (k : s → p) : p ↔ s := by
  sorry

theorem train_108 (p q r s : Prop) (h : (p → r) ↔ (r ∧ q)) (k : ¬ ¬ r) : (s → q) ∨ q := by
  sorry

theorem train_109 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : e = c) (h0 : a = b) (h1 : a = c) (hp : p (op a (f b))) : p (op a (f e)) := by
  sorry

theorem train_110 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → p x) (l : ∃ x, t x ∧ q x) (h : ∀ x, t x → r x) : ∃ x, p x ∧ q x := by
  sorry

theorem train_111 (p q r s : Prop) (h : (r ∨ p) ↔ r) (k : (s ∧ p) ∧ (p ∨ p)) : (s ∧ p) ∧ r := by
  sorry

theorem train_112 (a b c : Nat) : (a * 8 + 5) + (a * a + c * c) = a * a + (a * 8 + (c * c + 5)) := by
  sorry

theorem train_113 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ p e) (k : ∀ x, q x → p x) (h : ∀ x, t x → q x) : ¬ t e := by
  sorry

theorem train_114 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = c) (h0 : d = c) : op (g d) (g d) = op (g b) (g b) := by
  sorry

theorem train_115 (a b c : Nat) : (1 + 4 * c) + b * a = 1 + (b * a + c * 4) := by
  sorry

theorem train_116 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (k : ∀ x, r x → q x) (l : ∃ x, p x) : ∃ x, q x := by
  sorry

theorem train_117 (p q r s : Prop) (h : s) (k : p ∧ (p ∧ r)) : s ∧ r := by
  sorry

theorem train_118 (p q r s : Prop) (h : (p ∨ q) → p) (k : q) : p ∧ q := by
  sorry

theorem train_119 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = a) (h0 : b = a) (hp : p (op (g b) (g b))) : p (op (g d) (g d)) := by
  sorry

theorem train_120 (p q r s : Prop) (h : ¬ p) (k : ¬ s ∧ (r ↔ p)) : ¬ r := by
  sorry

theorem train_121 (a b c : Nat) : c * 7 + ((a + b) + 2) = ((b + a) + 2) + c * 7 := by
  sorry

theorem train_122 (p q r s : Prop) (h : r ↔ (s ∨ r)) (k : (s ∧ p) ∨ (r ∨ r)) : r := by
  sorry

theorem train_123 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (((zs ++ ys) ++ ([x] ++ ys)) ++ (List.map f (zs) ++ (zs ++ xs))) = zs ++ ys ++ [x] ++ ys ++ List.map f zs ++ zs ++ xs := by
  sorry

theorem train_124 (p q r s : Prop) (h : (s ∧ q) ∧ r) (k : p) : (s ∧ p) ↔ (s → r) := by
  sorry

theorem train_125 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = c) : op a (f d) = op a (f c) := by
  sorry

theorem train_126 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → t x) (l : ∀ x, r x) (k : ∀ x, t x → p x) : ∀ x, p x := by
  sorry

theorem train_127 (p q r s : Prop) (h : s ↔ (q → q)) (k : r) : r ∧ s := by
  sorry

theorem train_128 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (((zs ++ [x]) ++ ([x] ++ [x])) ++ (List.map f ([x]) ++ (zs ++ xs))) = List.length zs + 1 + 1 + 1 + 1 + List.length zs + List.length xs := by
  sorry

theorem train_129 (p q r s : Prop) (h : r) (k : p) : p ↔ r := by
  sorry

theorem train_130 (a b c : Nat) : (b * b + b * a) + (c + b * a) ≤ ((c + b * b) + a * b) + a * b + 4 := by
  sorry

theorem train_131 (p q r s : Prop) (h : s) (k : q) : (q ∨ p) ∧ (p ∨ s) := by
  sorry

theorem train_132 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = d) (h0 : c = d) (h2 : b = e) : f b = f c := by
  sorry

theorem train_133 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (l : ∀ x, t x) : ∀ x, r x := by
  sorry

theorem train_134 (a b c : Nat) : 6 * b + 5 * a = b * 6 + a * 5 := by
  sorry

theorem train_135 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → t x) (l : ∃ x, r x ∧ q x) (h : ∀ x, r x → p x) : ∃ x, t x ∧ q x := by
  sorry

theorem train_136 (p q r s : Prop) (h : r ∧ (s ∨ q)) (k : ¬ (q ∧ r)) : ¬ q := by
  sorry

theorem train_137 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (zs ++ ys) = List.length zs + List.length ys := by
  sorry

theorem train_138 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : b = e) (h1 : a = e) (h0 : a = d) : f d = f b := by
  sorry

theorem train_139 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x) (h : ∀ x, p x → q x) : ∃ x, q x := by
  sorry

theorem train_140 (p q r s : Prop) (h : (r ↔ p) ↔ p) (k : (q → r) → (s ∧ p)) : s := by
  sorry

theorem train_141 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (xs ++ [x]) = xs ++ [x] := by
  sorry

theorem train_142 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → p x) (k : ∀ x, p x → q x) (l : ¬ q e) : ¬ r e := by
  sorry

theorem train_143 (p q r s : Prop) (h : (s ∧ p) ∧ (s ∧ s)) (k : (r ↔ r) ∧ r) : (s ↔ r) ∧ (p → r) := by
  sorry

theorem train_144 (a b c : Nat) : b * b + (b * b + (a * 5 + a)) = ((a + a * 5) + b * b) + b * b := by
  sorry

theorem train_145 (p q r s : Prop) (h : ¬ (s ↔ p)) (k : (r ∨ s) ↔ (p ∧ r)) : p ∨ p := by
  sorry

theorem train_146 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (([x] ++ [x]))) = 1 + 1 := by
  sorry

theorem train_147 (p q r s : Prop) (h : (s ∧ s) ∨ ¬ r) (k : (r ↔ s) ↔ (s ∧ q)) : r → (q ∨ p) := by
  sorry

theorem train_148 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = a) (h2 : b = c) (h1 : b = e) (hp : p (a)) : p (c) := by
  sorry

theorem train_149 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, t x) (h : ∀ x, t x → p x) : ∃ x, p x := by
  sorry

theorem train_150 (p q r s : Prop) (h : q) (k : (s ∧ r) ∧ (s ∨ r)) : r ∧ q := by
  sorry

theorem train_151 (a b c : Nat) : a * a + (b * c + (b + 2)) = (c * b + b) + (a * a + 2) := by
  sorry

theorem train_152 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : ∃ x, r x ∧ t x) : ∃ x, q x ∧ t x := by
  sorry

theorem train_153 (p q r s : Prop) (h : s ∧ (r → p)) (k : (q ↔ s) ∨ (p ∧ q)) : q ∨ r := by
  sorry

theorem train_154 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f ([x])) = 1 := by
  sorry

theorem train_155 (p q r s : Prop) (h : (r → q) ∨ (q ∧ r)) (k : r) : p ∨ q := by
  sorry

theorem train_156 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = a) (h1 : d = a) : op a (f d) = op a (f b) := by
  sorry

theorem train_157 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → t x) (l : q e) (m : p e) : ∃ x, p x ∧ t x := by
  sorry

theorem train_158 (p q r s : Prop) (h : r ∨ (r ∨ p)) (k : ¬ p) : r := by
  sorry

theorem train_159 (a b c : Nat) : c + (c + 8 * b) ≤ (8 * b + c) + c + 1 := by
  sorry

theorem train_160 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → q x) (h : ∀ x, t x → r x) (l : ∀ x, t x) : ∀ x, q x := by
  sorry

theorem train_161 (p q r s : Prop) (h : (q ∨ p) → (q ↔ s)) (k : q ∧ (r ∨ s)) : q ∧ s := by
  sorry

theorem train_162 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((ys ++ ys) ++ List.map f (ys)) = List.length ys + List.length ys + List.length ys := by
  sorry

theorem train_163 (p q r s : Prop) (h : (q ∨ r) ∧ ¬ q) (k : ¬ (q ↔ s)) : p → s := by
  sorry

theorem train_164 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = c) (h1 : b = e) (h2 : e = d) (hp : p (f (f c))) : p (f (f d)) := by
  sorry

theorem train_165 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x) (h : ∀ x, q x → t x) (k : ∀ x, t x → p x) : ∀ x, p x := by
  sorry

theorem train_166 (p q r s : Prop) (h : r) (k : r ↔ q) : s → q := by
  sorry

theorem train_167 (a b c : Nat) : 5 + b ≤ b + 5 + 0 := by
  sorry

theorem train_168 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → q x) (l : ¬ q e) : ¬ p e := by
  sorry

theorem train_169 (p q r s : Prop) (h : (s → r) ∧ (s ↔ r)) (k : (r ∧ p) ∨ (r ∧ p)) : s := by
  sorry

theorem train_170 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (((xs ++ zs) ++ (ys ++ [x])))) = List.length xs + List.length zs + List.length ys + 1 := by
  sorry

theorem train_171 (p q r s : Prop) (h : (r → r) → (q ∨ p)) (k : (q → q) ∧ (r ↔ p)) : (r ∨ q) ∨ (r ∧ r) := by
  sorry

theorem train_172 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : e = b) (h0 : d = c) (h1 : d = b) : op (g e) (g e) = op (g c) (g c) := by
  sorry

theorem train_173 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (l : ∀ x, t x) (k : ∀ x, r x → q x) : ∀ x, q x := by
  sorry

theorem train_174 (p q r s : Prop) (h : (p ∨ r) ↔ ¬ q) (k : q) : (q ∧ p) ↔ (r ∧ r) := by
  sorry

theorem train_175 (a b c : Nat) : (b * a + 6) + c * a = b * a + (a * c + 6) := by
  sorry

theorem train_176 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ p e) (h : ∀ x, q x → r x) (k : ∀ x, r x → p x) : ¬ q e := by
  sorry

theorem train_177 (p q r s : Prop) (h : (r ↔ q) ∧ (s ∨ q)) (k : (r ∧ s) ∨ (q ↔ s)) : q ∨ (q ↔ s) := by
  sorry

theorem train_178 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([] ++ [x]) = [x] := by
  sorry

theorem train_179 (p q r s : Prop) (h : r) (k : q) : r ∧ (s → q) := by
  sorry

theorem train_180 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = a) (hp : p (g (f a))) : p (g (f c)) := by
  sorry

theorem train_181 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → q x) (h : ∀ x, r x → p x) (l : ∃ x, r x ∧ t x) : ∃ x, q x ∧ t x := by
  sorry

theorem train_182 (p q r s : Prop) (h : (p ↔ q) ∧ (r → p)) (k : (r → r) → r) : s ∨ p := by
  sorry

theorem train_183 (a b c : Nat) : (a * b + a * 8) + c * b = (b * a + 8 * a) + b * c := by
  sorry

theorem train_184 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → p x) (l : ∀ x, r x → q x) : ∀ x, r x → p x := by
  sorry

theorem train_185 (p q r s : Prop) (h : p) (k : ¬ ¬ r) : r ∧ p := by
  sorry

theorem train_186 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (([x] ++ []) ++ List.map f ([x])) = 1 + 1 := by
  sorry

theorem train_187 (p q r s : Prop) (h : s → (r ∧ q)) (k : s) : r := by
  sorry

theorem train_188 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = e) (h0 : a = e) (h2 : c = d) (hp : p (op (g a) (g a))) : p (op (g d) (g d)) := by
  sorry

theorem train_189 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x → r x) (h : ∀ x, r x → q x) : ∀ x, p x → q x := by
  sorry

theorem train_190 (p q r s : Prop) (h : ¬ r ∧ (s ∨ q)) (k : (s ↔ q) ∧ (p → q)) : q ∧ s := by
  sorry

theorem train_191 (a b c : Nat) : c + (a + a * a) = (c + a) + a * a := by
  sorry

theorem train_192 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, q x ∧ t x) (k : ∀ x, p x → r x) (h : ∀ x, q x → p x) : ∃ x, r x ∧ t x := by
  sorry

theorem train_193 (p q r s : Prop) (h : ¬ (r ∨ q)) (k : q ∨ ¬ p) : s ∨ ¬ p := by
  sorry

theorem train_194 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((([] ++ zs) ++ (xs ++ xs)) ++ (([] ++ xs) ++ (ys ++ []))) = List.length zs + List.length xs + List.length xs + List.length xs + List.length ys := by
  sorry

theorem train_195 (p q r s : Prop) (h : (r → q) ↔ (q → s)) (k : (r ∧ p) ∧ (q ∧ r)) : s ↔ p := by
  sorry

theorem train_196 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) (hp : p (f (f d))) : p (f (f e)) := by
  sorry

theorem train_197 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (l : ∀ x, t x → q x) : ∀ x, t x → r x := by
  sorry

theorem train_198 (p q r s : Prop) (h : q) (k : (s ∨ q) ↔ (s ∧ q)) : r ∨ s := by
  sorry

theorem train_199 (a b c : Nat) : 8 + (1 + (8 * b + c * b)) = (8 + (b * 8 + 1)) + c * b := by
  sorry

theorem train_200 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → t x) (l : ∃ x, q x) : ∃ x, t x := by
  sorry

theorem train_201 (p q r s : Prop) (h : (r ↔ s) ∧ (q → s)) (k : r) : s := by
  sorry

theorem train_202 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f (xs) ++ ([] ++ ys)) ++ ((zs ++ [x]) ++ (ys ++ []))) = List.map f xs ++ ys ++ zs ++ [x] ++ ys := by
  sorry

theorem train_203 (p q r s : Prop) (h : p ∧ (q ∧ s)) (k : (s → r) ↔ (q ∨ s)) : r := by
  sorry

theorem train_204 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = c) (h2 : c = e) (h0 : b = a) (hp : p (f a)) : p (f e) := by
  sorry

theorem train_205 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ p e) (k : ∀ x, t x → p x) (h : ∀ x, q x → t x) : ¬ q e := by
  sorry

theorem train_206 (p q r s : Prop) (h : ¬ q) (k : s → q) : ¬ s := by
  sorry

theorem train_207 (a b c : Nat) : 4 + (c + a * 4) = (4 + c) + 4 * a := by
  sorry

theorem train_208 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ t x) (h : ∀ x, r x → q x) (k : ∀ x, q x → p x) : ∃ x, p x ∧ t x := by
  sorry

theorem train_209 (p q r s : Prop) (h : s ↔ ¬ p) (k : ¬ p) : s := by
  sorry

theorem train_210 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((([x] ++ []) ++ (zs ++ ys)) ++ List.map f (([x] ++ ys))) = 1 + List.length zs + List.length ys + 1 + List.length ys := by
  sorry

theorem train_211 (p q r s : Prop) (h : p) (k : q) : q ∧ p := by
  sorry

theorem train_212 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = d) : g (f d) = g (f e) := by
  sorry

theorem train_213 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x ∧ r x) (h : ∀ x, p x → t x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_214 (p q r s : Prop) (h : (s ∧ p) ↔ (q ∧ r)) (k : (r ∨ r) ∧ (p ∧ s)) : (s ∧ q) ∧ (r ↔ p) := by
  sorry

theorem train_215 (a b c : Nat) : c * b + (5 + b * b) = 5 + (b * c + b * b) := by
  sorry

theorem train_216 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x → r x) (h : ∀ x, r x → t x) : ∀ x, q x → t x := by
  sorry

theorem train_217 (p q r s : Prop) (h : ¬ (p ∨ p)) (k : (s ∨ r) → (s → p)) : (q ∧ r) → ¬ s := by
  sorry

theorem train_218 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (ys ++ []) = ys := by
  sorry

theorem train_219 (p q r s : Prop) (h : (r ∧ s) ∧ (s ∨ r)) (k : s ↔ (q ∧ q)) : q := by
  sorry

theorem train_220 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = d) (h2 : c = e) (h1 : d = c) : op (g b) (g b) = op (g e) (g e) := by
  sorry

theorem train_221 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (l : ∃ x, t x ∧ p x) : ∃ x, r x ∧ p x := by
  sorry

theorem train_222 (p q r s : Prop) (h : (r ∧ s) ↔ q) (k : (q ∧ q) ∧ (s → q)) : (r → r) → (s ∨ p) := by
  sorry

theorem train_223 (a b c : Nat) : 7 + (5 + b) = (7 + 5) + b := by
  sorry

theorem train_224 (α : Type) (p q r t : α → Prop) (e : α) (l : r e) (m : t e) (h : ∀ x, r x → p x) (k : ∀ x, p x → q x) : ∃ x, t x ∧ q x := by
  sorry

theorem train_225 (p q r s : Prop) (h : (q → r) ∧ r) (k : s) : (r ∧ s) ∧ (q → s) := by
  sorry

theorem train_226 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((ys ++ xs) ++ ([] ++ [x])) = ys ++ xs ++ [x] := by
  sorry

theorem train_227 (p q r s : Prop) (h : p) (k : (r ↔ q) ∧ q) : r ↔ p := by
  sorry

theorem train_228 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = b) (h0 : c = a) (h2 : b = d) : f (f a) = f (f d) := by
  sorry

theorem train_229 (p q r s : Prop) (h : (p → s) ∧ r) (k : r → ¬ s) : ¬ p := by
  sorry

theorem train_230 (a b c : Nat) : (6 + 3) + (1 + 4 * c) = (6 + 4 * c) + (3 + 1) := by
  sorry

theorem train_231 (p q r s : Prop) (h : (q ∧ r) ∧ p) (k : q → s) : q ↔ (s ∧ s) := by
  sorry

theorem train_232 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (([x] ++ xs) ++ (zs ++ xs)) = 1 + List.length xs + List.length zs + List.length xs := by
  sorry

theorem train_233 (p q r s : Prop) (h : q) (k : p ∧ (q ∨ s)) : p ∧ (q ∨ r) := by
  sorry

theorem train_234 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : a = e) (h0 : d = e) : op a a = op d a := by
  sorry

theorem train_235 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, q x ∧ p x) (h : ∀ x, q x → r x) : ∃ x, r x ∧ p x := by
  sorry

theorem train_236 (p q r s : Prop) (h : q) (k : p) : q ∧ p := by
  sorry

theorem train_237 (a b c : Nat) : c + 5 ≤ 5 + c + 0 := by
  sorry

theorem train_238 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → p x) (k : ∀ x, p x → t x) (l : ∃ x, r x ∧ q x) : ∃ x, t x ∧ q x := by
  sorry

theorem train_239 (p q r s : Prop) (h : ¬ s → (s ∧ r)) (k : (p → s) → (q ∧ r)) : s ∧ (p ∨ q) := by
  sorry
