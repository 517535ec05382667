Lemma swap_or : forall p q : Prop, p \/ q -> q \/ p.
Proof.
Admitted.
