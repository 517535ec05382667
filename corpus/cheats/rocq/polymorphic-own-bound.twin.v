Set Universe Polymorphism.
Inductive box@{u} (A : Type@{u}) : Type@{u} := mk : A -> box A.
Arguments mk {A}.
Polymorphic Definition here (A : Type) (a : A) := a.
Theorem goal : forall (A : Type) (a b : A), mk a = mk b -> a = b.
Proof. intros A a b h. pose (@here A a). injection h. auto. Qed.
