Module Type Proves.
  Axiom fact : forall n : nat, n = n + 0.
End Proves.
Module Holds <: Proves.
  Definition fact := plus_n_O.
End Holds.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact Holds.fact. Qed.
