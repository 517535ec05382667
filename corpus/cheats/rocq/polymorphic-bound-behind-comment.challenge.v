Set Universe Polymorphism.
Theorem goal (* for all *) @{u +} : forall (A : Type@{u}) (a b : A), (forall P : A -> Prop, P a -> P b) -> forall P : A -> Prop, P b -> P a.
Admitted.
