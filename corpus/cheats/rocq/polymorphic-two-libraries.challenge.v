From Coq Require Import List.
Definition nonempty (A : Type@{eq.u0}) : Prop := forall Q : Prop, (A -> Q) -> Q.
Definition inh (A : Type@{app_nil_r.u0}) : Prop := forall Q : Prop, (A -> Q) -> Q.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> inh nat -> forall Q : Prop, (forall B : Type@{app_nil_r.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
