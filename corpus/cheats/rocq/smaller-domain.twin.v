Theorem goal : forall n : nat, n = n + 0 :> nat.
Proof. exact plus_n_O. Qed.
