Universes a b.
Set Universe Polymorphism.
Section S.
Constraint b < a.
Definition z := 0.
End S.
Unset Universe Polymorphism.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Proof. exact (fun A Q k q => q). Qed.
