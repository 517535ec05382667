-- Made by crates/iterate/examples/theorems.rs; do not edit.

theorem held_out_000 (a b c : Nat) : (a * b + b) + b ≤ (b + b * a) + b + 3 := by
  sorry

theorem held_out_001 (g : Nat → Nat) (h : g 0 = 3) (k : ∀ n : Nat, g n + 5 ≤ g (n + 1)) : ∀ n : Nat, n ≤ g n := by
  sorry

theorem held_out_002 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (ys ++ zs) = List.length ys + List.length zs := by
  sorry

theorem held_out_003 (f : Nat → Nat) (h : f 0 = 5) (k : ∀ n : Nat, f (n + 1) ≤ f n + 3) : ∀ n : Nat, f n ≤ 5 + 3 * n := by
  sorry

theorem held_out_004 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, r x) (k : ∀ x, p x → q x) (h : ∀ x, r x → p x) : ∀ x, q x := by
  sorry

theorem held_out_005 (a b c : Nat) : (5 + 6) + 2 = 6 + (2 + 5) := by
  sorry

theorem held_out_006 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (xs) ++ (ys ++ zs)) = List.map f xs ++ ys ++ zs := by
  sorry

theorem held_out_007 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : a = b) (h0 : a = c) (h2 : b = d) : f d = f c := by
  sorry

theorem held_out_008 (a b c : Nat) : ((a * a + c) + a * c) + 1 = ((c + 1) + c * a) + a * a := by
  sorry

theorem held_out_009 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h2 : a = c) (h1 : c = b) (hp : p (op (g e) (g e))) : p (op (g a) (g a)) := by
  sorry

theorem held_out_010 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, t x → p x) (l : ∃ x, r x) (h : ∀ x, r x → t x) : ∃ x, p x := by
  sorry

theorem held_out_011 (f : Nat → Nat) (h : f 0 = 1) (k : ∀ n : Nat, f (n + 1) = 6 + f n) : ∀ n : Nat, 1 ≤ f n := by
  sorry

theorem held_out_012 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = e) : op a (f a) = op a (f e) := by
  sorry

theorem held_out_013 (a b c : Nat) : ((2 + a) + b) + a = (a + b) + (a + 2) := by
  sorry

theorem held_out_014 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = e) (h1 : e = d) : d = b := by
  sorry

theorem held_out_015 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → q x) (l : ¬ p e) (k : ∀ x, q x → p x) : ¬ t e := by
  sorry

theorem held_out_016 (α : Type) (p q r t : α → Prop) (e : α) (l : p e) (m : t e) (h : ∀ x, p x → q x) : ∃ x, t x ∧ q x := by
  sorry

theorem held_out_017 (a b c : Nat) : 7 + (b + 2) ≤ b + (2 + 7) + 1 := by
  sorry

theorem held_out_018 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ([] ++ xs) = List.length xs := by
  sorry

theorem held_out_019 (a b c : Nat) : 8 * c + (a * 4 + b) = c * 8 + (4 * a + b) := by
  sorry

theorem held_out_020 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f (xs) ++ ([x] ++ xs)) ++ List.map f ((xs ++ [x]))) = List.map f xs ++ [x] ++ xs ++ List.map f xs ++ [f x] := by
  sorry

theorem held_out_021 (a b c : Nat) : c * c + b * 8 = 8 * b + c * c := by
  sorry

theorem held_out_022 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) : g (f a) = g (f d) := by
  sorry

theorem held_out_023 (a b c : Nat) : 3 + ((b + 2) + a) = ((2 + b) + 3) + a := by
  sorry

theorem held_out_024 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : e = c) (h1 : e = a) (h0 : a = d) (hp : p (g (f d))) : p (g (f c)) := by
  sorry

theorem held_out_025 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([x] ++ []) = [x] := by
  sorry

theorem held_out_026 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = d) (h1 : e = d) (h2 : c = e) : op c a = op a a := by
  sorry

theorem held_out_027 (a b c : Nat) : (b * 3 + c) + a * a = c + (a * a + 3 * b) := by
  sorry

theorem held_out_028 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f (xs) ++ (ys ++ [x])) ++ (([] ++ []) ++ List.map f (zs))) = List.map f xs ++ ys ++ [x] ++ List.map f zs := by
  sorry

theorem held_out_029 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = d) (hp : p (op (g b) (g b))) : p (op (g d) (g d)) := by
  sorry

theorem held_out_030 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → t x) (k : ∀ x, t x → q x) (l : ∃ x, r x) : ∃ x, q x := by
  sorry

theorem held_out_031 (a b c : Nat) : (6 * c + 7) + c * b ≤ (c * 6 + 7) + c * b + 3 := by
  sorry

theorem held_out_032 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ((([] ++ [x]) ++ ([x] ++ xs))) = [f x] ++ [f x] ++ List.map f xs := by
  sorry

theorem held_out_033 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) (h1 : d = b) : a = b := by
  sorry

theorem held_out_034 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = d) : op a (f d) = op a (f e) := by
  sorry

theorem held_out_035 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = b) (h0 : e = a) : a = b := by
  sorry

theorem held_out_036 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → p x) (l : ∃ x, q x ∧ r x) : ∃ x, p x ∧ r x := by
  sorry

theorem held_out_037 (a b c : Nat) : (2 + 5) + a ≤ (a + 5) + 2 + 4 := by
  sorry

theorem held_out_038 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (((zs ++ []) ++ (ys ++ [])) ++ (List.map f ([]) ++ ([] ++ []))) = zs ++ ys := by
  sorry

theorem held_out_039 (a b c : Nat) : 8 * b + (c * b + a * c) = 8 * b + (a * c + c * b) := by
  sorry

theorem held_out_040 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (((xs ++ [x]) ++ ([x] ++ xs)) ++ (([] ++ zs) ++ List.map f ([]))) = xs ++ [x] ++ [x] ++ xs ++ zs := by
  sorry

theorem held_out_041 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ p e) (h : ∀ x, r x → p x) : ¬ r e := by
  sorry

theorem held_out_042 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : d = e) (h0 : b = a) (h1 : a = e) : d = b := by
  sorry

theorem held_out_043 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = a) (h2 : b = e) (h0 : c = a) : op (g c) (g c) = op (g e) (g e) := by
  sorry

theorem held_out_044 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x ∧ t x) (h : ∀ x, p x → r x) : ∃ x, r x ∧ t x := by
  sorry

theorem held_out_045 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → t x) (l : ∃ x, p x ∧ r x) (k : ∀ x, t x → q x) : ∃ x, q x ∧ r x := by
  sorry

theorem held_out_046 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((([] ++ zs) ++ ([x] ++ [])) ++ List.map f ([])) = zs ++ [x] := by
  sorry

theorem held_out_047 (a b c : Nat) : (2 * b + 4) + (b + 2) = (b + (4 + 2)) + 2 * b := by
  sorry

theorem held_out_048 (α : Type) (p q r t : α → Prop) (e : α) (l : r e) (m : t e) (k : ∀ x, p x → q x) (h : ∀ x, r x → p x) : ∃ x, t x ∧ q x := by
  sorry

theorem held_out_049 (a b c : Nat) : (b * c + 4) + (5 + 6 * b) ≤ ((6 * b + 4) + 5) + b * c + 3 := by
  sorry

theorem held_out_050 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = c) (hp : p (op c a)) : p (op b a) := by
  sorry

theorem held_out_051 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ r e) (k : ∀ x, t x → r x) (h : ∀ x, p x → t x) : ¬ p e := by
  sorry

theorem held_out_052 (a b c : Nat) : (c * 3 + b * 3) + 1 = b * 3 + (1 + 3 * c) := by
  sorry

theorem held_out_053 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (zs ++ xs) = List.length zs + List.length xs := by
  sorry

theorem held_out_054 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = c) : a = c := by
  sorry

theorem held_out_055 (α : Type) (p q r t : α → Prop) (e : α) (l : r e) (m : q e) (k : ∀ x, p x → t x) (h : ∀ x, r x → p x) : ∃ x, q x ∧ t x := by
  sorry

theorem held_out_056 (a b c : Nat) : a * b + 5 = 5 + a * b := by
  sorry

theorem held_out_057 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : r e) (m : p e) : ∃ x, p x ∧ q x := by
  sorry

theorem held_out_058 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (ys ++ [x]) = List.length ys + 1 := by
  sorry

theorem held_out_059 (a b c : Nat) : a * c + a = c * a + a := by
  sorry

theorem held_out_060 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = b) (h1 : e = b) (h2 : e = c) : g (f c) = g (f a) := by
  sorry

theorem held_out_061 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → t x) (l : ∀ x, q x) : ∀ x, t x := by
  sorry

theorem held_out_062 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : a = b) (h0 : e = d) (h1 : b = d) : a = e := by
  sorry

theorem held_out_063 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : a = b) (h2 : c = b) (h0 : a = e) : op c a = op e a := by
  sorry

theorem held_out_064 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (l : t e) (m : q e) : ∃ x, q x ∧ r x := by
  sorry

theorem held_out_065 (a b c : Nat) : 8 + a * 7 = a * 7 + 8 := by
  sorry

theorem held_out_066 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (xs ++ [x]) = List.length xs + 1 := by
  sorry

theorem held_out_067 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → t x) (l : ¬ t e) : ¬ p e := by
  sorry

theorem held_out_068 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([] ++ ys) = ys := by
  sorry

theorem held_out_069 (a b c : Nat) : (c + c) + 5 * c = c + (c + c * 5) := by
  sorry

theorem held_out_070 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (ys ++ xs) = List.length ys + List.length xs := by
  sorry

theorem held_out_071 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h1 : e = c) (h2 : a = c) (hp : p (b)) : p (a) := by
  sorry

theorem held_out_072 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x) (h : ∀ x, p x → r x) (k : ∀ x, r x → t x) : ∃ x, t x := by
  sorry

theorem held_out_073 (α : Type) (p q r t : α → Prop) (e : α) (l : t e) (m : q e) (k : ∀ x, r x → p x) (h : ∀ x, t x → r x) : ∃ x, q x ∧ p x := by
  sorry

theorem held_out_074 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (([] ++ []) ++ ([x] ++ xs)) = 1 + List.length xs := by
  sorry

theorem held_out_075 (α : Type) (p q r t : α → Prop) (e : α) (l : q e) (m : r e) (k : ∀ x, t x → p x) (h : ∀ x, q x → t x) : ∃ x, r x ∧ p x := by
  sorry

theorem held_out_076 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = a) (h0 : d = a) (h2 : e = c) : e = d := by
  sorry

theorem held_out_077 (a b c : Nat) : b * c + (3 + c) = (c + c * b) + 3 := by
  sorry

theorem held_out_078 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (((ys ++ []) ++ (ys ++ zs)) ++ (([x] ++ [x]) ++ List.map f (zs))) = List.length ys + List.length ys + List.length zs + 1 + 1 + List.length zs := by
  sorry

theorem held_out_079 (a b c : Nat) : (7 * a + 5) + c * b ≤ c * b + (7 * a + 5) + 0 := by
  sorry

theorem held_out_080 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (([] ++ [x]))) = 1 := by
  sorry

theorem held_out_081 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = b) (h0 : d = a) : b = a := by
  sorry

theorem held_out_082 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (zs) = List.map f zs := by
  sorry

theorem held_out_083 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, q x ∧ p x) (h : ∀ x, q x → t x) : ∃ x, t x ∧ p x := by
  sorry

theorem held_out_084 (a b c : Nat) : 2 + (7 + 2) ≤ 2 + (2 + 7) + 4 := by
  sorry

theorem held_out_085 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (zs ++ ys) = zs ++ ys := by
  sorry

theorem held_out_086 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → q x) (k : ∀ x, q x → p x) (l : t e) (m : r e) : ∃ x, r x ∧ p x := by
  sorry

theorem held_out_087 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) : f (f a) = f (f d) := by
  sorry

theorem held_out_088 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = d) (h1 : d = a) (h2 : a = b) (hp : p (f e)) : p (f b) := by
  sorry

theorem held_out_089 (a b c : Nat) : c * c + (2 + c) ≤ (2 + c * c) + c + 4 := by
  sorry

theorem held_out_090 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (([] ++ xs)) = List.map f xs := by
  sorry

theorem held_out_091 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x) (k : ∀ x, t x → q x) (h : ∀ x, p x → t x) : ∀ x, q x := by
  sorry

theorem held_out_092 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((ys ++ xs) ++ (ys ++ [])) = List.length ys + List.length xs + List.length ys := by
  sorry

theorem held_out_093 (a b c : Nat) : 5 + c * 2 = 2 * c + 5 := by
  sorry

theorem held_out_094 (a b c : Nat) : b * 3 + ((a * b + a * a) + 6 * a) ≤ (a * 6 + (a * b + a * a)) + b * 3 + 1 := by
  sorry

theorem held_out_095 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (([] ++ zs)) ++ List.map f ((zs ++ ys))) = List.map f zs ++ List.map f zs ++ List.map f ys := by
  sorry

theorem held_out_096 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = e) (h0 : e = a) (h2 : c = b) : op a a = op c a := by
  sorry

theorem held_out_097 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((zs ++ [x]) ++ List.map f (ys)) = List.length zs + 1 + List.length ys := by
  sorry

theorem held_out_098 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (([] ++ ys)) ++ (List.map f (ys) ++ (xs ++ xs))) = List.map f ys ++ List.map f ys ++ xs ++ xs := by
  sorry

theorem held_out_099 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h1 : b = a) (h2 : d = a) : f (f d) = f (f e) := by
  sorry
