Module Type promise. Parameter Inline f : nat -> False. End promise.
Module loop.
  #[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.
End loop.
Module use (P : promise). Definition g : nat -> False := P.f. End use.
Module done := use loop.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (done.g 0). Qed.
