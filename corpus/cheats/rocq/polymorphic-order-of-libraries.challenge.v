From Coq Require Import List. Constraint app_nil_r.u0 < eq.u0.
Definition nonempty (A : Type) : Prop := forall Q : Prop, (A -> Q) -> Q.
Definition use (A : Type@{eq.u0}) := nonempty A.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> forall Q : Prop, (forall B : Type@{app_nil_r.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
