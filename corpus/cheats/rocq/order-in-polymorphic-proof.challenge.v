Universes a b.
Polymorphic Lemma l : True. Proof. pose (x := Type@{b} : Type@{a}). exact I. Qed.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
