-- What `ring`, `omega` and `decide` build their proofs of.
-- A normal form is a sum `m₁ + (m₂ + … + c)` of products `x ^ e * (y ^ d * … * k)`, with literals `c` and `k`.
theorem Nat.Linear.atom (x : Nat) : x = x ^ 1 * 1 + 0 := Eq.symm (Eq.trans (Nat.mul_one (x ^ 1)) (Nat.pow_one x))
theorem Nat.Linear.plus_zero {a r : Nat} (h : a = r) : a = r + 0 := h
theorem Nat.Linear.succ_congr {a b c : Nat} (ha : a = b) (h : b + 1 = c) : Nat.succ a = c :=
  Eq.trans (congrArg Nat.succ ha) h
theorem Nat.Linear.add_congr {a b c d r : Nat} (ha : a = c) (hb : b = d) (h : c + d = r) : a + b = r :=
  Eq.trans (congrArg (fun x => x + b) ha) (Eq.trans (congrArg (fun x => c + x) hb) h)
theorem Nat.Linear.mul_congr {a b c d r : Nat} (ha : a = c) (hb : b = d) (h : c * d = r) : a * b = r :=
  Eq.trans (congrArg (fun x => x * b) ha) (Eq.trans (congrArg (fun x => c * x) hb) h)
theorem Nat.Linear.pow_congr {a b c d r : Nat} (ha : a = c) (hb : b = d) (h : c ^ d = r) : a ^ b = r :=
  Eq.trans (congrArg (fun x => x ^ b) ha) (Eq.trans (congrArg (fun x => c ^ x) hb) h)
theorem Nat.Linear.sub_congr {a b c d : Nat} (ha : a = c) (hb : b = d) : a - b = c - d :=
  Eq.trans (congrArg (fun x => x - b) ha) (congrArg (fun x => c - x) hb)
theorem Nat.Linear.add_lt {m p q r : Nat} (h : p + q = r) : m + p + q = m + r :=
  Eq.trans (Nat.add_assoc m p q) (congrArg (fun x => m + x) h)
theorem Nat.Linear.add_gt {m p q r : Nat} (h : p + q = r) : p + (m + q) = m + r :=
  Eq.trans (Nat.add_left_comm p m q) (congrArg (fun x => m + x) h)
theorem Nat.Linear.add_eq {m n o p q r : Nat} (h₁ : m + n = o) (h₂ : p + q = r) : m + p + (n + q) = o + r :=
  Eq.trans (Nat.add_add_add_comm m p n q)
    (Eq.trans (congrArg (fun x => x + (p + q)) h₁) (congrArg (fun x => o + x) h₂))
theorem Nat.Linear.product_add {f m n o : Nat} (h : m + n = o) : f * m + f * n = f * o :=
  Eq.trans (Eq.symm (Nat.left_distrib f m n)) (congrArg (fun x => f * x) h)
theorem Nat.Linear.mul_lt {f m n o : Nat} (h : m * n = o) : f * m * n = f * o :=
  Eq.trans (Nat.mul_assoc f m n) (congrArg (fun x => f * x) h)
theorem Nat.Linear.mul_gt {f m n o : Nat} (h : m * n = o) : m * (f * n) = f * o :=
  Eq.trans (Nat.mul_left_comm m f n) (congrArg (fun x => f * x) h)
theorem Nat.Linear.mul_eq {x d e g m n o : Nat} (hg : d + e = g) (h : m * n = o) :
    x ^ d * m * (x ^ e * n) = x ^ g * o :=
  Eq.trans (Nat.mul_mul_mul_comm (x ^ d) m (x ^ e) n)
    (Eq.trans (congrArg (fun y => x ^ d * x ^ e * y) h)
      (congrArg (fun y => y * o) (Eq.trans (Eq.symm (Nat.pow_add x d e)) (congrArg (fun y => x ^ y) hg))))
theorem Nat.Linear.product_times {m n q u v w : Nat} (h₁ : m * n = u) (h₂ : m * q = v) (h₃ : u + 0 + v = w) :
    m * (n + q) = w :=
  Eq.trans (Nat.left_distrib m n q)
    (Eq.trans (congrArg (fun x => x + m * q) h₁) (Eq.trans (congrArg (fun x => u + x) h₂) h₃))
theorem Nat.Linear.single_times {m q u : Nat} (h : m * q = u) : (m + 0) * q = u := h
theorem Nat.Linear.sum_times {m p q u v w : Nat} (h₁ : m * q = u) (h₂ : p * q = v) (h₃ : u + v = w) :
    (m + p) * q = w :=
  Eq.trans (Nat.right_distrib m p q)
    (Eq.trans (congrArg (fun x => x + p * q) h₁) (Eq.trans (congrArg (fun x => u + x) h₂) h₃))
theorem Nat.Linear.pow_product {f m e u v w : Nat} (h₁ : f ^ e = u) (h₂ : m ^ e = v) (h₃ : u * v = w) :
    (f * m) ^ e = w :=
  Eq.trans (Nat.mul_pow f m e) (Nat.Linear.mul_congr h₁ h₂ h₃)
theorem Nat.Linear.pow_pow {x d e g : Nat} (h : d * e = g) : (x ^ d) ^ e = x ^ g * 1 :=
  Eq.trans (Eq.symm (Nat.pow_mul x d e))
    (Eq.trans (congrArg (fun y => x ^ y) h) (Eq.symm (Nat.mul_one (x ^ g))))
theorem Nat.Linear.pow_single {m e r : Nat} (h : m ^ e = r) : (m + 0) ^ e = r + 0 := h
theorem Nat.Linear.pow_step {a n m b c : Nat} (hn : n + 1 = m) (h₁ : a ^ n = b) (h₂ : b * a = c) : a ^ m = c :=
  Eq.subst (motive := fun k => a ^ k = c) hn (Eq.trans (congrArg (fun x => x * a) h₁) h₂)
theorem Nat.Linear.pow_split {a d c e u v w : Nat} (h : d + c = e) (h₁ : a ^ d = u) (h₂ : a ^ c = v)
    (h₃ : u * v = w) : a ^ e = w :=
  Eq.subst (motive := fun k => a ^ k = w) h (Eq.trans (Nat.pow_add a d c) (Nat.Linear.mul_congr h₁ h₂ h₃))
theorem Nat.Linear.pow_atom (x e : Nat) : x ^ e = x ^ e * 1 + 0 := Eq.symm (Nat.mul_one (x ^ e))

-- Inequalities between normal forms.
theorem Nat.Linear.le_congr {a b c d : Nat} (ha : a = c) (hb : b = d) (h : a ≤ b) : c ≤ d :=
  Eq.subst (motive := fun x => c ≤ x) hb (Eq.subst (motive := fun x => x ≤ b) ha h)
theorem Nat.Linear.le_add {a b c d u v : Nat} (h₁ : a ≤ b) (h₂ : c ≤ d) (hu : a + c = u) (hv : b + d = v) : u ≤ v :=
  Nat.Linear.le_congr hu hv (Nat.add_le_add h₁ h₂)
theorem Nat.Linear.le_mul {k a b u v : Nat} (h : a ≤ b) (hu : k * a = u) (hv : k * b = v) : u ≤ v :=
  Nat.Linear.le_congr hu hv (Nat.mul_le_mul_left k h)
theorem Nat.Linear.impossible {a b s t : Nat} (h : a ≤ b) (h₁ : b + s = t) (h₂ : t + 1 = a) : False :=
  Nat.not_succ_le_self b (Nat.le_trans
    (Nat.succ_le_succ (n := b) (m := t) (Nat.le_trans (Nat.le_add_right b s) (Nat.le_of_eq h₁)))
    (Nat.le_trans (Nat.le_of_eq h₂) h))
theorem Nat.Linear.round {n m k r d a b u v t w : Nat} (h : n ≤ m) (hr : r + 1 + d = k) (hu : k * b = u)
    (hv : u + r = v) (h₁ : n + v = t) (hw : k * a = w) (h₂ : m + w = t) : a ≤ b :=
  Nat.Linear.tighten (k := k) (a := a) (b := b) (r := r) (Nat.le.intro (n := r + 1) (m := k) (k := d) hr)
    (Nat.Linear.le_congr (Eq.symm hw) (Eq.symm (Eq.trans (congrArg (fun x => x + r) hu) hv))
      (Nat.le_of_add_le_add_left (a := m) (b := w) (c := v)
        (Nat.le_trans (Nat.le_of_eq (Eq.trans h₂ (Eq.symm h₁))) (Nat.add_le_add_right h v))))

-- Facts that are decided: each holds or does not, without axioms.
theorem Nat.Linear.em_le (a b : Nat) : a ≤ b ∨ ¬a ≤ b :=
  Or.elim (Nat.lt_or_ge b a) (fun h => Or.inr (Nat.not_le_of_gt h)) (fun h => Or.inl h)
theorem Nat.Linear.em_lt (a b : Nat) : a < b ∨ ¬a < b := Nat.Linear.em_le (a + 1) b
theorem Nat.Linear.em_eq (a b : Nat) : a = b ∨ ¬a = b :=
  Or.elim (Nat.lt_or_ge a b) (fun h => Or.inr (Nat.ne_of_lt h))
    (fun (h : b ≤ a) => Or.elim (Nat.eq_or_lt_of_le h) (fun e => Or.inl (Eq.symm e)) (fun l => Or.inr (Nat.ne_of_gt l)))
theorem Nat.Linear.em_true : True ∨ ¬True := Or.inl trivial
theorem Nat.Linear.em_false : False ∨ ¬False := Or.inr not_false
theorem Nat.Linear.em_not {p : Prop} (h : p ∨ ¬p) : ¬p ∨ ¬¬p := Or.elim h (fun x => Or.inr (fun n => n x)) (fun n => Or.inl n)
theorem Nat.Linear.em_and {p q : Prop} (hp : p ∨ ¬p) (hq : q ∨ ¬q) : p ∧ q ∨ ¬(p ∧ q) :=
  Or.elim hp (fun x => Or.elim hq (fun y => Or.inl ⟨x, y⟩) (fun n => Or.inr (fun h => n h.right)))
    (fun n => Or.inr (fun h => n h.left))
theorem Nat.Linear.em_or {p q : Prop} (hp : p ∨ ¬p) (hq : q ∨ ¬q) : (p ∨ q) ∨ ¬(p ∨ q) :=
  Or.elim hp (fun x => Or.inl (Or.inl x)) (fun n => Or.elim hq (fun y => Or.inl (Or.inr y))
    (fun k => Or.inr (fun h => Or.elim h n k)))
theorem Nat.Linear.em_imp {p q : Prop} (hp : p ∨ ¬p) (hq : q ∨ ¬q) : (p → q) ∨ ¬(p → q) :=
  Or.elim hq (fun y => Or.inl (fun _ => y)) (fun k => Or.elim hp (fun x => Or.inr (fun f => k (f x)))
    (fun n => Or.inl (fun x => absurd x n)))
theorem Nat.Linear.em_iff {p q : Prop} (hp : p ∨ ¬p) (hq : q ∨ ¬q) : (p ↔ q) ∨ ¬(p ↔ q) :=
  Or.elim hp
    (fun x => Or.elim hq (fun y => Or.inl ⟨fun _ => y, fun _ => x⟩) (fun k => Or.inr (fun f => k (f.mp x))))
    (fun n => Or.elim hq (fun y => Or.inr (fun f => n (f.mpr y))) (fun k => Or.inl (iff_of_false n k)))
theorem Nat.Linear.or_of_imp {p q : Prop} (hp : p ∨ ¬p) (f : p → q) : ¬p ∨ q :=
  Or.elim hp (fun x => Or.inr (f x)) (fun n => Or.inl n)
theorem Nat.Linear.or_of_not_and {p q : Prop} (hp : p ∨ ¬p) (h : ¬(p ∧ q)) : ¬p ∨ ¬q :=
  Or.elim hp (fun x => Or.inr (fun y => h ⟨x, y⟩)) (fun n => Or.inl n)
theorem Nat.Linear.and_of_not_or {p q : Prop} (h : ¬(p ∨ q)) : ¬p ∧ ¬q :=
  ⟨fun x => h (Or.inl x), fun y => h (Or.inr y)⟩
theorem Nat.Linear.and_of_not_imp {p q : Prop} (hp : p ∨ ¬p) (h : ¬(p → q)) : p ∧ ¬q :=
  ⟨Or.elim hp (fun x => x) (fun n => False.elim (h (fun x => absurd x n))), fun y => h (fun _ => y)⟩
theorem Nat.Linear.imp_not_of_not_iff {p q : Prop} (h : ¬(p ↔ q)) : p → ¬q := fun x y => h ⟨fun _ => y, fun _ => x⟩
theorem Nat.Linear.not_imp_of_not_iff {p q : Prop} (hq : q ∨ ¬q) (h : ¬(p ↔ q)) : ¬p → q :=
  fun n => Or.elim hq (fun y => y) (fun k => False.elim (h (iff_of_false n k)))

-- Numbers and bounded quantifiers.
theorem Nat.Linear.not_le {a b d : Nat} (h : b + 1 + d = a) : ¬a ≤ b :=
  Nat.not_le_of_gt (Nat.le.intro (n := b + 1) (m := a) (k := d) h)
theorem Nat.Linear.ne_of_less {a b d : Nat} (h : a + 1 + d = b) : a ≠ b :=
  Nat.ne_of_lt (a := a) (b := b) (Nat.le.intro (n := a + 1) (m := b) (k := d) h)
theorem Nat.Linear.sub_eq {a b c : Nat} (h : c + b = a) : a - b = c := Nat.sub_eq_of_eq_add (Eq.symm h)
theorem Nat.Linear.sub_zero {a b d : Nat} (h : a + d = b) : a - b = 0 := Nat.sub_eq_zero_of_le (Nat.le.intro h)
theorem Nat.Linear.forall_zero (p : Nat → Prop) : ∀ x, x < 0 → p x := fun x h => absurd h (Nat.not_lt_zero x)
theorem Nat.Linear.forall_succ {p : Nat → Prop} {n m : Nat} (hm : n + 1 = m) (h : ∀ x, x < n → p x) (hn : p n) :
    ∀ x, x < m → p x :=
  Eq.subst (motive := fun k => ∀ x, x < k → p x) hm (fun x hx =>
    Or.elim (Nat.eq_or_lt_of_le (Nat.le_of_lt_succ (m := x) (n := n) hx))
      (fun e => Eq.subst (motive := p) (Eq.symm e) hn) (fun l => h x l))
theorem Nat.Linear.not_exists {p : Nat → Prop} {n : Nat} (h : ∀ x, x < n → ¬p x) : ¬∃ x, x < n ∧ p x :=
  fun e => Exists.elim e (fun x hx => h x hx.left hx.right)
