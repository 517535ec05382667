Module Type Promise.
  Parameter fact : forall n : nat, n = n + 0.
End Promise.
Module Sealed : Promise.
  Lemma fact : forall n : nat, n = n + 0. Proof. Admitted.
End Sealed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact Sealed.fact. Qed.
