Constraint list.u0 <= option.u0.
Theorem goal : forall A : Type@{list.u0}, forall Q : Prop, (forall B : Type@{option.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
