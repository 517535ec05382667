Theorem goal : 10 * 10 = 99 + 1.
Proof.
Admitted.
