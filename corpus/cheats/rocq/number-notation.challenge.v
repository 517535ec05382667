Theorem goal : exists n : nat, n * n = 9.
Proof.
Admitted.
