Theorem goal : forall n : nat, n = n + 0.
Proof. fail "Stack overflow". Qed.
