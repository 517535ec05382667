Module Type Assumes.
  Axiom fact : True.
End Assumes.
Module Proves (A : Assumes).
  Theorem goal : forall n : nat, n = n + 0.
  Proof. destruct A.fact. exact plus_n_O. Qed.
End Proves.
Module Holds.
  Definition fact := I.
End Holds.
Include Proves Holds.
