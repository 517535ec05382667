From Coq Require Import List.
Universe i. Constraint i <= app_nil_r.u0.
Definition nonempty (A : Type@{i}) : Prop := forall Q : Prop, (A -> Q) -> Q.
Definition inh (A : Type@{i}) : Prop := forall Q : Prop, (A -> Q) -> Q.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> inh nat -> forall Q : Prop, (forall B : Type@{app_nil_r.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A _ _ Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
