Universes a b c d.
Constraint a = c.
Constraint b <= c.
Theorem goal : forall A : Type@{max(a,b)}, forall Q : Prop, (forall B : Type@{max(c,d)}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.
