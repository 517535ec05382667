Set Universe Polymorphism.
Inductive box@{u} (A : Type@{u}) : Type@{u} := mk : A -> box A.
Arguments mk {A}.
Monomorphic Universe tiny.
Lemma other : forall (A : Type@{tiny}) (a : A), a = a.
Proof. reflexivity. Qed.
Theorem goal : forall (A : Type) (a b : A), mk a = mk b -> a = b.
Proof. intros A a b h. injection h. auto. Qed.
