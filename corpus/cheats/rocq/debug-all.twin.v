Set Debug Auto.
Theorem goal : forall n : nat, n = n + 0.
Proof. auto. Qed.
