Theorem goal : forall n : nat, n = 0 -> n = n + 0.
Proof. intros n e. rewrite e. reflexivity. Qed.
