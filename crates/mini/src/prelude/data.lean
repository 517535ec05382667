-- Pairs.
inductive Prod (α : Type u) (β : Type v) : Type (max u v) where
  | mk (fst : α) (snd : β)
def Prod.fst {α : Type u} {β : Type v} (self : α × β) : α := Prod.rec (motive := fun _ => α) (fun a _ => a) self
def Prod.snd {α : Type u} {β : Type v} (self : α × β) : β := Prod.rec (motive := fun _ => β) (fun _ b => b) self
@[simp] theorem Prod.fst_mk {α : Type u} {β : Type v} (a : α) (b : β) : Prod.fst (a, b) = a := rfl
@[simp] theorem Prod.snd_mk {α : Type u} {β : Type v} (a : α) (b : β) : Prod.snd (a, b) = b := rfl
@[simp] theorem Prod.mk.eta {α β : Type u} {p : α × β} : Prod.mk (Prod.fst p) (Prod.snd p) = p :=
  Prod.rec (motive := fun (q : α × β) => Prod.mk (Prod.fst q) (Prod.snd q) = q) (fun _ _ => rfl) p
theorem Prod.ext {α β : Type u} {p q : α × β} (fst : Prod.fst p = Prod.fst q) (snd : Prod.snd p = Prod.snd q) :
    p = q :=
  Eq.trans (Eq.symm (Prod.mk.eta (p := p)))
    (Eq.trans (congrArg (fun (x : α) => Prod.mk x (Prod.snd p)) fst)
      (Eq.trans (congrArg (fun (y : β) => Prod.mk (Prod.fst q) y) snd) (Prod.mk.eta (p := q))))
@[simp] theorem Prod.mk.injEq {α β : Type u} (a₁ : α) (b₁ : β) (a₂ : α) (b₂ : β) :
    (Prod.mk a₁ b₁ = Prod.mk a₂ b₂) = (a₁ = a₂ ∧ b₁ = b₂) :=
  propext ⟨fun h =>
      And.intro (congrArg (fun (p : α × β) => Prod.fst p) h) (congrArg (fun (p : α × β) => Prod.snd p) h),
    fun h =>
      Eq.trans (congrArg (fun (x : α) => Prod.mk x b₁) h.left) (congrArg (fun (y : β) => Prod.mk a₂ y) h.right)⟩
theorem Prod.exists {α β : Type u} {p : α × β → Prop} : (∃ x, p x) ↔ ∃ a b, p (Prod.mk a b) :=
  ⟨fun h => Exists.elim h (fun x => Prod.rec (motive := fun (y : α × β) => p y → ∃ a b, p (Prod.mk a b))
     (fun a b hp => Exists.intro a (Exists.intro b hp)) x),
   fun h => Exists.elim h (fun a x => Exists.elim x (fun b hp => Exists.intro (Prod.mk a b) hp))⟩
theorem Prod.forall {α β : Type u} {p : α × β → Prop} : (∀ x, p x) ↔ ∀ a b, p (Prod.mk a b) :=
  ⟨fun h a b => h (Prod.mk a b), fun h x => Prod.rec (motive := fun (y : α × β) => p y) h x⟩

-- Optional values.
inductive Option (α : Type u) : Type u where
  | none
  | some (val : α)
def Option.getD {α : Type u} (opt : Option α) (dflt : α) : α :=
  Option.rec (motive := fun _ => α) dflt (fun x => x) opt
def Option.map {α : Type u} {β : Type v} (f : α → β) (x : Option α) : Option β :=
  Option.rec (motive := fun _ => Option β) (Option.none (α := β)) (fun a => Option.some (f a)) x
@[simp] theorem Option.map_none {α β : Type u} (f : α → β) : Option.map f (Option.none (α := α)) = Option.none := rfl
@[simp] theorem Option.map_some {α β : Type u} (a : α) (f : α → β) :
    Option.map f (Option.some a) = Option.some (f a) := rfl
theorem Option.some.inj {α : Type u} {a b : α} (h : Option.some a = Option.some b) : a = b :=
  congrArg (fun (x : Option α) => Option.getD x a) h
@[simp] theorem Option.some.injEq {α : Type u} (a b : α) : (Option.some a = Option.some b) = (a = b) :=
  propext ⟨fun h => Option.some.inj h, fun h => congrArg (fun (x : α) => Option.some x) h⟩
@[simp] theorem Option.some_ne_none {α : Type u} (x : α) : Option.some x ≠ Option.none :=
  fun h => @Eq.subst (Option α) (fun o => Option.rec (motive := fun _ => Prop) False (fun _ => True) o)
    (Option.some x) (Option.none (α := α)) h trivial
theorem Option.eq_none_or_eq_some {α : Type u} (a : Option α) : a = Option.none ∨ ∃ x, a = Option.some x :=
  Option.rec (motive := fun (o : Option α) => o = Option.none ∨ ∃ x, o = Option.some x)
    (Or.inl rfl) (fun x => Or.inr (Exists.intro x rfl)) a

-- Truth values.
inductive Bool : Type where
  | false
  | true
def Bool.not (x : Bool) : Bool := Bool.rec (motive := fun _ => Bool) Bool.true Bool.false x
def Bool.and (x y : Bool) : Bool := Bool.rec (motive := fun _ => Bool) Bool.false y x
def Bool.or (x y : Bool) : Bool := Bool.rec (motive := fun _ => Bool) y Bool.true x
theorem Bool.true_ne_false : Bool.true ≠ Bool.false :=
  fun h => @Eq.subst Bool (fun b => Bool.rec (motive := fun _ => Prop) False True b) Bool.true Bool.false h trivial
theorem Bool.false_ne_true : Bool.false ≠ Bool.true := Ne.symm Bool.true_ne_false
theorem Bool.eq_false_or_eq_true (b : Bool) : b = Bool.true ∨ b = Bool.false :=
  Bool.rec (motive := fun b => b = Bool.true ∨ b = Bool.false) (Or.inr rfl) (Or.inl rfl) b
@[simp] theorem Bool.not_true : Bool.not Bool.true = Bool.false := rfl
@[simp] theorem Bool.not_false : Bool.not Bool.false = Bool.true := rfl
@[simp] theorem Bool.not_not (b : Bool) : Bool.not (Bool.not b) = b :=
  Bool.rec (motive := fun b => Bool.not (Bool.not b) = b) rfl rfl b
@[simp] theorem Bool.true_and (b : Bool) : Bool.and Bool.true b = b := rfl
@[simp] theorem Bool.false_and (b : Bool) : Bool.and Bool.false b = Bool.false := rfl
@[simp] theorem Bool.and_true (b : Bool) : Bool.and b Bool.true = b :=
  Bool.rec (motive := fun b => Bool.and b Bool.true = b) rfl rfl b
@[simp] theorem Bool.and_false (b : Bool) : Bool.and b Bool.false = Bool.false :=
  Bool.rec (motive := fun b => Bool.and b Bool.false = Bool.false) rfl rfl b
@[simp] theorem Bool.and_self (b : Bool) : Bool.and b b = b :=
  Bool.rec (motive := fun b => Bool.and b b = b) rfl rfl b
@[simp] theorem Bool.true_or (b : Bool) : Bool.or Bool.true b = Bool.true := rfl
@[simp] theorem Bool.false_or (b : Bool) : Bool.or Bool.false b = b := rfl
@[simp] theorem Bool.or_true (b : Bool) : Bool.or b Bool.true = Bool.true :=
  Bool.rec (motive := fun b => Bool.or b Bool.true = Bool.true) rfl rfl b
@[simp] theorem Bool.or_false (b : Bool) : Bool.or b Bool.false = b :=
  Bool.rec (motive := fun b => Bool.or b Bool.false = b) rfl rfl b
@[simp] theorem Bool.or_self (b : Bool) : Bool.or b b = b :=
  Bool.rec (motive := fun b => Bool.or b b = b) rfl rfl b
theorem Bool.and_comm (x y : Bool) : Bool.and x y = Bool.and y x :=
  Bool.rec (motive := fun x => Bool.and x y = Bool.and y x) (Eq.symm (Bool.and_false y)) (Eq.symm (Bool.and_true y)) x
theorem Bool.or_comm (x y : Bool) : Bool.or x y = Bool.or y x :=
  Bool.rec (motive := fun x => Bool.or x y = Bool.or y x) (Eq.symm (Bool.or_false y)) (Eq.symm (Bool.or_true y)) x
theorem Bool.and_assoc (x y z : Bool) : Bool.and (Bool.and x y) z = Bool.and x (Bool.and y z) :=
  Bool.rec (motive := fun x => Bool.and (Bool.and x y) z = Bool.and x (Bool.and y z)) rfl rfl x
theorem Bool.or_assoc (x y z : Bool) : Bool.or (Bool.or x y) z = Bool.or x (Bool.or y z) :=
  Bool.rec (motive := fun x => Bool.or (Bool.or x y) z = Bool.or x (Bool.or y z)) rfl rfl x
