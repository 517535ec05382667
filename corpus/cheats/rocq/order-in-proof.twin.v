Universes a b.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof.
Constraint b < a.
exact (fun A Q k q => q). Qed.
