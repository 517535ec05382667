From Coq Require Import List.
Definition nonempty (A : Type) : Prop := forall Q : Prop, (A -> Q) -> Q.
Lemma L : forall A : Type@{nonempty.u0}, forall Q : Prop, (forall B : Type@{app_nil_r.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> forall Q : Prop, (forall B : Type@{app_nil_r.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A _ => L A). Qed.
