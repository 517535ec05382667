Theorem goal {cheat : False} : forall n : nat, n = n + 0.
Proof. destruct cheat. Qed.
