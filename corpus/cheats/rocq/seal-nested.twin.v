Module Type T. Parameter n : nat. End T.
Module Outer. Module S : T. Definition n := 5. End S. End Outer.
Module M. Include Outer. End M.
Lemma le_plus : forall n m, n <= n + m.
Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
Theorem goal : M.S.n <= M.S.n + M.S.n.
Proof. apply le_plus. Qed.
