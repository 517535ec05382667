Universes a b c d.
Theorem goal : forall A : Type@{max(a,b)}, forall Q : Prop, (forall B : Type@{max(c,d)}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k q => q). Qed.
Universe m.
Constraint c <= m, d <= m, m < a.
