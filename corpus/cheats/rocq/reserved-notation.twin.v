Notation "'every' n : T , P" := (forall n : T, P) (at level 200, n name, only parsing).
Theorem goal : every n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
