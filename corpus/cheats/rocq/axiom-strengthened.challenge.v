Parameter f : nat -> nat.
Axiom f_zero : f 0 = 0.
Theorem goal : f (f 0) = 0.
Proof.
Admitted.
