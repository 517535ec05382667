-- Truth and falsity.
inductive False : Prop
inductive True : Prop where
  | intro
def False.elim {C : Sort u} (h : False) : C := False.rec (motive := fun _ => C) h
theorem trivial : True := True.intro
def id {α : Sort u} (a : α) : α := a

-- Negation.
def Not (a : Prop) : Prop := a → False
def absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : ¬a) : b := False.elim (h₂ h₁)
theorem mt {a b : Prop} (h₁ : a → b) (h₂ : ¬b) : ¬a := fun ha => h₂ (h₁ ha)
theorem not_false : ¬False := fun h => h
theorem not_not_intro {p : Prop} (h : p) : ¬¬p := fun hn => hn h
def Not.elim {a : Prop} {α : Sort u} (H1 : ¬a) (H2 : a) : α := absurd H2 H1

-- Equality.
inductive Eq {α : Sort u} (a : α) : α → Prop where
  | refl : Eq a a
theorem rfl {α : Sort u} {a : α} : a = a := Eq.refl a
theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : a = b) (h₂ : motive a) : motive b :=
  Eq.rec (motive := fun (x : α) _ => motive x) h₂ h₁
theorem Eq.symm {α : Sort u} {a b : α} (h : a = b) : b = a :=
  Eq.subst (motive := fun (x : α) => x = a) h rfl
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : a = b) (h₂ : b = c) : a = c :=
  Eq.subst (motive := fun (x : α) => a = x) h₂ h₁
theorem Eq.substr {α : Sort u} {p : α → Prop} {a b : α} (h₁ : b = a) (h₂ : p a) : p b :=
  Eq.subst (motive := p) (Eq.symm h₁) h₂
theorem Eq.mp {α β : Prop} (h : α = β) (a : α) : β := Eq.subst (motive := fun (x : Prop) => x) h a
theorem Eq.mpr {α β : Prop} (h : α = β) (b : β) : α := Eq.mp (Eq.symm h) b
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : a₁ = a₂) : f a₁ = f a₂ :=
  Eq.subst (motive := fun (x : α) => f a₁ = f x) h rfl
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : f = g) (a : α) : f a = g a :=
  Eq.subst (motive := fun (k : (x : α) → β x) => f a = k a) h rfl
theorem congr {α : Sort u} {β : Sort v} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : f₁ = f₂) (h₂ : a₁ = a₂) :
    f₁ a₁ = f₂ a₂ :=
  Eq.subst (motive := fun (k : α → β) => f₁ a₁ = k a₂) h₁ (congrArg f₁ h₂)

-- Inequality.
@[reducible] def Ne {α : Sort u} (a b : α) : Prop := ¬(a = b)
theorem Ne.intro {α : Sort u} {a b : α} (h : a = b → False) : a ≠ b := h
theorem Ne.elim {α : Sort u} {a b : α} (h : a ≠ b) : a = b → False := h
theorem Ne.irrefl {α : Sort u} {a : α} (h : a ≠ a) : False := h rfl
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun h₁ => h (Eq.symm h₁)
theorem false_of_ne {α : Sort u} {a : α} (h : a ≠ a) : False := h rfl
theorem ne_of_eq_of_ne {α : Sort u} {a b c : α} (h₁ : a = b) (h₂ : b ≠ c) : a ≠ c :=
  fun h => h₂ (Eq.trans (Eq.symm h₁) h)
theorem ne_of_ne_of_eq {α : Sort u} {a b c : α} (h₁ : a ≠ b) (h₂ : b = c) : a ≠ c :=
  fun h => h₁ (Eq.trans h (Eq.symm h₂))

-- Conjunction.
inductive And (a b : Prop) : Prop where
  | intro (left : a) (right : b)
theorem And.left {a b : Prop} (self : a ∧ b) : a := And.rec (motive := fun _ => a) (fun ha _ => ha) self
theorem And.right {a b : Prop} (self : a ∧ b) : b := And.rec (motive := fun _ => b) (fun _ hb => hb) self
theorem And.symm {a b : Prop} (h : a ∧ b) : b ∧ a := ⟨h.right, h.left⟩
theorem And.imp {a b c d : Prop} (f : a → c) (g : b → d) (h : a ∧ b) : c ∧ d := ⟨f h.left, g h.right⟩
theorem And.imp_left {a b c : Prop} (h : a → b) (hac : a ∧ c) : b ∧ c := ⟨h hac.left, hac.right⟩
theorem And.imp_right {a b c : Prop} (h : a → b) (hca : c ∧ a) : c ∧ b := ⟨hca.left, h hca.right⟩

-- Disjunction.
inductive Or (a b : Prop) : Prop where
  | inl (h : a)
  | inr (h : b)
theorem Or.elim {a b c : Prop} (h : a ∨ b) (left : a → c) (right : b → c) : c :=
  Or.rec (motive := fun _ => c) left right h
theorem Or.symm {a b : Prop} (h : a ∨ b) : b ∨ a := Or.elim h (fun ha => Or.inr ha) (fun hb => Or.inl hb)
theorem Or.intro_left {a : Prop} (b : Prop) (h : a) : a ∨ b := Or.inl h
theorem Or.intro_right {b : Prop} (a : Prop) (h : b) : a ∨ b := Or.inr h
theorem Or.imp {a b c d : Prop} (f : a → c) (g : b → d) (h : a ∨ b) : c ∨ d :=
  Or.elim h (fun ha => Or.inl (f ha)) (fun hb => Or.inr (g hb))
theorem Or.imp_left {a b c : Prop} (f : a → b) (h : a ∨ c) : b ∨ c :=
  Or.elim h (fun ha => Or.inl (f ha)) (fun hc => Or.inr hc)
theorem Or.imp_right {a b c : Prop} (f : b → c) (h : a ∨ b) : a ∨ c :=
  Or.elim h (fun ha => Or.inl ha) (fun hb => Or.inr (f hb))
theorem Or.resolve_left {a b : Prop} (h : a ∨ b) (na : ¬a) : b :=
  Or.elim h (fun ha => absurd ha na) (fun hb => hb)
theorem Or.resolve_right {a b : Prop} (h : a ∨ b) (nb : ¬b) : a :=
  Or.elim h (fun ha => ha) (fun hb => absurd hb nb)
theorem Or.neg_resolve_left {a b : Prop} (h : ¬a ∨ b) (ha : a) : b :=
  Or.elim h (fun hna => absurd ha hna) (fun hb => hb)

-- Equivalence.
inductive Iff (a b : Prop) : Prop where
  | intro (mp : a → b) (mpr : b → a)
theorem Iff.mp {a b : Prop} (self : a ↔ b) : a → b := Iff.rec (motive := fun _ => a → b) (fun h _ => h) self
theorem Iff.mpr {a b : Prop} (self : a ↔ b) : b → a := Iff.rec (motive := fun _ => b → a) (fun _ h => h) self
theorem Iff.refl (a : Prop) : a ↔ a := ⟨fun h => h, fun h => h⟩
theorem Iff.rfl {a : Prop} : a ↔ a := Iff.refl a
theorem Iff.symm {a b : Prop} (h : a ↔ b) : b ↔ a := ⟨h.mpr, h.mp⟩
theorem Iff.trans {a b c : Prop} (h₁ : a ↔ b) (h₂ : b ↔ c) : a ↔ c :=
  ⟨fun ha => h₂.mp (h₁.mp ha), fun hc => h₁.mpr (h₂.mpr hc)⟩
theorem Iff.of_eq {a b : Prop} (h : a = b) : a ↔ b := ⟨fun ha => Eq.mp h ha, fun hb => Eq.mpr h hb⟩
theorem iff_of_eq {a b : Prop} (h : a = b) : a ↔ b := Iff.of_eq h
theorem iff_of_true {a b : Prop} (ha : a) (hb : b) : a ↔ b := ⟨fun _ => hb, fun _ => ha⟩
theorem iff_of_false {a b : Prop} (ha : ¬a) (hb : ¬b) : a ↔ b := ⟨fun h => absurd h ha, fun h => absurd h hb⟩
theorem iff_true_intro {a : Prop} (h : a) : a ↔ True := ⟨fun _ => trivial, fun _ => h⟩
theorem iff_false_intro {a : Prop} (h : ¬a) : a ↔ False := ⟨h, fun hf => False.elim hf⟩
theorem Iff.comm {a b : Prop} : (a ↔ b) ↔ (b ↔ a) := ⟨Iff.symm, Iff.symm⟩
theorem iff_comm {a b : Prop} : (a ↔ b) ↔ (b ↔ a) := ⟨Iff.symm, Iff.symm⟩
theorem iff_iff_implies_and_implies {a b : Prop} : (a ↔ b) ↔ (a → b) ∧ (b → a) :=
  ⟨fun h => ⟨h.mp, h.mpr⟩, fun h => ⟨h.left, h.right⟩⟩
theorem iff_def {a b : Prop} : (a ↔ b) ↔ (a → b) ∧ (b → a) := iff_iff_implies_and_implies

-- Existence.
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w)
theorem Exists.elim {α : Sort u} {p : α → Prop} {b : Prop} (h₁ : ∃ x, p x) (h₂ : ∀ (a : α), p a → b) : b :=
  Exists.rec (motive := fun _ => b) h₂ h₁
theorem Exists.imp {α : Sort u} {p q : α → Prop} (h : ∀ (a : α), p a → q a) (hp : ∃ a, p a) : ∃ a, q a :=
  Exists.elim hp (fun a ha => Exists.intro a (h a ha))

-- Equal propositions and functions, and the excluded middle.
axiom propext {a b : Prop} : (a ↔ b) → a = b
axiom funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, f x = g x) : f = g
axiom Classical.em (p : Prop) : p ∨ ¬p
theorem Eq.propIntro {a b : Prop} (h₁ : a → b) (h₂ : b → a) : a = b := propext ⟨h₁, h₂⟩
theorem Eq.to_iff {a b : Prop} (h : a = b) : a ↔ b := Iff.of_eq h
@[simp] theorem eq_iff_iff {p q : Prop} : p = q ↔ (p ↔ q) := ⟨Iff.of_eq, propext⟩
theorem eq_comm {α : Sort u} {a b : α} : a = b ↔ b = a := ⟨Eq.symm, Eq.symm⟩
theorem ne_comm {α : Sort u} {a b : α} : a ≠ b ↔ b ≠ a := ⟨Ne.symm, Ne.symm⟩
theorem eq_true {p : Prop} (h : p) : p = True := propext (iff_true_intro h)
theorem eq_false {p : Prop} (h : ¬p) : p = False := propext (iff_false_intro h)
theorem of_eq_true {p : Prop} (h : p = True) : p := Eq.mpr h trivial
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun hp => Eq.mp h hp
theorem of_iff_true {a : Prop} (h : a ↔ True) : a := h.mpr trivial
theorem not_of_iff_false {p : Prop} (h : p ↔ False) : ¬p := h.mp
@[simp] theorem eq_self {α : Sort u} (a : α) : (a = a) = True := eq_true rfl
@[simp] theorem ne_eq {α : Sort u} (a b : α) : (a ≠ b) = ¬(a = b) := rfl
theorem ne_self_iff_false {α : Sort u} (a : α) : a ≠ a ↔ False := ⟨false_of_ne, fun h => False.elim h⟩

-- Rewriting below connectives and binders.
theorem not_congr {a b : Prop} (h : a ↔ b) : ¬a ↔ ¬b := ⟨mt h.mpr, mt h.mp⟩
theorem and_congr {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d) : a ∧ b ↔ c ∧ d :=
  ⟨And.imp h₁.mp h₂.mp, And.imp h₁.mpr h₂.mpr⟩
theorem and_congr_right {a b c : Prop} (h : a → (b ↔ c)) : a ∧ b ↔ a ∧ c :=
  ⟨fun x => ⟨x.left, (h x.left).mp x.right⟩, fun x => ⟨x.left, (h x.left).mpr x.right⟩⟩
theorem and_congr_left {a b c : Prop} (h : c → (a ↔ b)) : a ∧ c ↔ b ∧ c :=
  ⟨fun x => ⟨(h x.right).mp x.left, x.right⟩, fun x => ⟨(h x.right).mpr x.left, x.right⟩⟩
theorem or_congr {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d) : a ∨ b ↔ c ∨ d :=
  ⟨Or.imp h₁.mp h₂.mp, Or.imp h₁.mpr h₂.mpr⟩
theorem or_congr_left {a b c : Prop} (h : a ↔ b) : a ∨ c ↔ b ∨ c := or_congr h Iff.rfl
theorem or_congr_right {a b c : Prop} (h : b ↔ c) : a ∨ b ↔ a ∨ c := or_congr Iff.rfl h
theorem imp_congr {a b c d : Prop} (h₁ : a ↔ c) (h₂ : b ↔ d) : (a → b) ↔ (c → d) :=
  ⟨fun h hc => h₂.mp (h (h₁.mpr hc)), fun h ha => h₂.mpr (h (h₁.mp ha))⟩
theorem imp_congr_left {a b c : Prop} (h : a ↔ b) : (a → c) ↔ (b → c) := imp_congr h Iff.rfl
theorem imp_congr_right {a b c : Prop} (h : a → (b ↔ c)) : (a → b) ↔ (a → c) :=
  ⟨fun x ha => (h ha).mp (x ha), fun x ha => (h ha).mpr (x ha)⟩
theorem iff_congr {a b c d : Prop} (h₁ : a ↔ b) (h₂ : c ↔ d) : (a ↔ c) ↔ (b ↔ d) :=
  ⟨fun h => Iff.trans (Iff.symm h₁) (Iff.trans h h₂), fun h => Iff.trans h₁ (Iff.trans h (Iff.symm h₂))⟩
theorem forall_congr' {α : Sort u} {p q : α → Prop} (h : ∀ (a : α), p a ↔ q a) : (∀ a, p a) ↔ ∀ a, q a :=
  ⟨fun x a => (h a).mp (x a), fun x a => (h a).mpr (x a)⟩
theorem exists_congr {α : Sort u} {p q : α → Prop} (h : ∀ (a : α), p a ↔ q a) : (∃ a, p a) ↔ ∃ a, q a :=
  ⟨fun x => Exists.elim x (fun a ha => Exists.intro a ((h a).mp ha)),
   fun x => Exists.elim x (fun a ha => Exists.intro a ((h a).mpr ha))⟩
theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ (a : α), p a = q a) : (∀ a, p a) = ∀ a, q a :=
  propext (forall_congr' (fun a => Iff.of_eq (h a)))
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h₁ : p₁ = p₂) (h₂ : q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  Eq.subst (motive := fun (x : Sort u) => (p₁ → q₁) = (x → q₂)) h₁
    (Eq.subst (motive := fun (y : Sort v) => (p₁ → q₁) = (p₁ → y)) h₂ rfl)
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h₁ : p₁ = p₂) (h₂ : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  propext ⟨fun f hp => Eq.mp (h₂ hp) (f (Eq.mpr h₁ hp)), fun f hp => Eq.mpr (h₂ (Eq.mp h₁ hp)) (f (Eq.mp h₁ hp))⟩
theorem forall_imp {α : Sort u} {p q : α → Prop} (h : ∀ (a : α), p a → q a) (hp : ∀ a, p a) : ∀ a, q a :=
  fun a => h a (hp a)

-- Connectives with a side that is `True`, `False`, or the other side.
@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨fun h => h.left, fun h => ⟨h, trivial⟩⟩
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨fun h => h.right, fun h => ⟨trivial, h⟩⟩
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := eq_false (fun h => h.right)
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := eq_false (fun h => h.left)
@[simp] theorem and_self (p : Prop) : (p ∧ p) = p := propext ⟨fun h => h.left, fun h => ⟨h, h⟩⟩
@[simp] theorem or_self (p : Prop) : (p ∨ p) = p :=
  propext ⟨fun h => Or.elim h (fun x => x) (fun x => x), fun h => Or.inl h⟩
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := eq_true (Or.inr trivial)
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := eq_true (Or.inl trivial)
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p :=
  propext ⟨fun h => Or.elim h (fun x => x) (fun x => False.elim x), fun h => Or.inl h⟩
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p :=
  propext ⟨fun h => Or.elim h (fun x => False.elim x) (fun x => x), fun h => Or.inr h⟩
@[simp] theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true (Iff.refl p)
@[simp] theorem iff_true (p : Prop) : (p ↔ True) = p := propext ⟨fun h => h.mpr trivial, iff_true_intro⟩
@[simp] theorem true_iff (p : Prop) : (True ↔ p) = p :=
  propext ⟨fun h => h.mp trivial, fun h => Iff.symm (iff_true_intro h)⟩
@[simp] theorem iff_false (p : Prop) : (p ↔ False) = ¬p := propext ⟨fun h => h.mp, iff_false_intro⟩
@[simp] theorem false_iff (p : Prop) : (False ↔ p) = ¬p :=
  propext ⟨fun h => h.mpr, fun h => Iff.symm (iff_false_intro h)⟩
@[simp] theorem false_implies (p : Prop) : (False → p) = True := eq_true (fun h => False.elim h)
@[simp] theorem implies_true (α : Sort u) : (α → True) = True := eq_true (fun _ => trivial)
@[simp] theorem true_implies (p : Prop) : (True → p) = p := propext ⟨fun h => h trivial, fun h _ => h⟩
@[simp] theorem imp_self {a : Prop} : (a → a) ↔ True := iff_true_intro (fun h => h)
@[simp] theorem imp_false {a : Prop} : (a → False) ↔ ¬a := ⟨fun h => h, fun h => h⟩
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false (fun h => h trivial)
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true not_false
@[simp] theorem and_not_self {a : Prop} : ¬(a ∧ ¬a) := fun h => h.right h.left
@[simp] theorem not_and_self {a : Prop} : ¬(¬a ∧ a) := fun h => h.left h.right
@[simp] theorem and_self_left {a b : Prop} : a ∧ a ∧ b ↔ a ∧ b := ⟨And.right, fun h => ⟨h.left, h⟩⟩
@[simp] theorem and_self_right {a b : Prop} : (a ∧ b) ∧ b ↔ a ∧ b := ⟨And.left, fun h => ⟨h, h.right⟩⟩
@[simp] theorem or_self_left {a b : Prop} : a ∨ a ∨ b ↔ a ∨ b := ⟨fun h => Or.elim h Or.inl (fun x => x), Or.inr⟩
@[simp] theorem or_self_right {a b : Prop} : (a ∨ b) ∨ b ↔ a ∨ b := ⟨fun h => Or.elim h (fun x => x) Or.inr, Or.inl⟩
@[simp] theorem and_iff_left_iff_imp {a b : Prop} : (a ∧ b ↔ a) ↔ (a → b) :=
  ⟨fun h ha => (h.mpr ha).right, fun h => ⟨And.left, fun ha => ⟨ha, h ha⟩⟩⟩
@[simp] theorem and_iff_right_iff_imp {a b : Prop} : (a ∧ b ↔ b) ↔ (b → a) :=
  ⟨fun h hb => (h.mpr hb).left, fun h => ⟨And.right, fun hb => ⟨h hb, hb⟩⟩⟩
@[simp] theorem iff_self_and {p q : Prop} : (p ↔ p ∧ q) ↔ (p → q) :=
  ⟨fun h hp => (h.mp hp).right, fun h => ⟨fun hp => ⟨hp, h hp⟩, And.left⟩⟩
@[simp] theorem iff_and_self {p q : Prop} : (p ↔ q ∧ p) ↔ (p → q) :=
  ⟨fun h hp => (h.mp hp).left, fun h => ⟨fun hp => ⟨h hp, hp⟩, And.right⟩⟩
@[simp] theorem or_iff_left_iff_imp {a b : Prop} : (a ∨ b ↔ a) ↔ (b → a) :=
  ⟨fun h hb => h.mp (Or.inr hb), fun h => ⟨fun x => Or.elim x (fun ha => ha) h, Or.inl⟩⟩
@[simp] theorem or_iff_right_iff_imp {a b : Prop} : (a ∨ b ↔ b) ↔ (a → b) :=
  ⟨fun h ha => h.mp (Or.inl ha), fun h => ⟨fun x => Or.elim x h (fun hb => hb), Or.inr⟩⟩
@[simp] theorem and_congr_right_iff {a b c : Prop} : (a ∧ b ↔ a ∧ c) ↔ (a → (b ↔ c)) :=
  ⟨fun h ha => ⟨fun hb => (h.mp ⟨ha, hb⟩).right, fun hc => (h.mpr ⟨ha, hc⟩).right⟩, and_congr_right⟩
@[simp] theorem and_congr_left_iff {a b c : Prop} : (a ∧ c ↔ b ∧ c) ↔ (c → (a ↔ b)) :=
  ⟨fun h hc => ⟨fun ha => (h.mp ⟨ha, hc⟩).left, fun hb => (h.mpr ⟨hb, hc⟩).left⟩, and_congr_left⟩
@[simp] theorem not_iff_self {a : Prop} : ¬(¬a ↔ a) :=
  fun h => have hn : ¬a := fun ha => h.mpr ha ha; hn (h.mp hn)
@[simp] theorem iff_not_self {a : Prop} : ¬(a ↔ ¬a) :=
  fun h => have hn : ¬a := fun ha => h.mp ha ha; hn (h.mpr hn)
theorem and_self_iff {a : Prop} : a ∧ a ↔ a := Iff.of_eq (and_self a)
theorem or_self_iff {a : Prop} : a ∨ a ↔ a := Iff.of_eq (or_self a)
theorem and_iff_left {a b : Prop} (hb : b) : a ∧ b ↔ a := ⟨And.left, fun ha => ⟨ha, hb⟩⟩
theorem and_iff_right {a b : Prop} (ha : a) : a ∧ b ↔ b := ⟨And.right, fun hb => ⟨ha, hb⟩⟩
theorem and_iff_left_of_imp {a b : Prop} (h : a → b) : a ∧ b ↔ a := ⟨And.left, fun ha => ⟨ha, h ha⟩⟩
theorem and_iff_right_of_imp {a b : Prop} (h : b → a) : a ∧ b ↔ b := ⟨And.right, fun hb => ⟨h hb, hb⟩⟩
theorem or_iff_left_of_imp {a b : Prop} (hb : b → a) : a ∨ b ↔ a :=
  ⟨fun h => Or.elim h (fun x => x) hb, fun h => Or.inl h⟩
theorem or_iff_right_of_imp {a b : Prop} (ha : a → b) : a ∨ b ↔ b :=
  ⟨fun h => Or.elim h ha (fun x => x), fun h => Or.inr h⟩
theorem or_iff_left {a b : Prop} (hb : ¬b) : a ∨ b ↔ a := or_iff_left_of_imp (fun h => absurd h hb)
theorem or_iff_right {a b : Prop} (ha : ¬a) : a ∨ b ↔ b := or_iff_right_of_imp (fun h => absurd h ha)

-- Order and grouping of conjunctions and disjunctions.
theorem and_comm {a b : Prop} : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem And.comm {a b : Prop} : a ∧ b ↔ b ∧ a := and_comm
theorem or_comm {a b : Prop} : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem Or.comm {a b : Prop} : a ∨ b ↔ b ∨ a := or_comm
theorem and_assoc {a b c : Prop} : (a ∧ b) ∧ c ↔ a ∧ b ∧ c :=
  ⟨fun h => ⟨h.left.left, ⟨h.left.right, h.right⟩⟩, fun h => ⟨⟨h.left, h.right.left⟩, h.right.right⟩⟩
theorem or_assoc {a b c : Prop} : (a ∨ b) ∨ c ↔ a ∨ b ∨ c :=
  ⟨fun h => Or.elim h (fun x => Or.imp_right (fun hb => Or.inl hb) x) (fun hc => Or.inr (Or.inr hc)),
   fun h => Or.elim h (fun ha => Or.inl (Or.inl ha)) (fun x => Or.imp_left (fun hb => Or.inr hb) x)⟩
theorem and_left_comm {a b c : Prop} : a ∧ b ∧ c ↔ b ∧ a ∧ c :=
  ⟨fun h => ⟨h.right.left, ⟨h.left, h.right.right⟩⟩, fun h => ⟨h.right.left, ⟨h.left, h.right.right⟩⟩⟩
theorem and_right_comm {a b c : Prop} : (a ∧ b) ∧ c ↔ (a ∧ c) ∧ b :=
  ⟨fun h => ⟨⟨h.left.left, h.right⟩, h.left.right⟩, fun h => ⟨⟨h.left.left, h.right⟩, h.left.right⟩⟩
theorem or_left_comm {a b c : Prop} : a ∨ b ∨ c ↔ b ∨ a ∨ c :=
  Iff.trans (Iff.symm or_assoc) (Iff.trans (or_congr_left or_comm) or_assoc)
theorem or_right_comm {a b c : Prop} : (a ∨ b) ∨ c ↔ (a ∨ c) ∨ b :=
  Iff.trans or_assoc (Iff.trans (or_congr_right or_comm) (Iff.symm or_assoc))
theorem and_or_left {a b c : Prop} : a ∧ (b ∨ c) ↔ a ∧ b ∨ a ∧ c :=
  ⟨fun h => Or.imp (fun hb => ⟨h.left, hb⟩) (fun hc => ⟨h.left, hc⟩) h.right,
   fun h => Or.elim h (fun x => ⟨x.left, Or.inl x.right⟩) (fun x => ⟨x.left, Or.inr x.right⟩)⟩
theorem or_and_right {a b c : Prop} : (a ∨ b) ∧ c ↔ a ∧ c ∨ b ∧ c :=
  ⟨fun h => Or.imp (fun ha => ⟨ha, h.right⟩) (fun hb => ⟨hb, h.right⟩) h.left,
   fun h => Or.elim h (fun x => ⟨Or.inl x.left, x.right⟩) (fun x => ⟨Or.inr x.left, x.right⟩)⟩
theorem or_and_left {a b c : Prop} : a ∨ b ∧ c ↔ (a ∨ b) ∧ (a ∨ c) :=
  ⟨fun h => Or.elim h (fun ha => ⟨Or.inl ha, Or.inl ha⟩) (fun x => ⟨Or.inr x.left, Or.inr x.right⟩),
   fun h => Or.elim h.left (fun ha => Or.inl ha) (fun hb => Or.imp_right (fun hc => ⟨hb, hc⟩) h.right)⟩
theorem and_or_right {a b c : Prop} : a ∧ b ∨ c ↔ (a ∨ c) ∧ (b ∨ c) :=
  ⟨fun h => Or.elim h (fun x => ⟨Or.inl x.left, Or.inl x.right⟩) (fun hc => ⟨Or.inr hc, Or.inr hc⟩),
   fun h => Or.elim h.left (fun ha => Or.imp_left (fun hb => ⟨ha, hb⟩) h.right) (fun hc => Or.inr hc)⟩

-- Implication and negation.
@[simp] theorem and_imp {a b c : Prop} : (a ∧ b → c) ↔ (a → b → c) :=
  ⟨fun h ha hb => h ⟨ha, hb⟩, fun h x => h x.left x.right⟩
theorem or_imp {a b c : Prop} : (a ∨ b → c) ↔ (a → c) ∧ (b → c) :=
  ⟨fun h => ⟨fun ha => h (Or.inl ha), fun hb => h (Or.inr hb)⟩, fun h x => Or.elim x h.left h.right⟩
theorem imp_and {a b c : Prop} : (a → b ∧ c) ↔ (a → b) ∧ (a → c) :=
  ⟨fun h => ⟨fun ha => (h ha).left, fun ha => (h ha).right⟩, fun h ha => ⟨h.left ha, h.right ha⟩⟩
@[simp] theorem not_and {a b : Prop} : ¬(a ∧ b) ↔ (a → ¬b) :=
  ⟨fun h ha hb => h ⟨ha, hb⟩, fun h x => h x.left x.right⟩
@[simp] theorem not_or {p q : Prop} : ¬(p ∨ q) ↔ ¬p ∧ ¬q :=
  ⟨fun h => ⟨fun hp => h (Or.inl hp), fun hq => h (Or.inr hq)⟩, fun h x => Or.elim x h.left h.right⟩
theorem not_and' {a b : Prop} : ¬(a ∧ b) ↔ b → ¬a := ⟨fun h hb ha => h ⟨ha, hb⟩, fun h x => h x.right x.left⟩
theorem not_and_of_not_left {a : Prop} (b : Prop) (h : ¬a) : ¬(a ∧ b) := fun x => h x.left
theorem not_and_of_not_right (a : Prop) {b : Prop} (h : ¬b) : ¬(a ∧ b) := fun x => h x.right
theorem not_and_of_not_or_not {a b : Prop} (h : ¬a ∨ ¬b) : ¬(a ∧ b) :=
  fun x => Or.elim h (fun ha => ha x.left) (fun hb => hb x.right)
theorem not_imp_of_and_not {a b : Prop} (h : a ∧ ¬b) : ¬(a → b) := fun f => h.right (f h.left)
theorem imp_not_comm {a b : Prop} : (a → ¬b) ↔ (b → ¬a) := ⟨fun h hb ha => h ha hb, fun h ha hb => h hb ha⟩
theorem not_not_em (a : Prop) : ¬¬(a ∨ ¬a) := fun h => h (Or.inr (fun ha => h (Or.inl ha)))

-- Quantifiers.
@[simp] theorem forall_exists_index {α : Sort u} {p : α → Prop} {q : (∃ x, p x) → Prop} :
    (∀ h, q h) ↔ ∀ x (h : p x), q (Exists.intro x h) :=
  ⟨fun f x h => f (Exists.intro x h), fun f h => Exists.rec (motive := fun t => q t) f h⟩
theorem exists_imp {α : Sort u} {p : α → Prop} {b : Prop} : ((∃ x, p x) → b) ↔ ∀ x, p x → b :=
  ⟨fun f x h => f (Exists.intro x h), fun f h => Exists.elim h f⟩
@[simp] theorem not_exists {α : Sort u} {p : α → Prop} : (¬∃ x, p x) ↔ ∀ x, ¬p x :=
  ⟨fun f x h => f (Exists.intro x h), fun f h => Exists.elim h f⟩
theorem not_forall_of_exists_not {α : Sort u} {p : α → Prop} (h : ∃ x, ¬p x) : ¬∀ x, p x :=
  fun f => Exists.elim h (fun x hx => hx (f x))
theorem forall_and {α : Sort u} {p q : α → Prop} : (∀ x, p x ∧ q x) ↔ (∀ x, p x) ∧ ∀ x, q x :=
  ⟨fun h => ⟨fun x => (h x).left, fun x => (h x).right⟩, fun h x => ⟨h.left x, h.right x⟩⟩
theorem exists_or {α : Sort u} {p q : α → Prop} : (∃ x, p x ∨ q x) ↔ (∃ x, p x) ∨ ∃ x, q x :=
  ⟨fun h => Exists.elim h (fun x hx => Or.imp (fun hp => Exists.intro x hp) (fun hq => Exists.intro x hq) hx),
   fun h => Or.elim h (fun y => Exists.elim y (fun x hp => Exists.intro x (Or.inl hp)))
     (fun y => Exists.elim y (fun x hq => Exists.intro x (Or.inr hq)))⟩
@[simp] theorem exists_false {α : Sort u} : ¬∃ (_a : α), False := fun h => Exists.elim h (fun _ hf => hf)
@[simp] theorem exists_prop {a b : Prop} : (∃ (_h : a), b) ↔ a ∧ b :=
  ⟨fun h => Exists.elim h (fun ha hb => ⟨ha, hb⟩), fun h => Exists.intro h.left h.right⟩
@[simp] theorem exists_and_left {α : Sort u} {p : α → Prop} {b : Prop} : (∃ x, b ∧ p x) ↔ b ∧ ∃ x, p x :=
  ⟨fun h => Exists.elim h (fun x hx => ⟨hx.left, Exists.intro x hx.right⟩),
   fun h => Exists.elim h.right (fun x hx => Exists.intro x ⟨h.left, hx⟩)⟩
@[simp] theorem exists_and_right {α : Sort u} {p : α → Prop} {b : Prop} : (∃ x, p x ∧ b) ↔ (∃ x, p x) ∧ b :=
  ⟨fun h => Exists.elim h (fun x hx => ⟨Exists.intro x hx.left, hx.right⟩),
   fun h => Exists.elim h.left (fun x hx => Exists.intro x ⟨hx, h.right⟩)⟩
@[simp] theorem forall_eq {α : Sort u} {p : α → Prop} {a' : α} : (∀ a, a = a' → p a) ↔ p a' :=
  ⟨fun h => h a' rfl, fun h _ e => Eq.subst (motive := p) (Eq.symm e) h⟩
@[simp] theorem forall_eq' {α : Sort u} {p : α → Prop} {a' : α} : (∀ a, a' = a → p a) ↔ p a' :=
  ⟨fun h => h a' rfl, fun h _ e => Eq.subst (motive := p) e h⟩
@[simp] theorem exists_eq {α : Sort u} {a' : α} : ∃ a, a = a' := Exists.intro a' rfl
@[simp] theorem exists_eq' {α : Sort u} {a' : α} : ∃ a, a' = a := Exists.intro a' rfl
@[simp] theorem exists_eq_left {α : Sort u} {p : α → Prop} {a' : α} : (∃ a, a = a' ∧ p a) ↔ p a' :=
  ⟨fun h => Exists.elim h (fun _ x => Eq.subst (motive := p) x.left x.right), fun h => Exists.intro a' ⟨rfl, h⟩⟩
@[simp] theorem exists_eq_right {α : Sort u} {p : α → Prop} {a' : α} : (∃ a, p a ∧ a = a') ↔ p a' :=
  ⟨fun h => Exists.elim h (fun _ x => Eq.subst (motive := p) x.right x.left), fun h => Exists.intro a' ⟨h, rfl⟩⟩
@[simp] theorem exists_eq_left' {α : Sort u} {p : α → Prop} {a' : α} : (∃ a, a' = a ∧ p a) ↔ p a' :=
  ⟨fun h => Exists.elim h (fun _ x => Eq.subst (motive := p) (Eq.symm x.left) x.right),
   fun h => Exists.intro a' ⟨rfl, h⟩⟩
@[simp] theorem exists_eq_right' {α : Sort u} {p : α → Prop} {a' : α} : (∃ a, p a ∧ a' = a) ↔ p a' :=
  ⟨fun h => Exists.elim h (fun _ x => Eq.subst (motive := p) (Eq.symm x.right) x.left),
   fun h => Exists.intro a' ⟨h, rfl⟩⟩
theorem forall_comm {α β : Sort u} {p : α → β → Prop} : (∀ a b, p a b) ↔ ∀ b a, p a b :=
  ⟨fun h b a => h a b, fun h a b => h b a⟩
theorem exists_comm {α β : Sort u} {p : α → β → Prop} : (∃ a b, p a b) ↔ ∃ b a, p a b :=
  ⟨fun h => Exists.elim h (fun a x => Exists.elim x (fun b y => Exists.intro b (Exists.intro a y))),
   fun h => Exists.elim h (fun b x => Exists.elim x (fun a y => Exists.intro a (Exists.intro b y)))⟩

-- Classical logic.
theorem Classical.byCases {p q : Prop} (hpq : p → q) (hnpq : ¬p → q) : q := Or.elim (Classical.em p) hpq hnpq
theorem Classical.byContradiction {p : Prop} (h : ¬p → False) : p :=
  Or.elim (Classical.em p) (fun hp => hp) (fun hn => False.elim (h hn))
theorem Classical.not_not {a : Prop} : ¬¬a ↔ a := ⟨fun h => Classical.byContradiction h, fun h hn => hn h⟩
@[simp] theorem not_not {a : Prop} : ¬¬a ↔ a := Classical.not_not
@[simp] theorem Classical.not_forall {α : Sort u} {p : α → Prop} : (¬∀ x, p x) ↔ ∃ x, ¬p x :=
  ⟨fun h => Classical.byContradiction
     (fun hn => h (fun x => Classical.byContradiction (fun hx => hn (Exists.intro x hx)))),
   not_forall_of_exists_not⟩
theorem not_forall {α : Sort u} {p : α → Prop} : (¬∀ x, p x) ↔ ∃ x, ¬p x := Classical.not_forall
theorem Classical.not_forall_not {α : Sort u} {p : α → Prop} : (¬∀ x, ¬p x) ↔ ∃ x, p x :=
  ⟨fun h => Classical.byContradiction (fun hn => h (fun x hx => hn (Exists.intro x hx))),
   fun h f => Exists.elim h f⟩
theorem Classical.not_exists_not {α : Sort u} {p : α → Prop} : (¬∃ x, ¬p x) ↔ ∀ x, p x :=
  ⟨fun h x => Classical.byContradiction (fun hx => h (Exists.intro x hx)),
   fun h hn => Exists.elim hn (fun x hx => hx (h x))⟩
@[simp] theorem Classical.not_imp {a b : Prop} : ¬(a → b) ↔ a ∧ ¬b :=
  ⟨fun h => ⟨Classical.byContradiction (fun hn => h (fun ha => absurd ha hn)), fun hb => h (fun _ => hb)⟩,
   not_imp_of_and_not⟩
theorem not_imp {a b : Prop} : ¬(a → b) ↔ a ∧ ¬b := Classical.not_imp
theorem Classical.not_and_iff_not_or_not {a b : Prop} : ¬(a ∧ b) ↔ ¬a ∨ ¬b :=
  ⟨fun h => Or.elim (Classical.em a) (fun ha => Or.inr (fun hb => h ⟨ha, hb⟩)) (fun hn => Or.inl hn),
   not_and_of_not_or_not⟩
theorem Classical.imp_iff_not_or {a b : Prop} : a → b ↔ ¬a ∨ b :=
  ⟨fun h => Or.elim (Classical.em a) (fun ha => Or.inr (h ha)) (fun hn => Or.inl hn),
   fun h ha => Or.neg_resolve_left h ha⟩
theorem Classical.or_iff_not_imp_left {a b : Prop} : a ∨ b ↔ (¬a → b) :=
  ⟨Or.resolve_left, fun h => Or.elim (Classical.em a) (fun ha => Or.inl ha) (fun hn => Or.inr (h hn))⟩
theorem Classical.or_iff_not_imp_right {a b : Prop} : a ∨ b ↔ (¬b → a) :=
  ⟨Or.resolve_right, fun h => Or.elim (Classical.em b) (fun hb => Or.inr hb) (fun hn => Or.inl (h hn))⟩
theorem not_imp_not {a b : Prop} : (¬a → ¬b) ↔ (b → a) :=
  ⟨fun h hb => Classical.byContradiction (fun hn => h hn hb), fun h hn hb => hn (h hb)⟩

-- What a proof with a gap rests on.
axiom sorryAx (p : Sort u) : p
