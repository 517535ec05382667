Module Closed.
  Lemma under_the_global_context : True. Proof. exact I. Qed.
End Closed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct Closed.under_the_global_context. exact plus_n_O. Qed.
