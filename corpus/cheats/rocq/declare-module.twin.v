Module Type Assumes.
  Parameter fact : True.
End Assumes.
Module Holds : Assumes.
  Definition fact := I.
End Holds.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct Holds.fact. exact plus_n_O. Qed.
