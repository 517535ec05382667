Module Type Promise.
  Parameter fine : True.
End Promise.
Module Sealed : Promise.
  Inductive good : Prop := wrap : (False -> good) -> good.
  Definition fine := I.
End Sealed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct Sealed.fine. exact plus_n_O. Qed.
