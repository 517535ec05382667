Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact_no_check (plus_n_O n). Qed.
