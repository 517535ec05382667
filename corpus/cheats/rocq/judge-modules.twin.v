Module Challenge.
  Definition statement := forall n : nat, n = n + 0.
End Challenge.
Module Judge.
  Definition judged := I.
End Judge.
Theorem goal : Challenge.statement.
Proof. exact plus_n_O. Qed.
