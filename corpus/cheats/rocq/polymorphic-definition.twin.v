Set Universe Polymorphism.
Definition holds@{u v} (A : Type@{u}) : Prop := forall Q : Prop, (forall B : Type@{v}, (A -> B) -> Q) -> Q -> Q.
Theorem goal@{u v} : forall A : Type@{u}, holds@{u v} A.
Proof. exact (fun A Q h q => q). Qed.
