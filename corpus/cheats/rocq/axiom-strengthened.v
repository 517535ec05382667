Parameter f : nat -> nat.
Axiom f_zero : forall n : nat, f n = 0.
Theorem goal : f (f 0) = 0.
Proof. apply f_zero. Qed.
