Theorem my_lemma : forall p q : Prop, p /\ q -> q /\ p.
Proof.
  intros p q [a b].
  split; assumption.
Qed.
