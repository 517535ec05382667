Set Universe Polymorphism.
Definition holds@{u v} (A : Type@{u}) : Prop := forall Q : Prop, (forall B : Type@{v}, (A -> B) -> Q) -> Q -> Q.
Theorem goal : forall A : Type, holds A.
Admitted.
