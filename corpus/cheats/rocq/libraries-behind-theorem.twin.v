Theorem goal : forall A : Type@{list.u0}, forall Q : Prop, (forall B : Type@{option.u0}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k q => q). Qed.
Constraint option.u0 < list.u0.
