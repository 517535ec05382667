Theorem my_lemma : forall p q : Prop, p /\ q -> q /\ p.
Proof.
Admitted.
