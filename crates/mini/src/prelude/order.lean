-- The order of numbers. `GE.ge` and `GT.gt` are the same with the sides exchanged.
inductive Nat.le (n : Nat) : Nat → Prop where
  | refl : Nat.le n n
  | step {m : Nat} : Nat.le n m → Nat.le n (Nat.succ m)
def Nat.lt (n m : Nat) : Prop := Nat.le (n + 1) m
@[reducible] def GE.ge (a b : Nat) : Prop := Nat.le b a
@[reducible] def GT.gt (a b : Nat) : Prop := Nat.lt b a
@[simp] theorem ge_iff_le {x y : Nat} : x ≥ y ↔ y ≤ x := Iff.rfl
@[simp] theorem gt_iff_lt {x y : Nat} : x > y ↔ y < x := Iff.rfl
@[simp] theorem Nat.le_refl (n : Nat) : n ≤ n := Nat.le.refl
theorem Nat.le_rfl {n : Nat} : n ≤ n := Nat.le.refl
theorem Nat.le_succ_of_le {n m : Nat} (h : n ≤ m) : n ≤ m + 1 := Nat.le.step (m := m) h
theorem Nat.le_step {n m : Nat} (h : n ≤ m) : n ≤ m + 1 := Nat.le_succ_of_le h
theorem Nat.le_induction {m : Nat} {P : (n : Nat) → m ≤ n → Prop} (base : P m (Nat.le_refl m))
    (succ : ∀ (n : Nat) (hmn : m ≤ n), P n hmn → P (n + 1) (Nat.le_succ_of_le hmn)) (n : Nat) (hmn : m ≤ n) :
    P n hmn :=
  @Nat.le.rec m P base (fun {n} h ih => succ n h ih) n hmn

-- At most.
theorem Nat.le_succ (n : Nat) : n ≤ n + 1 := Nat.le_succ_of_le (Nat.le_refl n)
theorem Nat.le_add_one (n : Nat) : n ≤ n + 1 := Nat.le_succ n
theorem Nat.le_trans {n m k : Nat} : n ≤ m → m ≤ k → n ≤ k := fun h₁ h₂ =>
  Nat.le_induction (P := fun k _ => n ≤ k) h₁ (fun _ _ ih => Nat.le_succ_of_le ih) k h₂
theorem Nat.le_of_eq {n m : Nat} (p : n = m) : n ≤ m := Eq.subst (motive := fun k => n ≤ k) p (Nat.le_refl n)
theorem Nat.ge_of_eq {n m : Nat} (h : n = m) : n ≥ m := Nat.le_of_eq (Eq.symm h)
@[simp] theorem Nat.zero_le (n : Nat) : 0 ≤ n :=
  Nat.rec (motive := fun n => 0 ≤ n) (Nat.le_refl 0) (fun n ih => Nat.le_succ_of_le (m := n) ih) n
theorem Nat.pred_le (n : Nat) : Nat.pred n ≤ n :=
  Nat.rec (motive := fun n => Nat.pred n ≤ n) (Nat.le_refl 0) (fun n _ => Nat.le_succ n) n
theorem Nat.pred_le_pred {n m : Nat} (h : n ≤ m) : Nat.pred n ≤ Nat.pred m :=
  Nat.le_induction (P := fun k _ => Nat.pred n ≤ Nat.pred k) (Nat.le_refl (Nat.pred n))
    (fun k _ ih => Nat.le_trans (m := Nat.pred k) (k := k) ih (Nat.pred_le k)) m h
theorem Nat.succ_le_succ {n m : Nat} (h : n ≤ m) : n + 1 ≤ m + 1 :=
  Nat.le_induction (P := fun k _ => n + 1 ≤ k + 1) (Nat.le_refl (n + 1))
    (fun k _ ih => Nat.le_succ_of_le (m := k + 1) ih) m h
theorem Nat.le_of_succ_le_succ {n m : Nat} (h : n + 1 ≤ m + 1) : n ≤ m :=
  Nat.pred_le_pred (n := n + 1) (m := m + 1) h
theorem Nat.succ_le_succ_iff {a b : Nat} : a + 1 ≤ b + 1 ↔ a ≤ b :=
  ⟨fun h => Nat.le_of_succ_le_succ (n := a) (m := b) h, fun h => Nat.succ_le_succ h⟩
theorem Nat.le_of_succ_le {n m : Nat} (h : n + 1 ≤ m) : n ≤ m := Nat.le_trans (Nat.le_succ n) h
theorem Nat.eq_zero_of_le_zero {n : Nat} (h : n ≤ 0) : n = 0 :=
  Nat.le_induction (P := fun k _ => k = 0 → n = 0) (fun e => e)
    (fun k _ _ e => absurd e (Nat.succ_ne_zero k)) 0 h rfl
theorem Nat.le_zero {n : Nat} : n ≤ 0 ↔ n = 0 := ⟨fun h => Nat.eq_zero_of_le_zero h, fun h => Nat.le_of_eq h⟩
@[simp] theorem Nat.le_zero_eq (a : Nat) : (a ≤ 0) = (a = 0) := propext Nat.le_zero
theorem Nat.not_succ_le_zero (n : Nat) : ¬n + 1 ≤ 0 := fun h => Nat.succ_ne_zero n (Nat.eq_zero_of_le_zero h)
@[simp] theorem Nat.not_succ_le_self (n : Nat) : ¬n + 1 ≤ n :=
  Nat.rec (motive := fun n => ¬n + 1 ≤ n) (Nat.not_succ_le_zero 0)
    (fun n ih h => ih (Nat.le_of_succ_le_succ (n := n + 1) (m := n) h)) n
theorem Nat.le_antisymm {n m : Nat} (h₁ : n ≤ m) (h₂ : m ≤ n) : n = m :=
  Nat.le_induction (P := fun k _ => k ≤ n → n = k) (fun _ => rfl)
    (fun k hk _ e => absurd (Nat.le_trans e hk) (Nat.not_succ_le_self k)) m h₁ h₂
theorem Nat.le_antisymm_iff {a b : Nat} : a = b ↔ a ≤ b ∧ b ≤ a :=
  ⟨fun h => ⟨Nat.le_of_eq h, Nat.le_of_eq (Eq.symm h)⟩, fun h => Nat.le_antisymm h.left h.right⟩

-- Less.
@[simp] theorem Nat.lt_irrefl (n : Nat) : ¬n < n := Nat.not_succ_le_self n
@[simp] theorem Nat.not_lt_zero (n : Nat) : ¬n < 0 := Nat.not_succ_le_zero n
theorem Nat.lt_of_lt_of_le {n m k : Nat} (h₁ : n < m) (h₂ : m ≤ k) : n < k :=
  Nat.le_trans (n := n + 1) (m := m) (k := k) h₁ h₂
theorem Nat.lt_of_le_of_lt {n m k : Nat} (h₁ : n ≤ m) (h₂ : m < k) : n < k :=
  Nat.le_trans (n := n + 1) (m := m + 1) (k := k) (Nat.succ_le_succ h₁) h₂
theorem Nat.le_of_lt {n m : Nat} (h : n < m) : n ≤ m := Nat.le_of_succ_le (n := n) (m := m) h
theorem Nat.lt_trans {n m k : Nat} (h₁ : n < m) (h₂ : m < k) : n < k := Nat.lt_of_lt_of_le h₁ (Nat.le_of_lt h₂)
theorem Nat.lt_of_lt_of_eq {n m k : Nat} (h₁ : n < m) (h₂ : m = k) : n < k :=
  Eq.subst (motive := fun x => n < x) h₂ h₁
theorem Nat.lt_of_succ_le {n m : Nat} (h : n + 1 ≤ m) : n < m := h
theorem Nat.succ_le_of_lt {n m : Nat} (h : n < m) : n + 1 ≤ m := h
theorem Nat.succ_le_iff {n m : Nat} : n + 1 ≤ m ↔ n < m := ⟨fun h => h, fun h => h⟩
theorem Nat.succ_le {n m : Nat} : n + 1 ≤ m ↔ n < m := ⟨fun h => h, fun h => h⟩
theorem Nat.add_one_le_iff {n m : Nat} : n + 1 ≤ m ↔ n < m := ⟨fun h => h, fun h => h⟩
theorem Nat.lt_iff_add_one_le {m n : Nat} : m < n ↔ m + 1 ≤ n := ⟨fun h => h, fun h => h⟩
theorem Nat.lt_succ_of_le {n m : Nat} (h : n ≤ m) : n < m + 1 := Nat.succ_le_succ h
theorem Nat.lt_add_one_of_le {n m : Nat} (h : n ≤ m) : n < m + 1 := Nat.succ_le_succ h
theorem Nat.le_of_lt_succ {m n : Nat} (h : m < n + 1) : m ≤ n := Nat.le_of_succ_le_succ (n := m) (m := n) h
theorem Nat.le_of_lt_add_one {m n : Nat} (h : m < n + 1) : m ≤ n := Nat.le_of_lt_succ h
theorem Nat.lt_succ_iff {m n : Nat} : m < n + 1 ↔ m ≤ n :=
  ⟨fun h => Nat.le_of_lt_succ h, fun h => Nat.lt_succ_of_le h⟩
theorem Nat.lt_add_one_iff {m n : Nat} : m < n + 1 ↔ m ≤ n := Nat.lt_succ_iff
theorem Nat.lt_succ_self (n : Nat) : n < n + 1 := Nat.le_refl (n + 1)
@[simp] theorem Nat.lt_add_one (n : Nat) : n < n + 1 := Nat.le_refl (n + 1)
theorem Nat.lt_succ_of_lt {a b : Nat} (h : a < b) : a < b + 1 := Nat.le_succ_of_le (n := a + 1) (m := b) h
theorem Nat.succ_lt_succ {n m : Nat} (h : n < m) : n + 1 < m + 1 := Nat.succ_le_succ (n := n + 1) (m := m) h
@[simp] theorem Nat.lt_one_iff {n : Nat} : n < 1 ↔ n = 0 :=
  ⟨fun h => Nat.eq_zero_of_le_zero (Nat.le_of_lt_succ h), fun h => Nat.lt_succ_of_le (Nat.le_of_eq h)⟩
theorem Nat.lt_of_succ_lt_succ {n m : Nat} (h : n + 1 < m + 1) : n < m :=
  Nat.le_of_succ_le_succ (n := n + 1) (m := m) h
theorem Nat.succ_lt_succ_iff {a b : Nat} : a + 1 < b + 1 ↔ a < b :=
  ⟨fun h => Nat.lt_of_succ_lt_succ (n := a) (m := b) h, fun h => Nat.succ_lt_succ h⟩
theorem Nat.lt_of_succ_lt {n m : Nat} (h : n + 1 < m) : n < m := Nat.le_of_lt (n := n + 1) (m := m) h
@[simp] theorem Nat.zero_lt_succ (n : Nat) : 0 < n + 1 := Nat.lt_succ_of_le (Nat.zero_le n)
theorem Nat.succ_pos (n : Nat) : 0 < n + 1 := Nat.zero_lt_succ n
theorem Nat.zero_lt_one : 0 < 1 := Nat.zero_lt_succ 0
theorem Nat.one_pos : 0 < 1 := Nat.zero_lt_succ 0
theorem Nat.two_pos : 0 < 2 := Nat.zero_lt_succ 1
theorem Nat.lt_asymm {a b : Nat} (h : a < b) : ¬b < a := fun h' => Nat.lt_irrefl a (Nat.lt_trans h h')
theorem Nat.ne_of_lt {a b : Nat} (h : a < b) : a ≠ b :=
  fun e => Nat.lt_irrefl b (Eq.subst (motive := fun x => x < b) e h)
theorem Nat.ne_of_gt {a b : Nat} (h : b < a) : a ≠ b := Ne.symm (Nat.ne_of_lt h)
theorem Nat.ne_of_lt' {a b : Nat} (h : a < b) : b ≠ a := Nat.ne_of_gt h

-- One of the two sides is at most the other.
theorem Nat.eq_or_lt_of_le {n m : Nat} (h : n ≤ m) : n = m ∨ n < m :=
  Nat.le_induction (P := fun k _ => n = k ∨ n < k) (Or.inl rfl)
    (fun _ hk _ => Or.inr (Nat.lt_succ_of_le hk)) m h
theorem Nat.lt_or_eq_of_le {n m : Nat} (h : n ≤ m) : n < m ∨ n = m := Or.symm (Nat.eq_or_lt_of_le h)
theorem Nat.le_iff_lt_or_eq {n m : Nat} : n ≤ m ↔ n < m ∨ n = m :=
  ⟨fun h => Nat.lt_or_eq_of_le h, fun h => Or.elim h (fun x => Nat.le_of_lt x) (fun x => Nat.le_of_eq x)⟩
theorem Nat.lt_of_le_of_ne {n m : Nat} (h₁ : n ≤ m) (h₂ : ¬n = m) : n < m :=
  Or.resolve_left (Nat.eq_or_lt_of_le h₁) h₂
theorem Nat.lt_iff_le_and_ne {m n : Nat} : m < n ↔ m ≤ n ∧ m ≠ n :=
  ⟨fun h => ⟨Nat.le_of_lt h, Nat.ne_of_lt h⟩, fun h => Nat.lt_of_le_of_ne h.left h.right⟩
theorem Nat.le_or_eq_of_le_succ {m n : Nat} (h : m ≤ n + 1) : m ≤ n ∨ m = n + 1 :=
  Or.imp_left (fun (x : m < n + 1) => Nat.le_of_lt_succ x) (Nat.lt_or_eq_of_le h)
theorem Nat.lt_or_ge (n m : Nat) : n < m ∨ n ≥ m :=
  Nat.rec (motive := fun m => n < m ∨ n ≥ m) (Or.inr (Nat.zero_le n))
    (fun m ih => Or.elim ih (fun h => Or.inl (Nat.lt_succ_of_lt (a := n) (b := m) h))
      (fun h => Or.elim (Nat.eq_or_lt_of_le h)
        (fun e => Or.inl (Nat.lt_succ_of_le (n := n) (m := m) (Nat.le_of_eq (Eq.symm e)))) (fun x => Or.inr x))) m
theorem Nat.le_total (m n : Nat) : m ≤ n ∨ n ≤ m := 
  Or.imp_left (fun (h : m < n) => Nat.le_of_lt h) (Nat.lt_or_ge m n)
theorem Nat.lt_trichotomy (a b : Nat) : a < b ∨ a = b ∨ b < a :=
  Or.imp_right (fun (h : b ≤ a) => Or.imp_left (fun (e : b = a) => Eq.symm e) (Nat.eq_or_lt_of_le h)) (Nat.lt_or_ge a b)
theorem Nat.lt_or_gt_of_ne {a b : Nat} (ne : a ≠ b) : a < b ∨ a > b :=
  Or.imp_right (fun (h : a = b ∨ b < a) => Or.resolve_left h ne) (Nat.lt_trichotomy a b)
theorem Nat.lt_or_lt_of_ne {a b : Nat} (h : a ≠ b) : a < b ∨ b < a := Nat.lt_or_gt_of_ne h
theorem Nat.ne_iff_lt_or_gt {a b : Nat} : a ≠ b ↔ a < b ∨ b < a :=
  ⟨fun h => Nat.lt_or_gt_of_ne h, fun h => Or.elim h (fun x => Nat.ne_of_lt x) (fun x => Nat.ne_of_gt x)⟩
theorem Nat.not_le_of_gt {n m : Nat} (h : n > m) : ¬n ≤ m := fun h' => Nat.lt_irrefl m (Nat.lt_of_lt_of_le h h')
theorem Nat.not_le_of_lt {a b : Nat} (h : a < b) : ¬b ≤ a := Nat.not_le_of_gt h
theorem Nat.not_lt_of_ge {a b : Nat} (h : b ≥ a) : ¬b < a := fun h' => Nat.lt_irrefl b (Nat.lt_of_lt_of_le h' h)
theorem Nat.not_lt_of_le {a b : Nat} (h : a ≤ b) : ¬b < a := Nat.not_lt_of_ge h
theorem Nat.not_lt_of_gt {a b : Nat} (h : a > b) : ¬a < b := Nat.lt_asymm (a := b) (b := a) h
theorem Nat.gt_of_not_le {n m : Nat} (h : ¬n ≤ m) : n > m := Or.resolve_right (Nat.lt_or_ge m n) h
theorem Nat.lt_of_not_ge {a b : Nat} (h : ¬b ≥ a) : b < a := Or.resolve_right (Nat.lt_or_ge b a) h
theorem Nat.lt_of_not_le {a b : Nat} (h : ¬a ≤ b) : b < a := Nat.gt_of_not_le h
theorem Nat.ge_of_not_lt {n m : Nat} (h : ¬n < m) : n ≥ m := Or.resolve_left (Nat.lt_or_ge n m) h
theorem Nat.le_of_not_lt {a b : Nat} (h : ¬a < b) : b ≤ a := Nat.ge_of_not_lt h
theorem Nat.le_of_not_gt {a b : Nat} (h : ¬b > a) : b ≤ a := Or.resolve_left (Nat.lt_or_ge a b) h
theorem Nat.le_of_not_le {a b : Nat} (h : ¬b ≤ a) : a ≤ b := Nat.le_of_lt (Nat.gt_of_not_le h)
theorem Nat.le_of_not_ge {a b : Nat} (h : ¬a ≥ b) : a ≤ b := Nat.le_of_lt (Nat.lt_of_not_ge h)
@[simp] theorem Nat.not_le {n m : Nat} : ¬n ≤ m ↔ m < n :=
  ⟨fun h => Nat.gt_of_not_le h, fun h => Nat.not_le_of_gt h⟩
@[simp] theorem Nat.not_lt {n m : Nat} : ¬n < m ↔ m ≤ n :=
  ⟨fun h => Nat.ge_of_not_lt h, fun h => Nat.not_lt_of_ge h⟩
theorem Nat.eq_zero_or_pos (n : Nat) : n = 0 ∨ 0 < n :=
  Or.imp_left (fun (e : 0 = n) => Eq.symm e) (Nat.eq_or_lt_of_le (Nat.zero_le n))
theorem Nat.pos_of_ne_zero {n : Nat} (h : n ≠ 0) : 0 < n := Or.resolve_left (Nat.eq_zero_or_pos n) h
theorem Nat.zero_lt_of_ne_zero {a : Nat} (h : a ≠ 0) : 0 < a := Nat.pos_of_ne_zero h
theorem Nat.zero_lt_of_lt {a b : Nat} (h : a < b) : 0 < b := Nat.lt_of_le_of_lt (Nat.zero_le a) h
theorem Nat.pos_iff_ne_zero {n : Nat} : 0 < n ↔ n ≠ 0 := ⟨fun h => Nat.ne_of_gt h, fun h => Nat.pos_of_ne_zero h⟩
theorem Nat.one_le_iff_ne_zero {n : Nat} : 1 ≤ n ↔ n ≠ 0 := Nat.pos_iff_ne_zero
theorem Nat.eq_zero_of_not_pos {n : Nat} (h : ¬0 < n) : n = 0 := Nat.eq_zero_of_le_zero (Nat.ge_of_not_lt h)
theorem Nat.strong_induction_on {p : Nat → Prop} (n : Nat) (h : ∀ n, (∀ m, m < n → p m) → p n) : p n :=
  h n (Nat.rec (motive := fun n => ∀ m, m < n → p m) (fun m hm => absurd hm (Nat.not_lt_zero m))
    (fun n ih m hm => h m (fun k hk => ih k (Nat.lt_of_lt_of_le hk (Nat.le_of_lt_succ (m := m) (n := n) hm)))) n)

-- Order and addition.
@[simp] theorem Nat.le_add_right (n k : Nat) : n ≤ n + k :=
  Nat.rec (motive := fun k => n ≤ n + k) (Nat.le_refl n) (fun k ih => Nat.le_succ_of_le (m := n + k) ih) k
@[simp] theorem Nat.le_add_left (n m : Nat) : n ≤ m + n :=
  Eq.subst (motive := fun x => n ≤ x) (Nat.add_comm n m) (Nat.le_add_right n m)
theorem Nat.le_add_right_of_le {n m k : Nat} (h : n ≤ m) : n ≤ m + k := Nat.le_trans h (Nat.le_add_right m k)
theorem Nat.le_add_left_of_le {n m k : Nat} (h : n ≤ m) : n ≤ k + m := Nat.le_trans h (Nat.le_add_left m k)
theorem Nat.lt_add_right {a b : Nat} (c : Nat) (h : a < b) : a < b + c := Nat.lt_of_lt_of_le h (Nat.le_add_right b c)
theorem Nat.lt_add_left {a b : Nat} (c : Nat) (h : a < b) : a < c + b := Nat.lt_of_lt_of_le h (Nat.le_add_left b c)
theorem Nat.le.dest {n m : Nat} (h : n ≤ m) : ∃ k, n + k = m :=
  Nat.le_induction (P := fun j _ => ∃ k, n + k = j) (Exists.intro 0 rfl)
    (fun _ _ ih => Exists.elim ih (fun k hk => Exists.intro (k + 1) (congrArg Nat.succ hk))) m h
theorem Nat.le.intro {n m k : Nat} (h : n + k = m) : n ≤ m :=
  Eq.subst (motive := fun x => n ≤ x) h (Nat.le_add_right n k)
theorem Nat.exists_eq_add_of_le {m n : Nat} (h : m ≤ n) : ∃ k, n = m + k :=
  Exists.elim (Nat.le.dest h) (fun k hk => Exists.intro k (Eq.symm hk))
theorem Nat.exists_eq_add_of_le' {m n : Nat} (h : m ≤ n) : ∃ k, n = k + m :=
  Exists.elim (Nat.le.dest h) (fun k hk => Exists.intro k (Eq.trans (Eq.symm hk) (Nat.add_comm m k)))
theorem Nat.exists_eq_add_of_lt {m n : Nat} (h : m < n) : ∃ k, n = m + k + 1 :=
  Exists.elim (Nat.le.dest (n := m + 1) (m := n) h)
    (fun k hk => Exists.intro k (Eq.trans (Eq.symm hk) (Nat.succ_add m k)))
theorem Nat.add_le_add_right {n m : Nat} (h : n ≤ m) (k : Nat) : n + k ≤ m + k :=
  Nat.rec (motive := fun k => n + k ≤ m + k) h (fun k ih => Nat.succ_le_succ (n := n + k) (m := m + k) ih) k
theorem Nat.add_le_add_left {n m : Nat} (h : n ≤ m) (k : Nat) : k + n ≤ k + m :=
  Nat.le_induction (P := fun j _ => k + n ≤ k + j) (Nat.le_refl (k + n))
    (fun j _ ih => Nat.le_succ_of_le (n := k + n) (m := k + j) ih) m h
theorem Nat.add_le_add {a b c d : Nat} (h₁ : a ≤ b) (h₂ : c ≤ d) : a + c ≤ b + d :=
  Nat.le_trans (Nat.add_le_add_right h₁ c) (Nat.add_le_add_left h₂ b)
theorem Nat.add_lt_add_left {n m : Nat} (h : n < m) (k : Nat) : k + n < k + m :=
  Nat.add_le_add_left (n := n + 1) (m := m) h k
theorem Nat.add_lt_add_right {n m : Nat} (h : n < m) (k : Nat) : n + k < m + k :=
  Eq.subst (motive := fun x => x ≤ m + k) (Nat.succ_add n k) (Nat.add_le_add_right (n := Nat.succ n) (m := m) h k)
theorem Nat.add_lt_add {a b c d : Nat} (h₁ : a < b) (h₂ : c < d) : a + c < b + d :=
  Nat.lt_trans (Nat.add_lt_add_right h₁ c) (Nat.add_lt_add_left h₂ b)
theorem Nat.add_lt_add_of_le_of_lt {a b c d : Nat} (hle : a ≤ b) (hlt : c < d) : a + c < b + d :=
  Nat.lt_of_le_of_lt (Nat.add_le_add_right hle c) (Nat.add_lt_add_left hlt b)
theorem Nat.add_lt_add_of_lt_of_le {a b c d : Nat} (hlt : a < b) (hle : c ≤ d) : a + c < b + d :=
  Nat.lt_of_lt_of_le (Nat.add_lt_add_right hlt c) (Nat.add_le_add_left hle b)
theorem Nat.lt_add_of_pos_right {n k : Nat} (h : 0 < k) : n < n + k := Nat.add_lt_add_left h n
theorem Nat.lt_add_of_pos_left {n k : Nat} (h : 0 < k) : n < k + n :=
  Nat.lt_of_lt_of_eq (Nat.lt_add_of_pos_right (n := n) h) (Nat.add_comm n k)
theorem Nat.le_of_add_le_add_right {a b c : Nat} (h : a + b ≤ c + b) : a ≤ c :=
  Nat.rec (motive := fun b => a + b ≤ c + b → a ≤ c) (fun h => h)
    (fun b ih h => ih (Nat.le_of_succ_le_succ (n := a + b) (m := c + b) h)) b h
theorem Nat.le_of_add_le_add_left {a b c : Nat} (h : a + b ≤ a + c) : b ≤ c :=
  Nat.le_of_add_le_add_right (a := b) (b := a) (c := c)
    (Nat.le_trans (Nat.le_of_eq (Nat.add_comm b a)) (Nat.le_trans h (Nat.le_of_eq (Nat.add_comm a c))))
@[simp] theorem Nat.add_le_add_iff_right {m k n : Nat} : m + n ≤ k + n ↔ m ≤ k :=
  ⟨fun h => Nat.le_of_add_le_add_right h, fun h => Nat.add_le_add_right h n⟩
@[simp] theorem Nat.add_le_add_iff_left {m k n : Nat} : n + m ≤ n + k ↔ m ≤ k :=
  ⟨fun h => Nat.le_of_add_le_add_left h, fun h => Nat.add_le_add_left h n⟩
theorem Nat.lt_of_add_lt_add_right {k m n : Nat} (h : k + n < m + n) : k < m :=
  Nat.le_of_add_le_add_right (a := Nat.succ k) (b := n) (c := m)
    (Eq.subst (motive := fun x => x ≤ m + n) (Eq.symm (Nat.succ_add k n)) h)
theorem Nat.lt_of_add_lt_add_left {k m n : Nat} (h : n + k < n + m) : k < m :=
  Nat.le_of_add_le_add_left (a := n) (b := k + 1) (c := m) h
@[simp] theorem Nat.lt_add_right_iff_pos {n k : Nat} : n < n + k ↔ 0 < k :=
  ⟨fun h => Nat.lt_of_add_lt_add_left (n := n) (k := 0) (m := k) h, fun h => Nat.lt_add_of_pos_right h⟩
@[simp] theorem Nat.lt_add_left_iff_pos {n k : Nat} : n < k + n ↔ 0 < k :=
  ⟨fun h => Nat.lt_of_add_lt_add_right (k := 0) (m := k) (n := n)
     (Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.zero_add n)) h), fun h => Nat.lt_add_of_pos_left h⟩
@[simp] theorem Nat.add_lt_add_iff_right {k n m : Nat} : n + k < m + k ↔ n < m :=
  ⟨fun h => Nat.lt_of_add_lt_add_right h, fun h => Nat.add_lt_add_right h k⟩
@[simp] theorem Nat.add_lt_add_iff_left {k n m : Nat} : k + n < k + m ↔ n < m :=
  ⟨fun h => Nat.lt_of_add_lt_add_left h, fun h => Nat.add_lt_add_left h k⟩
theorem Nat.add_pos_left {m : Nat} (h : 0 < m) (n : Nat) : 0 < m + n := Nat.lt_add_right n h
theorem Nat.add_pos_right {n : Nat} (m : Nat) (h : 0 < n) : 0 < m + n := Nat.lt_add_left m h

-- Order and multiplication.
theorem Nat.mul_le_mul_left {m n : Nat} (k : Nat) (h : m ≤ n) : k * m ≤ k * n :=
  Nat.le_induction (P := fun j _ => k * m ≤ k * j) (Nat.le_refl (k * m))
    (fun j _ ih => Nat.le_trans ih (Nat.le_add_right (k * j) k)) n h
theorem Nat.mul_le_mul_right {m n : Nat} (k : Nat) (h : m ≤ n) : m * k ≤ n * k :=
  Nat.rec (motive := fun k => m * k ≤ n * k) (Nat.le_refl 0)
    (fun k ih => Nat.add_le_add (a := m * k) (b := n * k) (c := m) (d := n) ih h) k
theorem Nat.mul_le_mul {p q m n : Nat} (h₁ : p ≤ m) (h₂ : q ≤ n) : p * q ≤ m * n :=
  Nat.le_trans (Nat.mul_le_mul_right q h₁) (Nat.mul_le_mul_left m h₂)
theorem Nat.mul_pos {n m : Nat} (ha : 0 < n) (hb : 0 < m) : 0 < n * m :=
  Nat.pos_of_ne_zero (fun h => Or.elim (Nat.eq_zero_of_mul_eq_zero h) (Nat.ne_of_gt ha) (Nat.ne_of_gt hb))
theorem Nat.mul_lt_mul_of_pos_left {n m k : Nat} (h : n < m) (hk : 0 < k) : k * n < k * m :=
  Nat.lt_of_lt_of_le (Nat.lt_add_of_pos_right (n := k * n) hk) (Nat.mul_le_mul_left (m := n + 1) (n := m) k h)
theorem Nat.mul_lt_mul_of_pos_right {n m k : Nat} (h : n < m) (hk : 0 < k) : n * k < m * k :=
  Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.mul_comm n k))
    (Nat.lt_of_lt_of_eq (Nat.mul_lt_mul_of_pos_left h hk) (Nat.mul_comm k m))
theorem Nat.le_of_mul_le_mul_left {a b c : Nat} (h : c * a ≤ c * b) (hc : 0 < c) : a ≤ b :=
  Nat.ge_of_not_lt (n := b) (m := a) (fun x => Nat.not_le_of_gt (Nat.mul_lt_mul_of_pos_left x hc) h)
theorem Nat.le_of_mul_le_mul_right {a b c : Nat} (h : a * c ≤ b * c) (hc : 0 < c) : a ≤ b :=
  Nat.ge_of_not_lt (n := b) (m := a) (fun x => Nat.not_le_of_gt (Nat.mul_lt_mul_of_pos_right x hc) h)
theorem Nat.lt_of_mul_lt_mul_left {a b c : Nat} (h : a * b < a * c) : b < c :=
  Nat.gt_of_not_le (n := c) (m := b) (fun x => Nat.not_lt_of_ge (Nat.mul_le_mul_left a x) h)
theorem Nat.eq_of_mul_eq_mul_left {m k n : Nat} (hn : 0 < n) (h : n * m = n * k) : m = k :=
  Nat.le_antisymm (Nat.le_of_mul_le_mul_left (Nat.le_of_eq h) hn)
    (Nat.le_of_mul_le_mul_left (Nat.le_of_eq (Eq.symm h)) hn)
theorem Nat.eq_of_mul_eq_mul_right {n m k : Nat} (hm : 0 < m) (h : n * m = k * m) : n = k :=
  Nat.eq_of_mul_eq_mul_left hm (Eq.trans (Nat.mul_comm m n) (Eq.trans h (Nat.mul_comm k m)))
theorem Nat.pow_pos {p : Nat} (hp : 0 < p) {n : Nat} : 0 < p ^ n :=
  Nat.rec (motive := fun n => 0 < p ^ n) Nat.zero_lt_one (fun n ih => Nat.mul_pos (n := p ^ n) (m := p) ih hp) n
theorem Nat.pow_le_pow_left {m n : Nat} (h : m ≤ n) (i : Nat) : m ^ i ≤ n ^ i :=
  Nat.rec (motive := fun i => m ^ i ≤ n ^ i) (Nat.le_refl 1)
    (fun i ih => Nat.mul_le_mul (p := m ^ i) (q := m) (m := n ^ i) (n := n) ih h) i
theorem Nat.pow_le_pow_right {n m i : Nat} (h : 0 < n) (hi : m ≤ i) : n ^ m ≤ n ^ i :=
  Nat.le_induction (P := fun j _ => n ^ m ≤ n ^ j) (Nat.le_refl (n ^ m))
    (fun j _ ih => Nat.le_trans ih
      (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.mul_one (n ^ j)))) (Nat.mul_le_mul_left (n ^ j) h))) i hi
theorem Nat.zero_pow {n : Nat} (H : 0 < n) : 0 ^ n = 0 :=
  Exists.elim (Nat.exists_eq_succ_of_ne_zero (Nat.ne_of_gt H)) (fun _ hk => congrArg (fun x => 0 ^ x) hk)

-- Order and subtraction.
theorem Nat.sub_le (n m : Nat) : n - m ≤ n :=
  Nat.rec (motive := fun m => n - m ≤ n) (Nat.le_refl n) (fun m ih => Nat.le_trans (Nat.pred_le (n - m)) ih) m
theorem Nat.sub_eq_zero_of_le {n m : Nat} (h : n ≤ m) : n - m = 0 :=
  Nat.le_induction (P := fun k _ => n - k = 0) (Nat.sub_self n) (fun _ _ ih => congrArg Nat.pred ih) m h
@[simp] theorem Nat.sub_add_cancel {n m : Nat} (h : m ≤ n) : n - m + m = n :=
  Exists.elim (Nat.le.dest h) (fun k hk => Eq.subst (motive := fun x => x - m + m = x) hk
    (Eq.trans (congrArg (fun x => x + m) (Nat.add_sub_cancel_left m k)) (Nat.add_comm k m)))
theorem Nat.add_sub_of_le {a b : Nat} (h : a ≤ b) : a + (b - a) = b :=
  Eq.trans (Nat.add_comm a (b - a)) (Nat.sub_add_cancel h)
theorem Nat.add_sub_assoc {m k : Nat} (h : k ≤ m) (n : Nat) : n + m - k = n + (m - k) :=
  Nat.sub_eq_of_eq_add (Eq.trans (congrArg (fun x => n + x) (Eq.symm (Nat.sub_add_cancel h)))
    (Eq.symm (Nat.add_assoc n (m - k) k)))
theorem Nat.sub_add_comm {n m k : Nat} (h : k ≤ n) : n + m - k = n - k + m :=
  Nat.sub_eq_of_eq_add (Eq.trans (congrArg (fun x => x + m) (Eq.symm (Nat.sub_add_cancel h)))
    (Nat.add_right_comm (n - k) k m))
theorem Nat.eq_add_of_sub_eq {a b c : Nat} (hle : b ≤ a) (h : a - b = c) : a = c + b :=
  Eq.trans (Eq.symm (Nat.sub_add_cancel hle)) (congrArg (fun x => x + b) h)
theorem Nat.sub_eq_iff_eq_add {a b c : Nat} (h : b ≤ a) : a - b = c ↔ a = c + b :=
  ⟨fun e => Nat.eq_add_of_sub_eq h e, fun e => Nat.sub_eq_of_eq_add e⟩
theorem Nat.sub_cases (a b : Nat) : b ≤ a ∧ a - b + b = a ∨ a < b ∧ a - b = 0 :=
  Or.elim (Nat.lt_or_ge a b) (fun h => Or.inr ⟨h, Nat.sub_eq_zero_of_le (Nat.le_of_lt h)⟩)
    (fun h => Or.inl ⟨h, Nat.sub_add_cancel h⟩)
theorem Nat.le_of_sub_eq_zero {n m : Nat} (h : n - m = 0) : n ≤ m :=
  Or.elim (Nat.le_total n m) (fun x => x)
    (fun x => Nat.le_of_eq (Eq.trans (Nat.eq_add_of_sub_eq x h) (Nat.zero_add m)))
theorem Nat.sub_eq_zero_iff_le {n m : Nat} : n - m = 0 ↔ n ≤ m :=
  ⟨fun h => Nat.le_of_sub_eq_zero h, fun h => Nat.sub_eq_zero_of_le h⟩
theorem Nat.sub_pos_of_lt {m n : Nat} (h : m < n) : 0 < n - m :=
  Nat.pos_of_ne_zero (fun e => Nat.not_le_of_gt h (Nat.le_of_sub_eq_zero e))
theorem Nat.sub_lt {n m : Nat} (hn : 0 < n) (hm : 0 < m) : n - m < n :=
  Or.elim (Nat.sub_cases n m)
    (fun h => Nat.lt_of_lt_of_eq (Nat.lt_add_of_pos_right (n := n - m) hm) h.right)
    (fun h => Eq.subst (motive := fun x => x < n) (Eq.symm h.right) hn)
theorem Nat.le_add_of_sub_le {a b c : Nat} (h : a - b ≤ c) : a ≤ c + b :=
  Or.elim (Nat.sub_cases a b)
    (fun x => Nat.le_trans (Nat.le_of_eq (Eq.symm x.right)) (Nat.add_le_add_right h b))
    (fun x => Nat.le_trans (Nat.le_of_lt x.left) (Nat.le_add_left b c))
theorem Nat.sub_le_of_le_add {a b c : Nat} (h : a ≤ c + b) : a - b ≤ c :=
  Or.elim (Nat.sub_cases a b)
    (fun x => Nat.le_of_add_le_add_right (a := a - b) (b := b) (c := c) (Nat.le_trans (Nat.le_of_eq x.right) h))
    (fun x => Nat.le_trans (Nat.le_of_eq x.right) (Nat.zero_le c))
@[simp] theorem Nat.sub_le_iff_le_add {a b c : Nat} : a - b ≤ c ↔ a ≤ c + b :=
  ⟨fun h => Nat.le_add_of_sub_le h, fun h => Nat.sub_le_of_le_add h⟩
theorem Nat.add_le_of_le_sub {a b c : Nat} (hle : b ≤ c) (h : a ≤ c - b) : a + b ≤ c :=
  Nat.le_trans (Nat.add_le_add_right h b) (Nat.le_of_eq (Nat.sub_add_cancel hle))
theorem Nat.le_sub_of_add_le {a b c : Nat} (h : a + b ≤ c) : a ≤ c - b :=
  Nat.le_of_add_le_add_right (a := a) (b := b) (c := c - b)
    (Nat.le_trans h (Nat.le_of_eq (Eq.symm (Nat.sub_add_cancel (Nat.le_trans (Nat.le_add_left b a) h)))))
theorem Nat.sub_le_sub_right {n m : Nat} (h : n ≤ m) (k : Nat) : n - k ≤ m - k :=
  Nat.rec (motive := fun k => n - k ≤ m - k) h (fun k ih => Nat.pred_le_pred (n := n - k) (m := m - k) ih) k
theorem Nat.sub_le_sub_left {n m : Nat} (h : n ≤ m) (k : Nat) : k - m ≤ k - n :=
  Nat.le_induction (P := fun j _ => k - j ≤ k - n) (Nat.le_refl (k - n))
    (fun j _ ih => Nat.le_trans (Nat.pred_le (k - j)) ih) m h

-- Divisibility.
def Dvd.dvd (a b : Nat) : Prop := ∃ c, b = a * c
theorem Dvd.intro {n m : Nat} (k : Nat) (h : n * k = m) : n ∣ m := Exists.intro k (Eq.symm h)
@[simp] theorem Nat.dvd_refl (a : Nat) : a ∣ a := Exists.intro 1 (Eq.symm (Nat.mul_one a))
@[simp] theorem Nat.dvd_zero (a : Nat) : a ∣ 0 := Exists.intro 0 rfl
theorem Nat.one_dvd (n : Nat) : 1 ∣ n := Exists.intro n (Eq.symm (Nat.one_mul n))
theorem Nat.dvd_mul_right (a b : Nat) : a ∣ a * b := Exists.intro b rfl
theorem Nat.dvd_mul_left (a b : Nat) : a ∣ b * a := Exists.intro b (Nat.mul_comm b a)
theorem Nat.dvd_trans {a b c : Nat} (h₁ : a ∣ b) (h₂ : b ∣ c) : a ∣ c :=
  Exists.elim h₁ (fun d hd => Exists.elim h₂ (fun e he => Exists.intro (d * e)
    (Eq.trans he (Eq.trans (congrArg (fun x => x * e) hd) (Nat.mul_assoc a d e)))))
theorem Nat.dvd_add {m n k : Nat} (h₁ : k ∣ m) (h₂ : k ∣ n) : k ∣ m + n :=
  Exists.elim h₁ (fun d hd => Exists.elim h₂ (fun e he => Exists.intro (d + e)
    (Eq.trans (congrArg (fun x => x + n) hd)
      (Eq.trans (congrArg (fun x => k * d + x) he) (Eq.symm (Nat.left_distrib k d e))))))
theorem Nat.dvd_mul_right_of_dvd {m n : Nat} (h : n ∣ m) (k : Nat) : n ∣ m * k :=
  Nat.dvd_trans h (Nat.dvd_mul_right m k)
theorem Nat.dvd_mul_left_of_dvd {m n : Nat} (h : n ∣ m) (k : Nat) : n ∣ k * m :=
  Nat.dvd_trans h (Nat.dvd_mul_left m k)
theorem Nat.mul_dvd_mul {a b c d : Nat} (h₁ : a ∣ b) (h₂ : c ∣ d) : a * c ∣ b * d :=
  Exists.elim h₁ (fun e he => Exists.elim h₂ (fun f hf => Exists.intro (e * f)
    (Eq.trans (congrArg (fun x => x * d) he)
      (Eq.trans (congrArg (fun x => a * e * x) hf) (Nat.mul_mul_mul_comm a e c f)))))
theorem Nat.eq_zero_of_zero_dvd {a : Nat} (h : 0 ∣ a) : a = 0 :=
  Exists.elim h (fun c hc => Eq.trans hc (Nat.zero_mul c))
@[simp] theorem Nat.zero_dvd {n : Nat} : 0 ∣ n ↔ n = 0 :=
  ⟨fun h => Nat.eq_zero_of_zero_dvd h, fun h => Exists.intro 0 h⟩
theorem Nat.pos_of_dvd_of_pos {m n : Nat} (H1 : m ∣ n) (H2 : 0 < n) : 0 < m :=
  Nat.pos_of_ne_zero (fun e => Nat.ne_of_gt H2
    (Nat.eq_zero_of_zero_dvd (Eq.subst (motive := fun x => x ∣ n) e H1)))
theorem Nat.le_of_dvd {m n : Nat} (h1 : 0 < n) (h : m ∣ n) : m ≤ n :=
  Exists.elim h (fun c hc => Or.elim (Nat.eq_zero_or_pos c)
    (fun e => absurd (Eq.trans hc (congrArg (fun x => m * x) e)) (Nat.ne_of_gt h1))
    (fun hp => Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.mul_one m)))
      (Nat.le_trans (Nat.mul_le_mul_left (m := 1) (n := c) m hp) (Nat.le_of_eq (Eq.symm hc)))))
theorem Nat.dvd_antisymm {m n : Nat} (h₁ : m ∣ n) (h₂ : n ∣ m) : m = n :=
  Or.elim (Nat.eq_zero_or_pos n)
    (fun e => Eq.trans (Nat.eq_zero_of_zero_dvd (Eq.subst (motive := fun x => x ∣ m) e h₂)) (Eq.symm e))
    (fun hn => Nat.le_antisymm (Nat.le_of_dvd hn h₁) (Nat.le_of_dvd (Nat.pos_of_dvd_of_pos h₁ hn) h₂))
theorem Nat.dvd_sub {k m n : Nat} (h₁ : k ∣ m) (h₂ : k ∣ n) : k ∣ m - n :=
  Exists.elim h₁ (fun d hd => Exists.elim h₂ (fun e he => Exists.intro (d - e)
    (Eq.trans (congrArg (fun x => x - n) hd)
      (Eq.trans (congrArg (fun x => k * d - x) he) (Eq.symm (Nat.mul_sub k d e))))))
theorem Nat.dvd_add_right {m k : Nat} (h : k ∣ m) {n : Nat} : k ∣ m + n ↔ k ∣ n :=
  ⟨fun x => Eq.subst (motive := fun y => k ∣ y) (Nat.add_sub_cancel_left m n) (Nat.dvd_sub x h),
   fun x => Nat.dvd_add h x⟩

-- For linear arithmetic: a common factor divides a bound, rounding down.
theorem Nat.Linear.tighten {k a b r : Nat} (hr : r < k) (h : k * a ≤ k * b + r) : a ≤ b :=
  Nat.le_of_lt_succ (Nat.lt_of_mul_lt_mul_left (a := k) (b := a) (c := b + 1)
    (Nat.lt_of_le_of_lt h (Nat.add_lt_add_left hr (k * b))))
