Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Section s.
Let at_least : forall n m, n <= n + m.
Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
Theorem goal : S.n <= S.n + S.n.
Proof. apply at_least. Qed.
End s.
