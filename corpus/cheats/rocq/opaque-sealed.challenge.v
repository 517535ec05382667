Module M. Lemma b : nat. Proof. exact 5. Qed. End M.
Theorem goal : M.b <= M.b + M.b.
Proof.
Admitted.
