Set Universe Polymorphism.
Inductive both@{s t|u|} (A : Type@{s|u}) (B : Type@{t|u}) : Type@{u} := pair (_ : A) (_ : B).
Theorem goal@{s t|u|} : forall (A : Type@{s|u}) (B : Type@{t|u}), A -> B -> both@{s t|u} A B. Proof. exact pair. Qed.
