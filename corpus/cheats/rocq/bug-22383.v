Require Import Hurkens.
Set Universe Polymorphism.
Inductive same@{i} {A : Type@{i}} (a : A) : A -> Prop := refl : same a a.
Cumulative Inductive mark@{*u v | u < v} : Set := make (seen : Type@{v} := Type@{u}).
Definition look@{u v | u < v} (m : mark@{u v}) : Type@{v} := match m with make seen => seen end.
Definition small@{u v | Set < u, u < v} : Type@{u} := look@{Set u} (make@{u v}).
Definition equal@{u v w | Set < u, u < v, v < w} : @same@{w} Type@{v} Type@{u} small@{u v} := @refl@{w} Type@{v} Type@{u}.
Unset Universe Polymorphism.
Definition wrong : False :=
  TypeNeqSmallType.paradox small (match equal in same _ t return Type = t with refl _ => eq_refl end).
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct wrong. Qed.
