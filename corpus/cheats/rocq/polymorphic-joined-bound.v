Set Universe Polymorphism.
Theorem goal@{u v} : forall (Q : Prop), (forall (A : Type@{u}) (B : Type@{max(u,v)}) (f : A -> B), Q) -> Q -> Q.
Proof. exact (fun Q h q => q). Qed.
