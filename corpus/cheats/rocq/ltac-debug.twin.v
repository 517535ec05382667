Set Ltac Backtrace.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (plus_n_O n). Qed.
