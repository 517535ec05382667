Theorem goal : forall n : nat, n = n + 0.
Proof.
  Definition helper := plus_n_O.
  exact helper.
Qed.
