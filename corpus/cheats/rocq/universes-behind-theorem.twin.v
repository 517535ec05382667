Definition Small := Type.
Definition Big := Type.
Theorem goal : forall A : Big, forall Q : Prop, (forall B : Small, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k q => q). Qed.
Definition c : Big := Small.
