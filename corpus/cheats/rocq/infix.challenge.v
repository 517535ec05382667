Theorem goal : forall n : nat, n <= S n.
Proof.
Admitted.
