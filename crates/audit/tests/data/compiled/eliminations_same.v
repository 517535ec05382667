Set Universe Polymorphism.
Theorem goal@{s t|u|} : forall (A : Type@{s|u}) (B : Type@{t|u}), A -> B -> A. Proof. exact (fun A B x _ => x). Qed.
