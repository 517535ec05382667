Set Universe Polymorphism.
Axiom goal@{u v} : forall (Q : Prop), (forall (A : Type@{u}) (B : Type@{v}) (f : A -> B), Q) -> Q -> Q.
