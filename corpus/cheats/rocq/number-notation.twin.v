Theorem goal : exists n : nat, n * n = 9.
Proof. exists (S (S (S O))). reflexivity. Qed.
