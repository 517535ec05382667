-- Made by crates/iterate/examples/theorems.rs; do not edit.

theorem train_000 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (([x] ++ zs) ++ ([] ++ zs)) = [x] ++ zs ++ zs := by
  sorry

theorem train_001 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = e) (h2 : c = d) (h0 : b = e) (hp : p (op b a)) : p (op d a) := by
  sorry

theorem train_002 (α : Type) (p q r t : α → Prop) (e : α) (l : r e) (m : q e) (h : ∀ x, r x → p x) : ∃ x, q x ∧ p x := by
  sorry

theorem train_003 (a b c : Nat) : (1 + (c + 7 * b)) + b * a = (b * 7 + c) + (a * b + 1) := by
  sorry

theorem train_004 (f : Nat → Nat) (h : f 0 = 0) (k : ∀ n : Nat, f (n + 1) = f n + 2 * n + 6) : ∀ n : Nat, 0 + n ≤ f n + n := by
  sorry

theorem train_005 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) : op b a = op e a := by
  sorry

theorem train_006 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (l : ∀ x, p x) (k : ∀ x, r x → q x) : ∀ x, q x := by
  sorry

theorem train_007 (a b c : Nat) : ((b + 4 * b) + a * c) + c ≤ 4 * b + ((c + b) + c * a) + 1 := by
  sorry

theorem train_008 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (([x] ++ xs)) ++ (([x] ++ xs) ++ (zs ++ []))) = 1 + List.length xs + 1 + List.length xs + List.length zs := by
  sorry

theorem train_009 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = a) (h0 : d = a) : b = d := by
  sorry

theorem train_010 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((xs ++ ys) ++ ([x] ++ [])) = xs ++ ys ++ [x] := by
  sorry

theorem train_011 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) : d = e := by
  sorry

theorem train_012 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → q x) (l : ∃ x, t x) : ∃ x, q x := by
  sorry

theorem train_013 (a b c : Nat) : (b + (a * b + b)) + 7 = ((b + 7) + b) + a * b := by
  sorry

theorem train_014 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → p x) (l : ¬ p e) (h : ∀ x, t x → r x) : ¬ t e := by
  sorry

theorem train_015 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (ys ++ zs) = ys ++ zs := by
  sorry

theorem train_016 (a b c : Nat) : b + 2 * a = a * 2 + b := by
  sorry

theorem train_017 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([] ++ xs) = xs := by
  sorry

theorem train_018 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → q x) (l : ¬ q e) : ¬ t e := by
  sorry

theorem train_019 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((ys ++ []) ++ (zs ++ zs)) = ys ++ zs ++ zs := by
  sorry

theorem train_020 (f : Nat → Nat) (h : f 0 = 1) (k : ∀ n : Nat, f (n + 1) = f n + 6) : ∀ n : Nat, f n = 6 * n + 1 := by
  sorry

theorem train_021 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((List.map f (ys) ++ ([] ++ zs)) ++ ((zs ++ [x]) ++ List.map f ([x]))) = List.length ys + List.length zs + List.length zs + 1 + 1 := by
  sorry

theorem train_022 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = a) (h1 : d = e) (hp : p (f (f a))) : p (f (f e)) := by
  sorry

theorem train_023 (g : Nat → Nat) (h : g 0 = 2) (k : ∀ n : Nat, g (n + 1) = g n) : ∀ n : Nat, g n = 2 := by
  sorry

theorem train_024 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = a) (h1 : b = d) : f a = f d := by
  sorry

theorem train_025 (α : Type) (p q r t : α → Prop) (e : α) (l : t e) (m : p e) (h : ∀ x, t x → q x) : ∃ x, p x ∧ q x := by
  sorry

theorem train_026 (a b c : Nat) : b + ((b * 4 + a) + a * a) = ((a + a * a) + b) + b * 4 := by
  sorry

theorem train_027 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (((xs ++ xs) ++ ([] ++ [])) ++ (List.map f (xs) ++ ([] ++ zs))) = xs ++ xs ++ List.map f xs ++ zs := by
  sorry

theorem train_028 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = c) (h1 : a = c) : g (f e) = g (f a) := by
  sorry

theorem train_029 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → t x) (l : ∀ x, r x) : ∀ x, t x := by
  sorry

theorem train_030 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = d) (hp : p (g (f b))) : p (g (f d)) := by
  sorry

theorem train_031 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → p x) (l : ∀ x, t x → q x) : ∀ x, t x → p x := by
  sorry

theorem train_032 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ((ys ++ xs)) ++ (([] ++ xs) ++ List.map f (xs))) = List.map f ys ++ List.map f xs ++ xs ++ List.map f xs := by
  sorry

theorem train_033 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (l : ∀ x, q x → p x) : ∀ x, q x → r x := by
  sorry

theorem train_034 (a b c : Nat) : 6 * b + (a + 4) ≤ (a + 4) + b * 6 + 4 := by
  sorry

theorem train_035 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((([] ++ xs) ++ (zs ++ ys)) ++ List.map f (ys)) = xs ++ zs ++ ys ++ List.map f ys := by
  sorry

theorem train_036 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = a) (h0 : c = a) (hp : p (op a (f c))) : p (op a (f b)) := by
  sorry

theorem train_037 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ q x) (k : ∀ x, p x → t x) (h : ∀ x, r x → p x) : ∃ x, t x ∧ q x := by
  sorry

theorem train_038 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((xs ++ xs) ++ ([x] ++ xs)) = xs ++ xs ++ [x] ++ xs := by
  sorry

theorem train_039 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : c = d) (h1 : c = b) (h0 : b = a) : op (g d) (g d) = op (g a) (g a) := by
  sorry

theorem train_040 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x → r x) (h : ∀ x, r x → q x) : ∀ x, p x → q x := by
  sorry

theorem train_041 (a b c : Nat) : (a * b + 4) + (3 + 7 * c) = (4 + 7 * c) + (3 + b * a) := by
  sorry

theorem train_042 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (([x] ++ [x]))) = 1 + 1 := by
  sorry

theorem train_043 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (k : ∀ x, r x → p x) (l : ∀ x, q x) : ∀ x, p x := by
  sorry

theorem train_044 (a b c : Nat) : c + (c * a + (a + c * 2)) = (2 * c + a * c) + (c + a) := by
  sorry

theorem train_045 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, r x) (h : ∀ x, r x → t x) : ∀ x, t x := by
  sorry

theorem train_046 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ p x) (h : ∀ x, r x → q x) : ∃ x, q x ∧ p x := by
  sorry

theorem train_047 (a b c : Nat) : 7 * c + (b + c * 7) = b + (c * 7 + 7 * c) := by
  sorry

theorem train_048 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (((xs ++ zs) ++ List.map f (zs)) ++ List.map f ((ys ++ xs))) = xs ++ zs ++ List.map f zs ++ List.map f ys ++ List.map f xs := by
  sorry

theorem train_049 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x → p x) (h : ∀ x, p x → r x) : ∀ x, t x → r x := by
  sorry

theorem train_050 (a b c : Nat) : 7 + a = a + 7 := by
  sorry

theorem train_051 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((zs ++ []) ++ List.map f (ys)) = List.length zs + List.length ys := by
  sorry

theorem train_052 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x) (h : ∀ x, q x → r x) : ∀ x, r x := by
  sorry

theorem train_053 (a b c : Nat) : ((c * c + c) + 3) + c = c + (c + (3 + c * c)) := by
  sorry

theorem train_054 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ([]) ++ (xs ++ [x])) = xs ++ [x] := by
  sorry

theorem train_055 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : c = b) (h1 : d = b) (h0 : a = d) (hp : p (op (g a) (g a))) : p (op (g c) (g c)) := by
  sorry

theorem train_056 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = a) (h1 : d = c) (h2 : e = d) (hp : p (op (g a) (g a))) : p (op (g e) (g e)) := by
  sorry

theorem train_057 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x → q x) (h : ∀ x, q x → r x) : ∀ x, p x → r x := by
  sorry

theorem train_058 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (ys ++ []) = List.length ys := by
  sorry

theorem train_059 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = a) (h1 : e = b) (h2 : c = e) : f (f a) = f (f c) := by
  sorry

theorem train_060 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x ∧ t x) (k : ∀ x, p x → q x) (h : ∀ x, r x → p x) : ∃ x, q x ∧ t x := by
  sorry

theorem train_061 (a b c : Nat) : (a + c * c) + 5 * b = c * c + (a + b * 5) := by
  sorry

theorem train_062 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h1 : b = a) : e = a := by
  sorry

theorem train_063 (a b c : Nat) : b + a ≤ a + b + 0 := by
  sorry

theorem train_064 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([x] ++ ys) = [x] ++ ys := by
  sorry

theorem train_065 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : c = a) (h1 : c = e) (h0 : d = e) : g (f d) = g (f a) := by
  sorry

theorem train_066 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → p x) (l : ∀ x, q x → t x) (h : ∀ x, t x → r x) : ∀ x, q x → p x := by
  sorry

theorem train_067 (a b c : Nat) : (6 + a * c) + 7 ≤ 6 + (a * c + 7) + 3 := by
  sorry

theorem train_068 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = e) (hp : p (op c a)) : p (op e a) := by
  sorry

theorem train_069 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → q x) (l : ¬ q e) (h : ∀ x, r x → p x) : ¬ r e := by
  sorry

theorem train_070 (a b c : Nat) : (6 + b) + b = (b + 6) + b := by
  sorry

theorem train_071 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ([x] ++ zs) = 1 + List.length zs := by
  sorry

theorem train_072 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → t x) (l : ∀ x, q x) (h : ∀ x, q x → r x) : ∀ x, t x := by
  sorry

theorem train_073 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((([] ++ xs) ++ (zs ++ [x])) ++ (([x] ++ [x]) ++ (zs ++ ys))) = List.length xs + List.length zs + 1 + 1 + 1 + List.length zs + List.length ys := by
  sorry

theorem train_074 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = a) (h1 : e = c) : op (g e) (g e) = op (g a) (g a) := by
  sorry

theorem train_075 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (l : ∀ x, p x) : ∀ x, r x := by
  sorry

theorem train_076 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ([x]) = [f x] := by
  sorry

theorem train_077 (a b c : Nat) : 7 * b + (c + c) = (c + b * 7) + c := by
  sorry

theorem train_078 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = a) (h1 : c = a) (hp : p (e)) : p (c) := by
  sorry

theorem train_079 (a b c : Nat) : 2 + a * b = a * b + 2 := by
  sorry

theorem train_080 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = c) (h0 : d = b) : op a (f c) = op a (f d) := by
  sorry

theorem train_081 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → t x) (k : ∀ x, t x → r x) (l : ¬ r e) : ¬ q e := by
  sorry

theorem train_082 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ((([x] ++ xs) ++ (zs ++ [x]))) = [f x] ++ List.map f xs ++ List.map f zs ++ [f x] := by
  sorry

theorem train_083 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = b) : f (f b) = f (f c) := by
  sorry

theorem train_084 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (ys ++ ys) = ys ++ ys := by
  sorry

theorem train_085 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = b) (h0 : b = e) : op (g e) (g e) = op (g c) (g c) := by
  sorry

theorem train_086 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (l : ∀ x, t x → r x) (k : ∀ x, q x → p x) : ∀ x, t x → p x := by
  sorry

theorem train_087 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ([x] ++ [x]) = [x] ++ [x] := by
  sorry

theorem train_088 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((zs ++ xs) ++ (xs ++ ys)) = List.length zs + List.length xs + List.length xs + List.length ys := by
  sorry

theorem train_089 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = a) (hp : p (op a a)) : p (op e a) := by
  sorry

theorem train_090 (a b c : Nat) : 8 + (2 + b) = (b + 2) + 8 := by
  sorry

theorem train_091 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = c) (h1 : c = d) (h2 : a = d) (hp : p (f e)) : p (f a) := by
  sorry

theorem train_092 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x → r x) (h : ∀ x, r x → q x) (k : ∀ x, q x → t x) : ∀ x, p x → t x := by
  sorry

theorem train_093 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (zs) ++ List.map f (xs)) = List.map f zs ++ List.map f xs := by
  sorry

theorem train_094 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((zs ++ zs) ++ List.map f (zs)) = List.length zs + List.length zs + List.length zs := by
  sorry

theorem train_095 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → p x) (l : ∃ x, q x ∧ t x) (h : ∀ x, q x → r x) : ∃ x, p x ∧ t x := by
  sorry

theorem train_096 (a b c : Nat) : 8 + (b * c + a * 8) = (8 * a + 8) + c * b := by
  sorry

theorem train_097 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((([] ++ zs) ++ (xs ++ [x])) ++ (List.map f ([]) ++ ([x] ++ [x]))) = zs ++ xs ++ [x] ++ [x] ++ [x] := by
  sorry

theorem train_098 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = e) : op (g e) (g e) = op (g b) (g b) := by
  sorry

theorem train_099 (a b c : Nat) : (5 + 8) + b ≤ (5 + b) + 8 + 3 := by
  sorry

theorem train_100 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = d) (h0 : c = b) (h2 : d = e) : op (g b) (g b) = op (g e) (g e) := by
  sorry

theorem train_101 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → q x) (k : ∀ x, q x → t x) (l : ∀ x, p x) : ∀ x, t x := by
  sorry

theorem train_102 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (zs ++ xs) = zs ++ xs := by
  sorry

theorem train_103 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = e) (h1 : b = e) : f (f a) = f (f b) := by
  sorry

theorem train_104 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, t x → p x) (h : ∀ x, r x → t x) (l : ∀ x, r x) : ∀ x, p x := by
  sorry

theorem train_105 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = c) : g (f e) = g (f c) := by
  sorry

theorem train_106 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → r x) (l : ∃ x, p x) : ∃ x, r x := by
  sorry

theorem train_107 (a b c : Nat) : c + (c * 5 + (b + a)) = (5 * c + c) + (a + b) := by
  sorry

theorem train_108 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (zs) ++ (ys ++ [])) = List.map f zs ++ ys := by
  sorry

theorem train_109 (a b c : Nat) : a * b + c ≤ b * a + c + 4 := by
  sorry

theorem train_110 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((xs ++ ys) ++ ([x] ++ [])) = List.length xs + List.length ys + 1 := by
  sorry

theorem train_111 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : c = a) (hp : p (c)) : p (a) := by
  sorry

theorem train_112 (a b c : Nat) : c + b * 2 ≤ c + 2 * b + 4 := by
  sorry

theorem train_113 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = b) : op (g b) (g b) = op (g d) (g d) := by
  sorry

theorem train_114 (α : Type) (p q r t : α → Prop) (e : α) (l : p e) (m : t e) (h : ∀ x, p x → r x) : ∃ x, t x ∧ r x := by
  sorry

theorem train_115 (a b c : Nat) : (6 + 4) + (8 * b + 1) ≤ ((4 + 8 * b) + 1) + 6 + 3 := by
  sorry

theorem train_116 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (((xs ++ xs) ++ (ys ++ ys)) ++ ((xs ++ zs) ++ (zs ++ xs))) = List.length xs + List.length xs + List.length ys + List.length ys + List.length xs + List.length zs + List.length zs + List.length xs := by
  sorry

theorem train_117 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = c) (h0 : e = a) : op a (f a) = op a (f c) := by
  sorry

theorem train_118 (a b c : Nat) : (b * a + a * a) + (5 * b + c * a) = (a * a + (c * a + b * a)) + 5 * b := by
  sorry

theorem train_119 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = e) : f a = f e := by
  sorry

theorem train_120 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, r x → t x) (h : ∀ x, t x → q x) (k : ∀ x, q x → p x) : ∀ x, r x → p x := by
  sorry

theorem train_121 (a b c : Nat) : (c * 3 + c * c) + (a + 1) = ((a + 1) + c * 3) + c * c := by
  sorry

theorem train_122 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, t x → r x) (k : ∀ x, r x → p x) (l : ∃ x, t x ∧ q x) : ∃ x, p x ∧ q x := by
  sorry

theorem train_123 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = d) (h1 : b = e) (hp : p (f d)) : p (f e) := by
  sorry

theorem train_124 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, p x → q x) (l : ∃ x, p x) : ∃ x, q x := by
  sorry

theorem train_125 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (l : ∀ x, q x) : ∀ x, r x := by
  sorry

theorem train_126 (a b c : Nat) : (4 + a) + (5 * c + c) = (c + (4 + c * 5)) + a := by
  sorry

theorem train_127 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) : g (f b) = g (f e) := by
  sorry

theorem train_128 (a b c : Nat) : (6 * b + b * 2) + b * 6 ≤ 2 * b + (6 * b + 6 * b) + 2 := by
  sorry

theorem train_129 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f ((xs ++ zs)) = List.map f xs ++ List.map f zs := by
  sorry

theorem train_130 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = b) (h1 : c = e) : g (f b) = g (f c) := by
  sorry

theorem train_131 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → r x) (l : ∀ x, q x) (k : ∀ x, r x → t x) : ∀ x, t x := by
  sorry

theorem train_132 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((zs ++ [x]) ++ List.map f ([])) = zs ++ [x] := by
  sorry

theorem train_133 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : e = b) (h0 : e = c) (hp : p (op c a)) : p (op b a) := by
  sorry

theorem train_134 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((List.map f (xs) ++ (zs ++ [x])) ++ ((zs ++ []) ++ (ys ++ xs))) = List.map f xs ++ zs ++ [x] ++ zs ++ ys ++ xs := by
  sorry

theorem train_135 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h2 : d = c) (h0 : b = e) (h1 : c = e) : op a (f b) = op a (f d) := by
  sorry

theorem train_136 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, p x ∧ q x) (k : ∀ x, t x → r x) (h : ∀ x, p x → t x) : ∃ x, r x ∧ q x := by
  sorry

theorem train_137 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = b) : g (f d) = g (f b) := by
  sorry

theorem train_138 (a b c : Nat) : a + 7 ≤ 7 + a + 4 := by
  sorry

theorem train_139 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → t x) (l : ∃ x, r x) : ∃ x, t x := by
  sorry

theorem train_140 (a b c : Nat) : 5 * c + b * b = b * b + c * 5 := by
  sorry

theorem train_141 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (xs ++ zs) = List.length xs + List.length zs := by
  sorry

theorem train_142 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, r x → q x) (l : p e) (m : t e) (h : ∀ x, p x → r x) : ∃ x, t x ∧ q x := by
  sorry

theorem train_143 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (ys) ++ (zs ++ zs)) = List.length ys + List.length zs + List.length zs := by
  sorry

theorem train_144 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = e) (h0 : a = e) (h2 : d = c) (hp : p (op a a)) : p (op c a) := by
  sorry

theorem train_145 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, r x → q x) (k : ∀ x, q x → t x) (l : ∃ x, r x) : ∃ x, t x := by
  sorry

theorem train_146 (a b c : Nat) : a + (5 + (c + 4)) = (c + a) + (4 + 5) := by
  sorry

theorem train_147 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = b) (h2 : e = c) (h0 : a = b) : op a (f e) = op a (f a) := by
  sorry

theorem train_148 (a b c : Nat) : (b + a) + 5 = 5 + (b + a) := by
  sorry

theorem train_149 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) (h1 : c = e) (h2 : c = b) : f b = f d := by
  sorry

theorem train_150 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f ((xs ++ [x])) ++ (([x] ++ [x]) ++ (ys ++ ys))) = List.map f xs ++ [f x] ++ [x] ++ [x] ++ ys ++ ys := by
  sorry

theorem train_151 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = e) (h1 : d = e) : op a (f d) = op a (f a) := by
  sorry

theorem train_152 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, q x → r x) (k : ∀ x, t x → p x) (h : ∀ x, r x → t x) : ∀ x, q x → p x := by
  sorry

theorem train_153 (a b c : Nat) : c + (2 + 5) ≤ 2 + (c + 5) + 4 := by
  sorry

theorem train_154 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : d = b) (h2 : c = d) (h0 : b = e) (hp : p (op e a)) : p (op c a) := by
  sorry

theorem train_155 (α : Type) (p q r t : α → Prop) (e : α) (l : t e) (m : r e) (h : ∀ x, t x → q x) (k : ∀ x, q x → p x) : ∃ x, r x ∧ p x := by
  sorry

theorem train_156 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x) (h : ∀ x, t x → p x) : ∀ x, p x := by
  sorry

theorem train_157 (a b c : Nat) : ((a + c) + a * 7) + 3 ≤ (a * 7 + c) + (3 + a) + 1 := by
  sorry

theorem train_158 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (([x] ++ ys)) = [f x] ++ List.map f ys := by
  sorry

theorem train_159 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : b = e) : op a (f b) = op a (f e) := by
  sorry

theorem train_160 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, p x) (h : ∀ x, p x → t x) : ∀ x, t x := by
  sorry

theorem train_161 (a b c : Nat) : 3 + (b + 2) ≤ (3 + b) + 2 + 0 := by
  sorry

theorem train_162 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (([] ++ zs) ++ ([] ++ [x])) = List.length zs + 1 := by
  sorry

theorem train_163 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = b) : d = b := by
  sorry

theorem train_164 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, p x → t x) (h : ∀ x, r x → p x) (l : ¬ t e) : ¬ r e := by
  sorry

theorem train_165 (a b c : Nat) : b * b + 7 = 7 + b * b := by
  sorry

theorem train_166 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (List.map f (ys) ++ (ys ++ ys)) = List.map f ys ++ ys ++ ys := by
  sorry

theorem train_167 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : b = e) (h0 : d = b) : op e a = op d a := by
  sorry

theorem train_168 (α : Type) (p q r t : α → Prop) (e : α) (k : ∀ x, q x → r x) (l : ∃ x, p x) (h : ∀ x, p x → q x) : ∃ x, r x := by
  sorry

theorem train_169 (a b c : Nat) : a + (c * 5 + c * b) ≤ (c * b + a) + 5 * c + 4 := by
  sorry

theorem train_170 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = c) : c = d := by
  sorry

theorem train_171 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, r x) (k : ∀ x, p x → t x) (h : ∀ x, r x → p x) : ∃ x, t x := by
  sorry

theorem train_172 (a b c : Nat) : 5 + a * b = 5 + b * a := by
  sorry

theorem train_173 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f (xs)) = List.length xs := by
  sorry

theorem train_174 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = c) : op (g c) (g c) = op (g e) (g e) := by
  sorry

theorem train_175 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x → r x) (h : ∀ x, r x → q x) (k : ∀ x, q x → p x) : ∀ x, t x → p x := by
  sorry

theorem train_176 (a b c : Nat) : (c * b + 1) + 8 * b = b * 8 + (1 + c * b) := by
  sorry

theorem train_177 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : (([x] ++ []) ++ List.map f ([x])) = [x] ++ [f x] := by
  sorry

theorem train_178 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : e = d) : op (g d) (g d) = op (g e) (g e) := by
  sorry

theorem train_179 (α : Type) (p q r t : α → Prop) (e : α) (l : ∃ x, q x) (h : ∀ x, q x → p x) (k : ∀ x, p x → t x) : ∃ x, t x := by
  sorry

theorem train_180 (a b c : Nat) : c * a + ((c * 4 + 7 * b) + b * b) = (a * c + 7 * b) + (c * 4 + b * b) := by
  sorry

theorem train_181 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (List.map f ((zs ++ [])) ++ (List.map f (zs) ++ List.map f (zs))) = List.length zs + List.length zs + List.length zs := by
  sorry

theorem train_182 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : a = b) (h0 : d = b) : g (f d) = g (f a) := by
  sorry

theorem train_183 (a b c : Nat) : ((6 + c * b) + b) + c * c ≤ c * c + (b * c + (6 + b)) + 3 := by
  sorry

theorem train_184 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.map f (xs) = List.map f xs := by
  sorry

theorem train_185 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h1 : c = e) (h0 : e = a) : op a (f c) = op a (f a) := by
  sorry

theorem train_186 (α : Type) (p q r t : α → Prop) (e : α) (h : ∀ x, q x → p x) (l : ∀ x, q x) (k : ∀ x, p x → r x) : ∀ x, r x := by
  sorry

theorem train_187 (a b c : Nat) : (3 + a) + 6 = (6 + a) + 3 := by
  sorry

theorem train_188 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((List.map f (ys) ++ (xs ++ [x])) ++ ((ys ++ [x]) ++ List.map f (ys))) = List.length ys + List.length xs + 1 + List.length ys + 1 + List.length ys := by
  sorry

theorem train_189 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = b) (h2 : e = c) (h1 : b = e) : op (g d) (g d) = op (g c) (g c) := by
  sorry

theorem train_190 (α : Type) (p q r t : α → Prop) (e : α) (l : ¬ q e) (h : ∀ x, t x → q x) : ¬ t e := by
  sorry

theorem train_191 (a b c : Nat) : ((c * 6 + a * a) + 4 * a) + b * a = ((b * a + 4 * a) + c * 6) + a * a := by
  sorry

theorem train_192 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : ((zs ++ [x]) ++ ([] ++ [x])) = zs ++ [x] ++ [x] := by
  sorry

theorem train_193 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : d = e) : e = d := by
  sorry

theorem train_194 (α : Type) (p q r t : α → Prop) (e : α) (l : ∀ x, t x → q x) (k : ∀ x, p x → r x) (h : ∀ x, q x → p x) : ∀ x, t x → r x := by
  sorry

theorem train_195 (a b c : Nat) : a * 8 + (b + b) ≤ b + (a * 8 + b) + 2 := by
  sorry

theorem train_196 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length ((List.map f (ys) ++ (ys ++ xs)) ++ List.map f (([] ++ xs))) = List.length ys + List.length ys + List.length xs + List.length xs := by
  sorry

theorem train_197 (α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α) (h0 : a = e) : a = e := by
  sorry

theorem train_198 (a b c : Nat) : c * 7 + a * 8 = c * 7 + 8 * a := by
  sorry

theorem train_199 (α : Type) (f : α → α) (x : α) (xs ys zs : List α) : List.length (xs ++ xs) = List.length xs + List.length xs := by
  sorry
