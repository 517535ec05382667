Lemma swap : forall p q : Prop, p /\ q -> q /\ p.
Proof.
  tauto.
Qed.
