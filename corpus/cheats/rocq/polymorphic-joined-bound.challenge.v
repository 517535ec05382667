Set Universe Polymorphism.
Theorem goal : forall (Q : Prop), (forall (A : Type) (B : Type) (f : A -> B), Q) -> Q -> Q.
Admitted.
