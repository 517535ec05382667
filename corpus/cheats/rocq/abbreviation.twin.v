Notation fact := plus_n_O.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact fact. Qed.
