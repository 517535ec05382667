Module Type Promise.
  Parameter fact : forall n : nat, n = n + 0.
End Promise.
Module Sealed : Promise.
  Lemma fact : forall n : nat, n = n + 0. Proof. exact plus_n_O. Qed.
End Sealed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact Sealed.fact. Qed.
