Module Type T. Parameter n : nat. End T.
Module A. Definition n := 2. End A.
Module F (X : T) : T. Definition n := X.n + 3. End F.
Module S := F A.
Lemma le_plus : forall n m, n <= n + m.
Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
Theorem goal : S.n <= S.n + S.n.
Proof. apply le_plus. Qed.
