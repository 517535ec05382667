Theorem goal : forall P : Prop, ~ ~ (P \/ ~ P).
Proof.
Admitted.
