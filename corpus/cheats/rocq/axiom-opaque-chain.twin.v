Module Deep.
  Lemma one : forall n : nat, n = n + 0. Proof. exact plus_n_O. Qed.
End Deep.
Lemma two : forall n : nat, n = n + 0. Proof. exact Deep.one. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact two. Qed.
