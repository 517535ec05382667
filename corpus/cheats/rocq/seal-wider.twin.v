Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Module Type Help. Parameter k : nat. Axiom le_plus : forall n m, n <= n + m. End Help.
Module H : Help.
  Definition k := 3.
  Lemma le_plus : forall n m, n <= n + m.
  Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
End H.
Theorem goal : S.n <= S.n + S.n.
Proof. apply H.le_plus. Qed.
