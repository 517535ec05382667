Set Universe Polymorphism.
Theorem goal@{u +} : forall (A : Type@{u}) (a b : A), (forall P : A -> Prop, P a -> P b) -> forall P : A -> Prop, P b -> P a.
Proof. intros A a b h P p. assert (e : a = b) by (apply (h (fun x => a = x)); reflexivity). rewrite e. exact p. Qed.
