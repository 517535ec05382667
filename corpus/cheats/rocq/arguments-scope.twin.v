Definition same (n : nat) := n.
Arguments same n%nat.
Theorem goal : forall n : nat, n = same (n + 0).
Proof. exact plus_n_O. Qed.
