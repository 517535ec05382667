Set Universe Polymorphism.
Monomorphic Universe w.
Theorem goal@{u v} : forall (Q : Prop), (forall (A : Type@{w}) (B : Type@{w}) (f : A -> B), Q) -> Q -> Q.
Proof. exact (fun Q h q => q). Qed.
