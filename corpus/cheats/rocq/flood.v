Goal True. do 100000 idtac "flood flood flood flood flood flood flood flood". exact I. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
