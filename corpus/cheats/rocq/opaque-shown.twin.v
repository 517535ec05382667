Lemma n : nat. Proof. exact 2. Qed.
Lemma le_plus : forall n m, n <= n + m.
Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
Theorem goal : n <= n + n.
Proof. apply le_plus. Qed.
