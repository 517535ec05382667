Require Import Hurkens.
Set Universe Polymorphism.
Inductive same@{i} {A : Type@{i}} (a : A) : A -> Prop := refl : same a a.
Inductive mark@{u v | u < v} : Set := make (seen : Type@{v} := Type@{u}).
Definition look@{u v | u < v} (m : mark@{u v}) : Type@{v} := match m with make seen => seen end.
Definition equal@{a b c d e | a < b, b < c, c < d, d < e} : @same@{e} Type@{d} Type@{c} (look@{b c} make@{b c}).
Proof. exact_no_check (@refl@{e} Type@{d} Type@{c}). Qed.
Unset Universe Polymorphism.
Definition wrong : False :=
  TypeNeqSmallType.paradox (look make) (match equal in same _ t return Type = t with refl _ => eq_refl end).
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct wrong. Qed.
