-- Made by crates/iterate/examples/theorems.rs; do not edit.

theorem held_out_000 (p q r s : Prop) (h : ¬ (s → r)) (k : (s → q) ↔ r) : q → p := by
  sorry

theorem held_out_001 (α : Type) (p q r t : α → Prop) (e : α) (l : q e) (m : r e) (h : ∀ x, q x → t x) (k : ∀ x, t x → p x) : ∃ x, r x ∧ p x := by
  sorry

theorem held_out_002 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = d) (h1 : c = b) (hp : p (f (f d))) : p (f (f b)) := by
  sorry

theorem held_out_003 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (l : ∃ x, q x) : ∃ x, r x := by
  sorry

theorem held_out_004 (p q r s : Prop) (h : ¬ ¬ r) (k : q) : r ↔ q := by
  sorry

theorem held_out_005 (f : Nat → Nat) (h : f 0 = 1) (k : ∀ n : Nat, f (n + 1) = f n + 1) : ∀ n : Nat, f n = 1 * n + 1 := by
  sorry

theorem held_out_006 (p q r s : Prop) (h : (q ∨ s) ↔ ¬ r) (k : (s ∨ s) ∨ (r ∧ q)) : s := by
  sorry

theorem held_out_007 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((zs ++ ys) ++ ([x] ++ ys)) = zs ++ ys ++ [x] ++ ys := by
  sorry

theorem held_out_008 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (k : ∀ x, r x → t x) (l : q e) (m : p e) : ∃ x, p x ∧ t x := by
  sorry

theorem held_out_009 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f ([x]) ++ ([x] ++ [x])) ++ List.map f (([x] ++ zs))) = [f x] ++ [x] ++ [x] ++ [f x] ++ List.map f zs := by
  sorry

theorem held_out_010 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x) (k : ∀ x, t x → r x) (h : ∀ x, p x → t x) : ∃ x, r x := by
  sorry

theorem held_out_011 (p q r s : Prop) (h : s) (k : (s ∧ r) ∨ (s ↔ r)) : r := by
  sorry

theorem held_out_012 (p q r s : Prop) (h : (p ∧ s) ∧ r) (k : q) : p ↔ q := by
  sorry

theorem held_out_013 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (((ys ++ xs) ++ (zs ++ zs))) = List.map f ys ++ List.map f xs ++ List.map f zs ++ List.map f zs := by
  sorry

theorem held_out_014 (g : Nat → Nat) (h : g 0 = 1) (k : ∀ n : Nat, g (n + 1) = g n) : ∀ n : Nat, g n = 1 := by
  sorry

theorem held_out_015 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : e = b) (h0 : d = c) (h1 : b = d) : op a (f e) = op a (f c) := by
  sorry

theorem held_out_016 (a b c : Nat) : 7 * c + a * a = a * a + 7 * c := by
  sorry

theorem held_out_017 (p q r s : Prop) (h : s → ¬ s) (k : (s ∨ s) ↔ (r → p)) : r := by
  sorry

theorem held_out_018 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) (h1 : d = c) (h2 : e = c) : f e = f a := by
  sorry

theorem held_out_019 (p q r s : Prop) (h : ¬ (p ↔ q)) (k : (s ∨ s) ∧ ¬ q) : s ∧ p := by
  sorry

theorem held_out_020 (a b c : Nat) : c * 7 + (c * b + b * 7) ≤ (b * c + 7 * b) + 7 * c + 4 := by
  sorry

theorem held_out_021 (p q r s : Prop) (h : ¬ q → (q ∨ s)) (k : ¬ (p → s)) : q := by
  sorry

theorem held_out_022 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = b) (h0 : e = a) : g (f a) = g (f b) := by
  sorry

theorem held_out_023 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → t x) (l : ∀ x, q x → p x) : ∀ x, q x → t x := by
  sorry

theorem held_out_024 (p q r s : Prop) (h : (q → s) ∧ (s ∧ q)) (k : r ∧ (p ∨ p)) : p ∧ s := by
  sorry

theorem held_out_025 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((xs ++ xs) ++ ([] ++ ys)) = xs ++ xs ++ ys := by
  sorry

theorem held_out_026 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = d) (h0 : a = d) (hp : p (f (f a))) : p (f (f c)) := by
  sorry

theorem held_out_027 (α : Type) (p q r t : α → Prop) (e : α) (l : t e) (m : p e) (h : ∀ x, t x → r x) : ∃ x, p x ∧ r x := by
  sorry

theorem held_out_028 (p q r s : Prop) (h : q ↔ (s → p)) (k : (q ↔ p) ∧ ¬ s) : ¬ ¬ q := by
  sorry

theorem held_out_029 (a b c : Nat) : b + a * 7 ≤ b + 7 * a + 4 := by
  sorry

theorem held_out_030 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((xs ++ ys) ++ (ys ++ [])) = List.length xs + List.length ys + List.length ys := by
  sorry

theorem held_out_031 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : a = c) (h2 : c = b) (h0 : e = a) : op a (f e) = op a (f b) := by
  sorry

theorem held_out_032 (a b c : Nat) : 7 * a + b = b + 7 * a := by
  sorry

theorem held_out_033 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, q x → r x) (l : ∃ x, t x) (h : ∀ x, t x → q x) : ∃ x, r x := by
  sorry

theorem held_out_034 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ((xs ++ ys)) ++ List.map f (ys)) = List.map f xs ++ List.map f ys ++ List.map f ys := by
  sorry

theorem held_out_035 (a b c : Nat) : (a * 8 + c * c) + b * c = c * c + (c * b + 8 * a) := by
  sorry

theorem held_out_036 (p q r s : Prop) (h : ¬ (p ∨ s)) (k : (p ∧ p) ∨ (q ∨ s)) : (q ∧ q) ↔ ¬ p := by
  sorry

theorem held_out_037 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = d) (h0 : a = d) (h2 : c = e) : g (f e) = g (f a) := by
  sorry

theorem held_out_038 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → p x) (l : ∃ x, t x ∧ r x) : ∃ x, p x ∧ r x := by
  sorry

theorem held_out_039 (p q r s : Prop) (h : s → ¬ s) (k : r ↔ s) : r → p := by
  sorry

theorem held_out_040 (a b c : Nat) : (b * 5 + a * a) + b * 3 = 5 * b + (a * a + b * 3) := by
  sorry

theorem held_out_041 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, q x ∧ p x) (h : ∀ x, q x → t x) : ∃ x, t x ∧ p x := by
  sorry

theorem held_out_042 (p q r s : Prop) (h : q ↔ (s ↔ q)) (k : (q ∧ s) ↔ (s ∧ p)) : q → p := by
  sorry

theorem held_out_043 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = e) (hp : p (f (f b))) : p (f (f e)) := by
  sorry

theorem held_out_044 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → t x) (l : ∀ x, p x) (h : ∀ x, p x → r x) : ∀ x, t x := by
  sorry

theorem held_out_045 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → t x) (l : ∀ x, p x → q x) : ∀ x, p x → t x := by
  sorry

theorem held_out_046 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (zs) = List.map f zs := by
  sorry

theorem held_out_047 (p q r s : Prop) (h : ¬ (p ∨ q)) (k : s ↔ (p ∧ r)) : p ↔ s := by
  sorry

theorem held_out_048 (a b c : Nat) : (c * 2 + c * 5) + 7 = (2 * c + 5 * c) + 7 := by
  sorry

theorem held_out_049 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → r x) (l : ∃ x, q x ∧ t x) (h : ∀ x, q x → p x) : ∃ x, r x ∧ t x := by
  sorry

theorem held_out_050 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((([x] ++ xs) ++ (ys ++ ys)) ++ List.map f ((zs ++ zs))) = 1 + List.length xs + List.length ys + List.length ys + List.length zs + List.length zs := by
  sorry

theorem held_out_051 (p q r s : Prop) (h : q) (k : (p → r) ↔ (q → p)) : p := by
  sorry

theorem held_out_052 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → t x) (k : ∀ x, t x → q x) (l : ¬ q e) : ¬ p e := by
  sorry

theorem held_out_053 (p q r s : Prop) (h : (p ∨ s) ∧ (p → r)) (k : (r ∨ r) ∧ (s → p)) : p := by
  sorry

theorem held_out_054 (α : Type) (p q r t : α → Prop) (e : α) (l : p e) (m : q e) (h : ∀ x, p x → t x) : ∃ x, q x ∧ t x := by
  sorry

theorem held_out_055 (p q r s : Prop) (h : ¬ s) (k : (p ∨ q) ∧ (s ↔ q)) : p := by
  sorry

theorem held_out_056 (a b c : Nat) : 8 * c + a * a ≤ a * a + 8 * c + 1 := by
  sorry

theorem held_out_057 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, q x → t x) (h : ∀ x, r x → q x) (l : r e) (m : p e) : ∃ x, p x ∧ t x := by
  sorry

theorem held_out_058 (p q r s : Prop) (h : r) (k : (q ∧ s) ↔ (r ∨ q)) : (p ↔ r) ∨ (r ∧ s) := by
  sorry

theorem held_out_059 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ((xs ++ xs)) = List.map f xs ++ List.map f xs := by
  sorry

theorem held_out_060 (p q r s : Prop) (h : r → (s → p)) (k : (r ∧ r) ∧ (s ∨ p)) : p := by
  sorry

theorem held_out_061 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x → t x) (h : ∀ x, t x → r x) (k : ∀ x, r x → q x) : ∀ x, p x → q x := by
  sorry

theorem held_out_062 (p q r s : Prop) (h : r) (k : p) : p ∧ (p ∧ r) := by
  sorry

theorem held_out_063 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = d) (hp : p (op d a)) : p (op c a) := by
  sorry

theorem held_out_064 (p q r s : Prop) (h : (s ∧ s) ↔ ¬ q) (k : ¬ r ↔ (q ↔ r)) : p ∨ s := by
  sorry

theorem held_out_065 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((([x] ++ xs) ++ List.map f (ys)) ++ ((ys ++ xs) ++ ([] ++ []))) = [x] ++ xs ++ List.map f ys ++ ys ++ xs := by
  sorry

theorem held_out_066 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ p x) (k : ∀ x, q x → t x) (h : ∀ x, r x → q x) : ∃ x, t x ∧ p x := by
  sorry

theorem held_out_067 (p q r s : Prop) (h : r ∨ (r ∨ q)) (k : ¬ (q ↔ s)) : (r → r) → (s → r) := by
  sorry

theorem held_out_068 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = a) (h0 : c = e) (hp : p (e)) : p (a) := by
  sorry

theorem held_out_069 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (k : ∀ x, r x → p x) (l : ∀ x, q x → t x) : ∀ x, q x → p x := by
  sorry

theorem held_out_070 (p q r s : Prop) (h : s) (k : (q ∧ r) ∨ (q ∧ r)) : s ∧ r := by
  sorry

theorem held_out_071 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (ys ++ zs) = ys ++ zs := by
  sorry

theorem held_out_072 (p q r s : Prop) (h : ¬ q ∧ ¬ r) (k : (q ∧ q) ↔ (s → p)) : s := by
  sorry

theorem held_out_073 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = d) (h0 : c = b) : f (f c) = f (f d) := by
  sorry

theorem held_out_074 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → p x) (l : ∃ x, t x) (k : ∀ x, p x → r x) : ∃ x, r x := by
  sorry

theorem held_out_075 (a b c : Nat) : (b + c * 8) + 6 = 8 * c + (b + 6) := by
  sorry

theorem held_out_076 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : ¬ t e) (k : ∀ x, q x → t x) : ¬ r e := by
  sorry

theorem held_out_077 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ((ys ++ [x])) ++ ((xs ++ zs) ++ ([] ++ zs))) = List.map f ys ++ [f x] ++ xs ++ zs ++ zs := by
  sorry

theorem held_out_078 (p q r s : Prop) (h : (r ↔ p) ↔ (r ∧ s)) (k : s) : s ∧ p := by
  sorry

theorem held_out_079 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ((zs ++ zs)) ++ ((ys ++ ys) ++ List.map f (zs))) = List.map f zs ++ List.map f zs ++ ys ++ ys ++ List.map f zs := by
  sorry

theorem held_out_080 (p q r s : Prop) (h : (r ↔ r) ∧ (q ∨ s)) (k : (q ∧ p) ↔ (r → s)) : q := by
  sorry

theorem held_out_081 (p q r s : Prop) (h : p) (k : (p ∨ q) → (r ↔ p)) : r := by
  sorry

theorem held_out_082 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (zs ++ xs) = zs ++ xs := by
  sorry

theorem held_out_083 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x) (h : ∀ x, t x → q x) (k : ∀ x, q x → p x) : ∀ x, p x := by
  sorry

theorem held_out_084 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x → r x) (k : ∀ x, t x → p x) (h : ∀ x, r x → t x) : ∀ x, q x → p x := by
  sorry

theorem held_out_085 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : ∃ x, r x) (k : ∀ x, q x → t x) : ∃ x, t x := by
  sorry

theorem held_out_086 (p q r s : Prop) (h : p → (q ∧ r)) (k : ¬ (r ∧ r)) : ¬ p := by
  sorry

theorem held_out_087 (a b c : Nat) : (a * c + a * c) + c ≤ a * c + (c + a * c) + 1 := by
  sorry

theorem held_out_088 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = c) (h0 : b = c) (hp : p (f b)) : p (f e) := by
  sorry

theorem held_out_089 (p q r s : Prop) (h : (p ∨ r) → q) (k : q → r) : p → r := by
  sorry

theorem held_out_090 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (k : ∀ x, r x → t x) (l : ∃ x, q x ∧ p x) : ∃ x, t x ∧ p x := by
  sorry

theorem held_out_091 (p q r s : Prop) (h : (r ∨ p) ∧ (r ∧ s)) (k : (r ∧ q) ↔ (q ∨ s)) : (r ∨ p) → q := by
  sorry

theorem held_out_092 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f ([x]) ++ (zs ++ xs)) ++ List.map f ([])) = [f x] ++ zs ++ xs := by
  sorry

theorem held_out_093 (p q r s : Prop) (h : r) (k : r → (q ∧ s)) : s → (r ↔ q) := by
  sorry

theorem held_out_094 (p q r s : Prop) (h : q ∧ (s ↔ p)) (k : (p ∨ p) ∨ ¬ q) : q → (s ∨ r) := by
  sorry

theorem held_out_095 (a b c : Nat) : a + b * a = a + a * b := by
  sorry

theorem held_out_096 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : ∀ x, r x) : ∀ x, q x := by
  sorry

theorem held_out_097 (p q r s : Prop) (h : s) (k : (r → r) → (p ∨ r)) : (r ↔ s) ↔ (p → r) := by
  sorry

theorem held_out_098 (p q r s : Prop) (h : (r ∨ r) ↔ q) (k : (s → q) ∧ ¬ r) : q → s := by
  sorry

theorem held_out_099 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = e) (h0 : e = b) (hp : p (f b)) : p (f c) := by
  sorry
