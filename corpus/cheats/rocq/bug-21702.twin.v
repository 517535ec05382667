Set Universe Polymorphism.
Module Type down.
  Parameter cast@{u} : Type@{u} -> Type@{u}.
  Parameter size : nat.
End down.
Module Type given := down with Definition size := 2.
Module M : given.
  Definition cast@{u} (X : Type@{u}) : Type@{u} := X.
  Definition size := 2.
End M.
Unset Universe Polymorphism.
Lemma two : M.size = 2. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
