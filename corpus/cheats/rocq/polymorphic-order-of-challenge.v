Definition nonempty (A : Type@{list.u0}) : Prop := forall Q : Prop, (A -> Q) -> Q.
Definition Small := Type@{list.u0}.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> forall Q : Prop, (forall B : Small, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A _ Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
