Theorem my_lemma : forall p q : Prop, p /\ q -> q /\ p.
Proof.
Admitted.

Theorem hard : forall n m : nat, n + m = m + n.
Proof.
Admitted.
