Module Type S. Parameter b : nat. End S.
Module M : S. Definition b := 5. End M.
Module Type TG. Parameter l : forall n m, n <= n + m. End TG.
Module G : TG.
  Lemma l : forall n m, n <= n + m.
  Proof. intros n m; induction n; simpl; [induction m; auto | now apply le_n_S]. Qed.
End G.
Theorem goal : M.b <= M.b + M.b.
Proof. apply G.l. Qed.
