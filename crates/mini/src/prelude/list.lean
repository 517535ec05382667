-- Lists. `List.reverse` appends at the end, where Lean accumulates: the same function, with other steps.
inductive List (α : Type u) : Type u where
  | nil
  | cons (head : α) (tail : List α)
def List.append {α : Type u} (xs ys : List α) : List α :=
  List.rec (motive := fun _ => List α) ys (fun a _ ih => List.cons a ih) xs
def List.length {α : Type u} (l : List α) : Nat :=
  List.rec (motive := fun _ => Nat) 0 (fun _ _ ih => ih + 1) l
def List.map {α : Type u} {β : Type v} (f : α → β) (l : List α) : List β :=
  List.rec (motive := fun _ => List β) (List.nil (α := β)) (fun a _ ih => List.cons (f a) ih) l
def List.reverse {α : Type u} (as : List α) : List α :=
  List.rec (motive := fun _ => List α) (List.nil (α := α)) (fun a _ ih => ih ++ [a]) as
def List.foldr {α : Type u} {β : Type v} (f : α → β → β) (init : β) (l : List α) : β :=
  List.rec (motive := fun _ => β) init (fun a _ ih => f a ih) l
def List.foldl {α : Type u} {β : Type v} (f : α → β → α) (init : α) (l : List β) : α :=
  List.rec (motive := fun _ => α → α) (fun a => a) (fun b _ ih a => ih (f a b)) l init
def List.replicate {α : Type u} (n : Nat) (a : α) : List α :=
  Nat.rec (motive := fun _ => List α) (List.nil (α := α)) (fun _ ih => List.cons a ih) n

-- Constructors differ, and their arguments are determined.
def List.headD {α : Type u} (as : List α) (fallback : α) : α :=
  List.rec (motive := fun _ => α) fallback (fun a _ _ => a) as
def List.tail {α : Type u} (as : List α) : List α :=
  List.rec (motive := fun _ => List α) (List.nil (α := α)) (fun _ t _ => t) as
@[simp] theorem List.cons_ne_nil {α : Type u} (a : α) (l : List α) : a :: l ≠ [] :=
  fun h => @Eq.subst (List α) (fun t => List.rec (motive := fun _ => Prop) False (fun _ _ _ => True) t)
    (List.cons a l) (List.nil (α := α)) h trivial
theorem List.cons.inj {α : Type u} {a b : α} {s t : List α} (h : a :: s = b :: t) : a = b ∧ s = t :=
  And.intro (congrArg (fun (l : List α) => List.headD l a) h) (congrArg (fun (l : List α) => List.tail l) h)
@[simp] theorem List.cons.injEq {α : Type u} (a : α) (s : List α) (b : α) (t : List α) :
    (a :: s = b :: t) = (a = b ∧ s = t) :=
  propext ⟨fun h => List.cons.inj h, fun h =>
    Eq.trans (congrArg (fun (x : α) => List.cons x s) h.left) (congrArg (fun (l : List α) => List.cons b l) h.right)⟩
theorem List.eq_nil_or_eq_cons {α : Type u} (l : List α) : l = [] ∨ ∃ a t, l = a :: t :=
  List.rec (motive := fun (l : List α) => l = [] ∨ ∃ a t, l = a :: t) (Or.inl rfl)
    (fun a t _ => Or.inr (Exists.intro a (Exists.intro t rfl))) l
theorem List.exists_cons_of_ne_nil {α : Type u} {l : List α} (h : l ≠ []) : ∃ b t, l = b :: t :=
  Or.resolve_left (List.eq_nil_or_eq_cons l) h

-- Appending.
@[simp] theorem List.nil_append {α : Type u} (as : List α) : [] ++ as = as := rfl
@[simp] theorem List.cons_append {α : Type u} {a : α} {as bs : List α} : a :: as ++ bs = a :: (as ++ bs) := rfl
@[simp] theorem List.append_nil {α : Type u} (as : List α) : as ++ [] = as :=
  List.rec (motive := fun (as : List α) => as ++ [] = as) rfl
    (fun a _ ih => congrArg (fun (l : List α) => List.cons a l) ih) as
@[simp] theorem List.append_assoc {α : Type u} (as bs cs : List α) : as ++ bs ++ cs = as ++ (bs ++ cs) :=
  List.rec (motive := fun (as : List α) => as ++ bs ++ cs = as ++ (bs ++ cs)) rfl
    (fun a _ ih => congrArg (fun (l : List α) => List.cons a l) ih) as
theorem List.append_cancel_left {α : Type u} {as bs cs : List α} (h : as ++ bs = as ++ cs) : bs = cs :=
  List.rec (motive := fun (as : List α) => as ++ bs = as ++ cs → bs = cs) (fun h => h)
    (fun _ _ ih h => ih (congrArg (fun (l : List α) => List.tail l) h)) as h
@[simp] theorem List.append_right_inj {α : Type u} {t₁ t₂ : List α} (s : List α) : s ++ t₁ = s ++ t₂ ↔ t₁ = t₂ :=
  ⟨fun h => List.append_cancel_left h, fun h => congrArg (fun (l : List α) => s ++ l) h⟩
@[simp] theorem List.append_eq_nil_iff {α : Type u} {p q : List α} : p ++ q = [] ↔ p = [] ∧ q = [] :=
  List.rec (motive := fun (p : List α) => p ++ q = [] ↔ p = [] ∧ q = [])
    ⟨fun h => And.intro rfl h, fun h => h.right⟩
    (fun a t _ => ⟨fun h => absurd h (List.cons_ne_nil a (t ++ q)),
      fun h => absurd h.left (List.cons_ne_nil a t)⟩) p
@[simp] theorem List.nil_eq_append_iff {α : Type u} {a b : List α} : [] = a ++ b ↔ a = [] ∧ b = [] :=
  Iff.trans eq_comm List.append_eq_nil_iff

-- Length.
@[simp] theorem List.length_nil {α : Type u} : List.length (List.nil (α := α)) = 0 := rfl
@[simp] theorem List.length_cons {α : Type u} {a : α} {as : List α} : List.length (a :: as) = List.length as + 1 := rfl
theorem List.length_singleton {α : Type u} {a : α} : List.length [a] = 1 := rfl
@[simp] theorem List.length_append {α : Type u} {as bs : List α} :
    List.length (as ++ bs) = List.length as + List.length bs :=
  List.rec (motive := fun (as : List α) => List.length (as ++ bs) = List.length as + List.length bs)
    (Eq.symm (Nat.zero_add (List.length bs)))
    (fun _ t ih => Eq.trans (congrArg Nat.succ ih) (Eq.symm (Nat.succ_add (List.length t) (List.length bs)))) as
theorem List.eq_nil_of_length_eq_zero {α : Type u} {l : List α} (h : List.length l = 0) : l = [] :=
  List.rec (motive := fun (l : List α) => List.length l = 0 → l = []) (fun _ => rfl)
    (fun _ t _ h => absurd h (Nat.succ_ne_zero (List.length t))) l h
@[simp] theorem List.length_eq_zero_iff {α : Type u} {l : List α} : List.length l = 0 ↔ l = [] :=
  ⟨fun h => List.eq_nil_of_length_eq_zero h, fun h => congrArg (fun (t : List α) => List.length t) h⟩
@[simp] theorem List.length_replicate {α : Type u} {n : Nat} {a : α} : List.length (List.replicate n a) = n :=
  Nat.rec (motive := fun n => List.length (List.replicate n a) = n) rfl (fun _ ih => congrArg Nat.succ ih) n
@[simp] theorem List.replicate_zero {α : Type u} {a : α} : List.replicate 0 a = [] := rfl
theorem List.replicate_succ {α : Type u} {n : Nat} {a : α} :
    List.replicate (n + 1) a = a :: List.replicate n a := rfl

-- Mapping and folding.
@[simp] theorem List.map_nil {α β : Type u} {f : α → β} : List.map f [] = [] := rfl
@[simp] theorem List.map_cons {α β : Type u} {f : α → β} {a : α} {l : List α} :
    List.map f (a :: l) = f a :: List.map f l := rfl
@[simp] theorem List.map_append {α β : Type u} {f : α → β} {l₁ l₂ : List α} :
    List.map f (l₁ ++ l₂) = List.map f l₁ ++ List.map f l₂ :=
  List.rec (motive := fun (l₁ : List α) => List.map f (l₁ ++ l₂) = List.map f l₁ ++ List.map f l₂) rfl
    (fun a _ ih => congrArg (fun (l : List β) => List.cons (f a) l) ih) l₁
@[simp] theorem List.map_map {α β γ : Type u} {g : β → γ} {f : α → β} {l : List α} :
    List.map g (List.map f l) = List.map (fun x => g (f x)) l :=
  List.rec (motive := fun (l : List α) => List.map g (List.map f l) = List.map (fun x => g (f x)) l) rfl
    (fun a _ ih => congrArg (fun (t : List γ) => List.cons (g (f a)) t) ih) l
@[simp] theorem List.map_id' {α : Type u} (l : List α) : List.map (fun (a : α) => a) l = l :=
  List.rec (motive := fun (l : List α) => List.map (fun (a : α) => a) l = l) rfl
    (fun a _ ih => congrArg (fun (t : List α) => List.cons a t) ih) l
@[simp] theorem List.map_eq_nil_iff {α β : Type u} {f : α → β} {l : List α} : List.map f l = [] ↔ l = [] :=
  List.rec (motive := fun (l : List α) => List.map f l = [] ↔ l = []) ⟨fun _ => rfl, fun _ => rfl⟩
    (fun a t _ => ⟨fun h => absurd h (List.cons_ne_nil (f a) (List.map f t)),
      fun h => absurd h (List.cons_ne_nil a t)⟩) l
@[simp] theorem List.length_map {α β : Type u} {as : List α} (f : α → β) :
    List.length (List.map f as) = List.length as :=
  List.rec (motive := fun (as : List α) => List.length (List.map f as) = List.length as) rfl
    (fun _ _ ih => congrArg Nat.succ ih) as
@[simp] theorem List.foldr_nil {α β : Type u} {f : α → β → β} {b : β} : List.foldr f b [] = b := rfl
@[simp] theorem List.foldr_cons {α β : Type u} {a : α} {l : List α} {f : α → β → β} {b : β} :
    List.foldr f b (a :: l) = f a (List.foldr f b l) := rfl
@[simp] theorem List.foldr_append {α β : Type u} {f : α → β → β} {b : β} {l l' : List α} :
    List.foldr f b (l ++ l') = List.foldr f (List.foldr f b l') l :=
  List.rec (motive := fun (l : List α) => List.foldr f b (l ++ l') = List.foldr f (List.foldr f b l') l) rfl
    (fun a _ ih => congrArg (fun (x : β) => f a x) ih) l
@[simp] theorem List.foldl_nil {α β : Type u} {f : α → β → α} {b : α} : List.foldl f b [] = b := rfl
@[simp] theorem List.foldl_cons {α β : Type u} {a : β} {l : List β} {f : α → β → α} {b : α} :
    List.foldl f b (a :: l) = List.foldl f (f b a) l := rfl

-- Reversing.
@[simp] theorem List.reverse_nil {α : Type u} : List.reverse (List.nil (α := α)) = [] := rfl
@[simp] theorem List.reverse_cons {α : Type u} {a : α} {as : List α} :
    List.reverse (a :: as) = List.reverse as ++ [a] := rfl
@[simp] theorem List.reverse_append {α : Type u} {as bs : List α} :
    List.reverse (as ++ bs) = List.reverse bs ++ List.reverse as :=
  List.rec (motive := fun (as : List α) => List.reverse (as ++ bs) = List.reverse bs ++ List.reverse as)
    (Eq.symm (List.append_nil (List.reverse bs)))
    (fun a t ih => Eq.trans (congrArg (fun (l : List α) => l ++ [a]) ih)
      (List.append_assoc (List.reverse bs) (List.reverse t) [a])) as
@[simp] theorem List.reverse_reverse {α : Type u} (as : List α) : List.reverse (List.reverse as) = as :=
  List.rec (motive := fun (as : List α) => List.reverse (List.reverse as) = as) rfl
    (fun a t ih => Eq.trans (List.reverse_append (as := List.reverse t) (bs := [a]))
      (congrArg (fun (l : List α) => List.cons a l) ih)) as
@[simp] theorem List.length_reverse {α : Type u} {as : List α} : List.length (List.reverse as) = List.length as :=
  List.rec (motive := fun (as : List α) => List.length (List.reverse as) = List.length as) rfl
    (fun a t ih => Eq.trans (List.length_append (as := List.reverse t) (bs := [a])) (congrArg Nat.succ ih)) as
theorem List.map_reverse {α β : Type u} {f : α → β} {l : List α} :
    List.map f (List.reverse l) = List.reverse (List.map f l) :=
  List.rec (motive := fun (l : List α) => List.map f (List.reverse l) = List.reverse (List.map f l)) rfl
    (fun a t ih => Eq.trans (List.map_append (f := f) (l₁ := List.reverse t) (l₂ := [a]))
      (congrArg (fun (s : List β) => s ++ [f a]) ih)) l
@[simp] theorem List.reverse_eq_nil_iff {α : Type u} {xs : List α} : List.reverse xs = [] ↔ xs = [] :=
  ⟨fun h => Eq.trans (Eq.symm (List.reverse_reverse xs)) (congrArg (fun (l : List α) => List.reverse l) h),
   fun h => congrArg (fun (l : List α) => List.reverse l) h⟩

-- Membership.
inductive List.Mem {α : Type u} (a : α) : List α → Prop where
  | head (as : List α) : List.Mem a (List.cons a as)
  | tail (b : α) {as : List α} : List.Mem a as → List.Mem a (List.cons b as)
theorem List.Mem.inv {α : Type u} {a : α} {l : List α} (h : List.Mem a l) :
    ∃ b t, l = b :: t ∧ (a = b ∨ List.Mem a t) :=
  @List.Mem.rec α a (fun l _ => ∃ b t, l = b :: t ∧ (a = b ∨ List.Mem a t))
    (fun as => Exists.intro a (Exists.intro as (And.intro rfl (Or.inl rfl))))
    (fun b {as} h _ => Exists.intro b (Exists.intro as (And.intro rfl (Or.inr h)))) l h
@[simp] theorem List.not_mem_nil {α : Type u} {a : α} : ¬List.Mem a [] :=
  fun h => Exists.elim (List.Mem.inv h) (fun b x => Exists.elim x
    (fun t y => List.cons_ne_nil b t (Eq.symm y.left)))
@[simp] theorem List.mem_cons {α : Type u} {a b : α} {l : List α} : List.Mem a (b :: l) ↔ a = b ∨ List.Mem a l :=
  ⟨fun h => Exists.elim (List.Mem.inv h) (fun c x => Exists.elim x (fun t y =>
     have e : b = c ∧ l = t := List.cons.inj y.left;
     Or.imp (fun (h₁ : a = c) => Eq.trans h₁ (Eq.symm e.left))
       (fun (h₁ : List.Mem a t) => Eq.subst (motive := fun (s : List α) => List.Mem a s) (Eq.symm e.right) h₁) y.right)),
   fun h => Or.elim h
     (fun e => Eq.subst (motive := fun (c : α) => List.Mem a (c :: l)) e (List.Mem.head (a := a) l))
     (fun x => List.Mem.tail b x)⟩
theorem List.mem_cons_self {α : Type u} {a : α} {l : List α} : List.Mem a (a :: l) := List.Mem.head (a := a) l
theorem List.mem_cons_of_mem {α : Type u} (y : α) {a : α} {l : List α} (h : List.Mem a l) : List.Mem a (y :: l) :=
  List.Mem.tail y h
theorem List.mem_singleton {α : Type u} {a b : α} : List.Mem a [b] ↔ a = b :=
  Iff.trans List.mem_cons (or_iff_left List.not_mem_nil)
@[simp] theorem List.mem_append {α : Type u} {a : α} {s t : List α} :
    List.Mem a (s ++ t) ↔ List.Mem a s ∨ List.Mem a t :=
  List.rec (motive := fun (s : List α) => List.Mem a (s ++ t) ↔ List.Mem a s ∨ List.Mem a t)
    (Iff.symm (or_iff_right List.not_mem_nil))
    (fun b u ih => Iff.trans (List.mem_cons (a := a) (b := b) (l := u ++ t))
      (Iff.trans (or_congr_right ih)
        (Iff.trans (Iff.symm or_assoc) (or_congr_left (Iff.symm (List.mem_cons (a := a) (b := b) (l := u))))))) s
@[simp] theorem List.mem_reverse {α : Type u} {a : α} {as : List α} : List.Mem a (List.reverse as) ↔ List.Mem a as :=
  List.rec (motive := fun (as : List α) => List.Mem a (List.reverse as) ↔ List.Mem a as) Iff.rfl
    (fun b t ih => Iff.trans (List.mem_append (a := a) (s := List.reverse t) (t := [b]))
      (Iff.trans (or_congr ih List.mem_singleton)
        (Iff.trans or_comm (Iff.symm (List.mem_cons (a := a) (b := b) (l := t)))))) as
