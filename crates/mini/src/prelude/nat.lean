-- Numbers and their operations, each defined by recursion on its second argument.
inductive Nat : Type where
  | zero
  | succ (n : Nat)
def Nat.pred (n : Nat) : Nat := Nat.rec (motive := fun _ => Nat) Nat.zero (fun k _ => k) n
def Nat.add (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) n (fun _ ih => Nat.succ ih) m
def Nat.mul (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) Nat.zero (fun _ ih => Nat.add ih n) m
def Nat.pow (m n : Nat) : Nat := Nat.rec (motive := fun _ => Nat) (Nat.succ Nat.zero) (fun _ ih => Nat.mul ih m) n
def Nat.sub (n m : Nat) : Nat := Nat.rec (motive := fun _ => Nat) n (fun _ ih => Nat.pred ih) m

-- Zero and successor.
@[simp] theorem Nat.pred_zero : Nat.pred 0 = 0 := rfl
@[simp] theorem Nat.pred_succ (n : Nat) : Nat.pred (Nat.succ n) = n := rfl
theorem Nat.succ.inj {m n : Nat} (h : Nat.succ m = Nat.succ n) : m = n := congrArg Nat.pred h
@[simp] theorem Nat.succ.injEq (m n : Nat) : (Nat.succ m = Nat.succ n) = (m = n) :=
  propext ⟨fun h => Nat.succ.inj h, fun h => congrArg Nat.succ h⟩
theorem Nat.succ_inj {a b : Nat} : Nat.succ a = Nat.succ b ↔ a = b :=
  ⟨fun h => Nat.succ.inj h, fun h => congrArg Nat.succ h⟩
theorem Nat.add_one_inj {a b : Nat} : a + 1 = b + 1 ↔ a = b := Nat.succ_inj (a := a) (b := b)
@[simp] theorem Nat.succ_ne_zero (n : Nat) : n + 1 ≠ 0 :=
  fun h => @Eq.subst Nat (fun m => Nat.rec (motive := fun _ => Prop) False (fun _ _ => True) m) (n + 1) 0 h trivial
theorem Nat.add_one_ne_zero (n : Nat) : n + 1 ≠ 0 := Nat.succ_ne_zero n
@[simp] theorem Nat.zero_ne_add_one (n : Nat) : 0 ≠ n + 1 := fun h => Nat.succ_ne_zero n (Eq.symm h)
theorem Nat.one_ne_zero : 1 ≠ 0 := Nat.succ_ne_zero 0
theorem Nat.zero_ne_one : 0 ≠ 1 := Nat.zero_ne_add_one 0
theorem Nat.succ_ne_self (n : Nat) : Nat.succ n ≠ n :=
  Nat.rec (motive := fun n => Nat.succ n ≠ n) (Nat.succ_ne_zero 0) (fun _ ih h => ih (Nat.succ.inj h)) n
theorem Nat.succ_eq_add_one (n : Nat) : Nat.succ n = n + 1 := rfl
theorem Nat.add_one (n : Nat) : n + 1 = Nat.succ n := rfl
theorem Nat.eq_zero_or_eq_succ_pred (n : Nat) : n = 0 ∨ n = Nat.succ (Nat.pred n) :=
  Nat.rec (motive := fun n => n = 0 ∨ n = Nat.succ (Nat.pred n)) (Or.inl rfl) (fun _ _ => Or.inr rfl) n
theorem Nat.succ_pred {a : Nat} (h : a ≠ 0) : Nat.succ (Nat.pred a) = a :=
  Eq.symm (Or.resolve_left (Nat.eq_zero_or_eq_succ_pred a) h)
theorem Nat.exists_eq_succ_of_ne_zero {n : Nat} (h : n ≠ 0) : ∃ k, n = Nat.succ k :=
  Exists.intro (Nat.pred n) (Eq.symm (Nat.succ_pred h))
theorem Nat.exists_eq_add_one_of_ne_zero {n : Nat} (h : n ≠ 0) : ∃ k, n = k + 1 := Nat.exists_eq_succ_of_ne_zero h

-- Addition.
@[simp] theorem Nat.add_zero (n : Nat) : n + 0 = n := rfl
@[simp] theorem Nat.zero_add (n : Nat) : 0 + n = n :=
  Nat.rec (motive := fun n => 0 + n = n) rfl (fun _ ih => congrArg Nat.succ ih) n
theorem Nat.add_succ (n m : Nat) : n + Nat.succ m = Nat.succ (n + m) := rfl
theorem Nat.succ_add (n m : Nat) : Nat.succ n + m = Nat.succ (n + m) :=
  Nat.rec (motive := fun m => Nat.succ n + m = Nat.succ (n + m)) rfl (fun _ ih => congrArg Nat.succ ih) m
theorem Nat.add_comm (n m : Nat) : n + m = m + n :=
  Nat.rec (motive := fun m => n + m = m + n) (Eq.symm (Nat.zero_add n))
    (fun m ih => Eq.trans (congrArg Nat.succ ih) (Eq.symm (Nat.succ_add m n))) m
theorem Nat.add_assoc (n m k : Nat) : n + m + k = n + (m + k) :=
  Nat.rec (motive := fun k => n + m + k = n + (m + k)) rfl (fun _ ih => congrArg Nat.succ ih) k
theorem Nat.add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) :=
  Eq.trans (Eq.symm (Nat.add_assoc n m k))
    (Eq.trans (congrArg (fun x => x + k) (Nat.add_comm n m)) (Nat.add_assoc m n k))
theorem Nat.add_right_comm (n m k : Nat) : n + m + k = n + k + m :=
  Eq.trans (Nat.add_assoc n m k)
    (Eq.trans (congrArg (fun x => n + x) (Nat.add_comm m k)) (Eq.symm (Nat.add_assoc n k m)))
theorem Nat.add_add_add_comm (a b c d : Nat) : a + b + (c + d) = a + c + (b + d) :=
  Eq.trans (Nat.add_assoc a b (c + d))
    (Eq.trans (congrArg (fun x => a + x) (Nat.add_left_comm b c d)) (Eq.symm (Nat.add_assoc a c (b + d))))
theorem Nat.one_add (n : Nat) : 1 + n = Nat.succ n := Nat.add_comm 1 n
theorem Nat.succ_add_eq_add_succ (a b : Nat) : Nat.succ a + b = a + Nat.succ b := Nat.succ_add a b
theorem Nat.add_left_cancel {n m k : Nat} (h : n + m = n + k) : m = k :=
  Nat.rec (motive := fun n => n + m = n + k → m = k)
    (fun h => Eq.trans (Eq.symm (Nat.zero_add m)) (Eq.trans h (Nat.zero_add k)))
    (fun n ih h => ih (Nat.succ.inj (Eq.trans (Eq.symm (Nat.succ_add n m)) (Eq.trans h (Nat.succ_add n k))))) n h
theorem Nat.add_right_cancel {n m k : Nat} (h : n + m = k + m) : n = k :=
  Nat.add_left_cancel (Eq.trans (Nat.add_comm m n) (Eq.trans h (Nat.add_comm k m)))
@[simp] theorem Nat.add_left_cancel_iff {m k n : Nat} : n + m = n + k ↔ m = k :=
  ⟨fun h => Nat.add_left_cancel h, fun h => congrArg (fun x => n + x) h⟩
@[simp] theorem Nat.add_right_cancel_iff {m k n : Nat} : m + n = k + n ↔ m = k :=
  ⟨fun h => Nat.add_right_cancel h, fun h => congrArg (fun x => x + n) h⟩
theorem Nat.add_right_inj {m k n : Nat} : n + m = n + k ↔ m = k := Nat.add_left_cancel_iff
theorem Nat.add_left_inj {m k n : Nat} : m + n = k + n ↔ m = k := Nat.add_right_cancel_iff
@[simp] theorem Nat.add_eq_left {a b : Nat} : a + b = a ↔ b = 0 := Nat.add_left_cancel_iff (m := b) (k := 0) (n := a)
@[simp] theorem Nat.add_eq_right {a b : Nat} : a + b = b ↔ a = 0 :=
  ⟨fun h => Nat.add_right_cancel (Eq.trans h (Eq.symm (Nat.zero_add b))),
   fun h => Eq.trans (congrArg (fun x => x + b) h) (Nat.zero_add b)⟩
theorem Nat.eq_zero_of_add_eq_zero_left {n m : Nat} (h : n + m = 0) : m = 0 :=
  Or.elim (Nat.eq_zero_or_eq_succ_pred m) (fun e => e)
    (fun e => absurd (Eq.trans (congrArg (fun x => n + x) (Eq.symm e)) h) (Nat.succ_ne_zero (n + Nat.pred m)))
theorem Nat.eq_zero_of_add_eq_zero_right {n m : Nat} (h : n + m = 0) : n = 0 :=
  Nat.eq_zero_of_add_eq_zero_left (Eq.trans (Nat.add_comm m n) h)
theorem Nat.eq_zero_of_add_eq_zero {n m : Nat} (h : n + m = 0) : n = 0 ∧ m = 0 :=
  ⟨Nat.eq_zero_of_add_eq_zero_right h, Nat.eq_zero_of_add_eq_zero_left h⟩
@[simp] theorem Nat.add_eq_zero_iff {n m : Nat} : n + m = 0 ↔ n = 0 ∧ m = 0 :=
  ⟨fun h => Nat.eq_zero_of_add_eq_zero h,
   fun h => Eq.trans (congrArg (fun x => x + m) h.left) (Eq.trans (Nat.zero_add m) h.right)⟩

-- Multiplication.
@[simp] theorem Nat.mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem Nat.mul_succ (n m : Nat) : n * Nat.succ m = n * m + n := rfl
theorem Nat.mul_add_one (a b : Nat) : a * (b + 1) = a * b + a := rfl
@[simp] theorem Nat.zero_mul (n : Nat) : 0 * n = 0 := Nat.rec (motive := fun n => 0 * n = 0) rfl (fun _ ih => ih) n
theorem Nat.succ_mul (n m : Nat) : Nat.succ n * m = n * m + m :=
  Nat.rec (motive := fun m => Nat.succ n * m = n * m + m) rfl
    (fun m ih => congrArg Nat.succ (Eq.trans (congrArg (fun x => x + n) ih) (Nat.add_right_comm (n * m) m n))) m
theorem Nat.add_one_mul (a b : Nat) : (a + 1) * b = a * b + b := Nat.succ_mul a b
theorem Nat.mul_comm (n m : Nat) : n * m = m * n :=
  Nat.rec (motive := fun m => n * m = m * n) (Eq.symm (Nat.zero_mul n))
    (fun m ih => Eq.trans (congrArg (fun x => x + n) ih) (Eq.symm (Nat.succ_mul m n))) m
@[simp] theorem Nat.mul_one (n : Nat) : n * 1 = n := Nat.zero_add n
@[simp] theorem Nat.one_mul (n : Nat) : 1 * n = n := Eq.trans (Nat.mul_comm 1 n) (Nat.mul_one n)
theorem Nat.left_distrib (n m k : Nat) : n * (m + k) = n * m + n * k :=
  Nat.rec (motive := fun k => n * (m + k) = n * m + n * k) rfl
    (fun k ih => Eq.trans (congrArg (fun x => x + n) ih) (Nat.add_assoc (n * m) (n * k) n)) k
theorem Nat.right_distrib (n m k : Nat) : (n + m) * k = n * k + m * k :=
  Nat.rec (motive := fun k => (n + m) * k = n * k + m * k) rfl
    (fun k ih => Eq.trans (congrArg (fun x => x + (n + m)) ih) (Nat.add_add_add_comm (n * k) (m * k) n m)) k
theorem Nat.mul_add (n m k : Nat) : n * (m + k) = n * m + n * k := Nat.left_distrib n m k
theorem Nat.add_mul (n m k : Nat) : (n + m) * k = n * k + m * k := Nat.right_distrib n m k
theorem Nat.mul_assoc (n m k : Nat) : n * m * k = n * (m * k) :=
  Nat.rec (motive := fun k => n * m * k = n * (m * k)) rfl
    (fun k ih => Eq.trans (congrArg (fun x => x + n * m) ih) (Eq.symm (Nat.left_distrib n (m * k) m))) k
theorem Nat.mul_left_comm (n m k : Nat) : n * (m * k) = m * (n * k) :=
  Eq.trans (Eq.symm (Nat.mul_assoc n m k))
    (Eq.trans (congrArg (fun x => x * k) (Nat.mul_comm n m)) (Nat.mul_assoc m n k))
theorem Nat.mul_right_comm (n m k : Nat) : n * m * k = n * k * m :=
  Eq.trans (Nat.mul_assoc n m k)
    (Eq.trans (congrArg (fun x => n * x) (Nat.mul_comm m k)) (Eq.symm (Nat.mul_assoc n k m)))
theorem Nat.mul_mul_mul_comm (a b c d : Nat) : a * b * (c * d) = a * c * (b * d) :=
  Eq.trans (Nat.mul_assoc a b (c * d))
    (Eq.trans (congrArg (fun x => a * x) (Nat.mul_left_comm b c d)) (Eq.symm (Nat.mul_assoc a c (b * d))))
theorem Nat.two_mul (n : Nat) : 2 * n = n + n :=
  Eq.trans (Nat.succ_mul 1 n) (congrArg (fun x => x + n) (Nat.one_mul n))
theorem Nat.mul_two (n : Nat) : n * 2 = n + n := Eq.trans (Nat.mul_comm n 2) (Nat.two_mul n)
theorem Nat.eq_zero_of_mul_eq_zero {m n : Nat} (h : n * m = 0) : n = 0 ∨ m = 0 :=
  Or.imp_right
    (fun (e : n = Nat.succ (Nat.pred n)) => Nat.eq_zero_of_add_eq_zero_left
      (Eq.trans (Eq.symm (Nat.succ_mul (Nat.pred n) m)) (Eq.trans (congrArg (fun x => x * m) (Eq.symm e)) h)))
    (Nat.eq_zero_or_eq_succ_pred n)
@[simp] theorem Nat.mul_eq_zero {m n : Nat} : n * m = 0 ↔ n = 0 ∨ m = 0 :=
  ⟨fun h => Nat.eq_zero_of_mul_eq_zero h,
   fun h => Or.elim h (fun e => Eq.trans (congrArg (fun x => x * m) e) (Nat.zero_mul m))
     (fun e => congrArg (fun x => n * x) e)⟩

-- Powers.
@[simp] theorem Nat.pow_zero (b : Nat) : b ^ 0 = 1 := rfl
theorem Nat.pow_succ {b n : Nat} : b ^ (n + 1) = b ^ n * b := rfl
theorem Nat.pow_add_one {b n : Nat} : b ^ (n + 1) = b ^ n * b := rfl
theorem Nat.pow_succ' {m n : Nat} : m ^ Nat.succ n = m * m ^ n := Nat.mul_comm (m ^ n) m
@[simp] theorem Nat.pow_one (a : Nat) : a ^ 1 = a := Nat.one_mul a
theorem Nat.pow_two (b : Nat) : b ^ 2 = b * b := congrArg (fun x => x * b) (Nat.pow_one b)
@[simp] theorem Nat.one_pow (n : Nat) : 1 ^ n = 1 :=
  Nat.rec (motive := fun n => 1 ^ n = 1) rfl (fun n ih => Eq.trans (Nat.mul_one (1 ^ n)) ih) n
theorem Nat.pow_add (a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n :=
  Nat.rec (motive := fun n => a ^ (m + n) = a ^ m * a ^ n) (Eq.symm (Nat.mul_one (a ^ m)))
    (fun n ih => Eq.trans (congrArg (fun x => x * a) ih) (Nat.mul_assoc (a ^ m) (a ^ n) a)) n
theorem Nat.pow_mul (a m n : Nat) : a ^ (m * n) = (a ^ m) ^ n :=
  Nat.rec (motive := fun n => a ^ (m * n) = (a ^ m) ^ n) rfl
    (fun n ih => Eq.trans (Nat.pow_add a (m * n) m) (congrArg (fun x => x * a ^ m) ih)) n
theorem Nat.mul_pow (a b n : Nat) : (a * b) ^ n = a ^ n * b ^ n :=
  Nat.rec (motive := fun n => (a * b) ^ n = a ^ n * b ^ n) rfl
    (fun n ih => Eq.trans (congrArg (fun x => x * (a * b)) ih) (Nat.mul_mul_mul_comm (a ^ n) (b ^ n) a b)) n

-- Subtraction.
@[simp] theorem Nat.sub_zero (n : Nat) : n - 0 = n := rfl
theorem Nat.sub_succ (n m : Nat) : n - Nat.succ m = Nat.pred (n - m) := rfl
theorem Nat.sub_one (n : Nat) : n - 1 = Nat.pred n := rfl
theorem Nat.succ_sub_one (n : Nat) : Nat.succ n - 1 = n := rfl
@[simp] theorem Nat.add_one_sub_one (n : Nat) : n + 1 - 1 = n := rfl
@[simp] theorem Nat.zero_sub (n : Nat) : 0 - n = 0 :=
  Nat.rec (motive := fun n => 0 - n = 0) rfl (fun _ ih => congrArg Nat.pred ih) n
theorem Nat.succ_sub_succ (n m : Nat) : Nat.succ n - Nat.succ m = n - m :=
  Nat.rec (motive := fun m => Nat.succ n - Nat.succ m = n - m) rfl (fun _ ih => congrArg Nat.pred ih) m
theorem Nat.succ_sub_succ_eq_sub (n m : Nat) : Nat.succ n - Nat.succ m = n - m := Nat.succ_sub_succ n m
@[simp] theorem Nat.sub_self (n : Nat) : n - n = 0 :=
  Nat.rec (motive := fun n => n - n = 0) rfl (fun n ih => Eq.trans (Nat.succ_sub_succ n n) ih) n
@[simp] theorem Nat.add_sub_cancel (n m : Nat) : n + m - m = n :=
  Nat.rec (motive := fun m => n + m - m = n) rfl (fun m ih => Eq.trans (Nat.succ_sub_succ (n + m) m) ih) m
theorem Nat.add_sub_cancel_right (n m : Nat) : n + m - m = n := Nat.add_sub_cancel n m
@[simp] theorem Nat.add_sub_cancel_left (n m : Nat) : n + m - n = m :=
  Eq.trans (congrArg (fun x => x - n) (Nat.add_comm n m)) (Nat.add_sub_cancel m n)
@[simp] theorem Nat.add_sub_add_right (n k m : Nat) : n + k - (m + k) = n - m :=
  Nat.rec (motive := fun k => n + k - (m + k) = n - m) rfl
    (fun k ih => Eq.trans (Nat.succ_sub_succ (n + k) (m + k)) ih) k
@[simp] theorem Nat.add_sub_add_left (k n m : Nat) : k + n - (k + m) = n - m :=
  Eq.trans (congrArg (fun x => x - (k + m)) (Nat.add_comm k n))
    (Eq.trans (congrArg (fun x => n + k - x) (Nat.add_comm k m)) (Nat.add_sub_add_right n k m))
theorem Nat.sub_sub (n m k : Nat) : n - m - k = n - (m + k) :=
  Nat.rec (motive := fun k => n - m - k = n - (m + k)) rfl (fun _ ih => congrArg Nat.pred ih) k
theorem Nat.sub_add_eq (a b c : Nat) : a - (b + c) = a - b - c := Eq.symm (Nat.sub_sub a b c)
theorem Nat.sub_right_comm (m n k : Nat) : m - n - k = m - k - n :=
  Eq.trans (Nat.sub_sub m n k) (Eq.trans (congrArg (fun x => m - x) (Nat.add_comm n k)) (Nat.sub_add_eq m k n))
theorem Nat.sub_eq_of_eq_add {a b c : Nat} (h : a = c + b) : a - b = c :=
  Eq.trans (congrArg (fun x => x - b) h) (Nat.add_sub_cancel c b)
theorem Nat.pred_mul (n m : Nat) : Nat.pred n * m = n * m - m :=
  Nat.rec (motive := fun n => Nat.pred n * m = n * m - m)
    (Eq.trans (Nat.zero_mul m)
      (Eq.symm (Eq.trans (congrArg (fun x => x - m) (Nat.zero_mul m)) (Nat.zero_sub m))))
    (fun n _ => Eq.symm (Eq.trans (congrArg (fun x => x - m) (Nat.succ_mul n m)) (Nat.add_sub_cancel (n * m) m))) n
theorem Nat.sub_mul (n m k : Nat) : (n - m) * k = n * k - m * k :=
  Nat.rec (motive := fun m => (n - m) * k = n * k - m * k)
    (Eq.symm (congrArg (fun x => n * k - x) (Nat.zero_mul k)))
    (fun m ih => Eq.trans (Nat.pred_mul (n - m) k)
      (Eq.trans (congrArg (fun x => x - k) ih)
        (Eq.trans (Nat.sub_sub (n * k) (m * k) k) (congrArg (fun x => n * k - x) (Eq.symm (Nat.succ_mul m k)))))) m
theorem Nat.mul_sub (k m n : Nat) : k * (m - n) = k * m - k * n :=
  Eq.trans (Nat.mul_comm k (m - n))
    (Eq.trans (Nat.sub_mul m n k)
      (Eq.trans (congrArg (fun x => x - n * k) (Nat.mul_comm m k))
        (congrArg (fun x => k * m - x) (Nat.mul_comm n k))))
