Theorem goal : forall n : nat, n = n + 0.
Proof. idtac "Axioms:". exact plus_n_O. Qed.
