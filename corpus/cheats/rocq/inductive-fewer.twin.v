Inductive color := red | green | blue.
Theorem goal : forall c : color, c = red \/ c = green \/ c = blue.
Proof. intros []; auto. Qed.
