Module Type Promise.
  Parameter loop : nat -> False.
End Promise.
Module Sealed : Promise.
  Unset Guard Checking.
  Fixpoint loop (n : nat) : False := loop n.
  Set Guard Checking.
End Sealed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (Sealed.loop 0). Qed.
