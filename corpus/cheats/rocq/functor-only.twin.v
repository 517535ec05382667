Module Type Empty.
End Empty.
Module Proves (A : Empty).
  Theorem goal : forall n : nat, n = n + 0.
  Proof. exact plus_n_O. Qed.
End Proves.
Module Nothing.
End Nothing.
Include Proves Nothing.
