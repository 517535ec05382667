Definition nonempty (A : Type) : Prop := forall Q : Prop, (A -> Q) -> Q.
Definition Small := Type.
Lemma small_nonempty : nonempty Small.
Proof. intros Q k. exact (k nat). Qed.
Set Universe Polymorphism.
Theorem goal : forall A : Type, nonempty A -> forall Q : Prop, (forall B : Small, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
