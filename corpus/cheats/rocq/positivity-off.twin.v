Inductive good : Prop := wrap : (False -> good) -> good.
Lemma yes : good. Proof. apply wrap. intros []. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct yes. exact plus_n_O. Qed.
