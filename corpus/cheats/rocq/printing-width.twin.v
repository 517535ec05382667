Global Set Printing Width 2.
Global Set Printing Depth 1.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
