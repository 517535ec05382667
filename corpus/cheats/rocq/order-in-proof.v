Universes a b.
Constraint a <= b.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
