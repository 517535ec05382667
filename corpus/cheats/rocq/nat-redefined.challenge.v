Theorem goal : forall n m : nat, n = m \/ n <> m.
Proof.
Admitted.
