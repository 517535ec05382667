Set Universe Polymorphism.
Theorem goal@{u +} : forall (A : Type@{u}) (a b : A), (forall P : A -> Prop, P a -> P b) -> forall P : A -> Prop, P b -> P a.
Proof. intros A a b h P p. exact (h (fun x => P x -> P a) (fun q => q) p). Qed.
