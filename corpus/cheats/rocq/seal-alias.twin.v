Module Type T. Parameter n : nat. End T.
Module R : T. Definition n := 5. End R.
Module S := R.
Lemma le_plus : forall n m, n <= n + m.
Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
Theorem goal : S.n <= S.n + S.n.
Proof. apply le_plus. Qed.
